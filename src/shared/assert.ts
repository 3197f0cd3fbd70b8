/** Makes the compiler prove that a switch over our own union is complete; throws if a value slips through at run time. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
