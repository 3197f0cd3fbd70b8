/** Returns whether `candidate` is later than `current`, by the rules of semantic versioning as far as they apply. */
export function isNewer(candidate: string, current: string): boolean {
  return compareVersions(candidate, current) > 0;
}

/**
 * Returns a negative number, zero, or a positive number if `one` is before, equal to, or after `other`. Ignores the
 * part after a `+`.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [split(one), split(other)];
  const numbers = compareLists(left.numbers, right.numbers, '0');
  if (numbers !== 0) return numbers;
  // A prerelease comes before its release.
  if (left.before.length === 0 || right.before.length === 0) return right.before.length - left.before.length;
  return compareLists(left.before, right.before, undefined);
}

function split(version: string): { readonly numbers: readonly string[]; readonly before: readonly string[] } {
  const [, numbers = '', rest = ''] = /^(\d+(?:\.\d+)*)([^+]*)/.exec(version) ?? [];
  const before = rest.split(/[^0-9A-Za-z]+|(?<=[A-Za-z])(?=\d)/).filter((part) => part !== '');
  return { numbers: numbers.split('.'), before };
}

function compareLists(left: readonly string[], right: readonly string[], missing: string | undefined): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index] ?? missing, right[index] ?? missing];
    // The longer one is later.
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const order = compareParts(one, other);
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) {
    const [left, right] = [one.replace(/^0+(?=\d)/, ''), other.replace(/^0+(?=\d)/, '')];
    // Compares numbers of any length, because a timestamp can exceed the number range.
    return left.length - right.length || (left < right ? -1 : Number(left > right));
  }
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
