// @ts-check
// Versions of packages, compared and put into words.

/** @typedef {{ name: string, version: string }} Used */

/**
 * A package and its exact version, from `name@version`.
 * @param {string} spec
 * @returns {Used}
 */
export function usedOf(spec) {
  const at = spec.lastIndexOf('@');
  if (at < 1) throw new Error(`${spec} has no version.`);
  return { name: spec.slice(0, at), version: spec.slice(at + 1) };
}

/**
 * Whether `other` is newer than `version`. Knows three numbers; what follows them counts only if they are the same, as in npm.
 * @param {string} version
 * @param {string} other
 */
export function isNewer(version, other) {
  const [one, two] = [version, other].map((text) => {
    const [numbers = '', ...early] = text.split('-');
    return { numbers: numbers.split('.').map(Number), isEarly: early.length > 0 };
  });
  for (const index of [0, 1, 2]) {
    const by = (two?.numbers[index] ?? 0) - (one?.numbers[index] ?? 0);
    if (by !== 0) return by > 0;
  }
  return one?.isEarly === true && two?.isEarly === false;
}

/**
 * One line for each package that has a newer version.
 * @param {readonly Used[]} used
 * @param {ReadonlyMap<string, string>} newest by name
 */
export function newerOf(used, newest) {
  return used.flatMap(({ name, version }) => {
    const other = newest.get(name);
    return other !== undefined && isNewer(version, other) ? [`${name}: ${version} → ${other}`] : [];
  });
}
