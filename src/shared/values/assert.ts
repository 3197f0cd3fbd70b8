/** Makes the compiler prove that a switch over a union is complete; throws on an unexpected value at run time. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
