/** What an action returns; undefined when it throws, for whatever reason. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    // Whoever calls has nothing to do about it.
    return undefined;
  }
}
