/** Returns the action's result, or undefined if it throws. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    // The caller can't act on the error.
    return undefined;
  }
}
