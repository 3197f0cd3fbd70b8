/** Gives a part of the fake editor these members; with `areDescriptors`, they say themselves how they are read. */
export function put(part: object, members: object, areDescriptors = false): void {
  const all = areDescriptors ? (members as PropertyDescriptorMap) : Object.getOwnPropertyDescriptors(members);
  const entries = Object.entries(all).map(([key, member]) => [
    key,
    { ...member, configurable: true, enumerable: true, ...('value' in member && { writable: true }) },
  ]);
  Object.defineProperties(part, Object.fromEntries(entries) as PropertyDescriptorMap);
}

/** Returns what gives these parts the members that they have now. */
export function putBack(parts: readonly object[]): () => void {
  const all = parts.map((part) => [part, Object.getOwnPropertyDescriptors(part)] as const);
  return () => {
    for (const [part, before] of all) {
      for (const key of Reflect.ownKeys(part)) if (!(key in before)) Reflect.deleteProperty(part, key);
      Object.defineProperties(part, before);
    }
  };
}
