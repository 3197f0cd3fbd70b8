/** Returns whether a key belongs to an input method. */
export function isComposing(event: KeyboardEvent): boolean {
  // Key code 229 marks the first key of a composition.
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else identifies that key
  return event.isComposing || event.keyCode === 229;
}
