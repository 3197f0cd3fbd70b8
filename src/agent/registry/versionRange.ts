import { compareVersions } from './compareVersions';

/**
 * Returns whether a version is in a range of npm, such as `^20.19.0 || >=22.12.0`. A range that can't be read counts as
 * met, because npm only warns about it, too.
 */
export function isInRange(version: string, range: string): boolean {
  const bare = version.replace(/^v/, '');
  return range.split('||').some((part) => isInAll(bare, part.trim()));
}

/** Returns the lowest major version that a range allows, such as 22 for `>=22`; undefined if it has none. */
export function lowestMajor(range: string): string | undefined {
  const majors = range.split('||').flatMap((part) => /^\s*(?:>=|\^|~|=|v)?\s*v?(\d+)/.exec(part)?.[1] ?? []);
  return majors.sort((one, other) => Number(one) - Number(other))[0];
}

function isInAll(version: string, part: string): boolean {
  const hyphen = /^v?([\d.]+)\s+-\s+v?([\d.]+)$/.exec(part);
  if (hyphen) return isAtLeast(version, hyphen[1] ?? '') && isAtMost(version, hyphen[2] ?? '');
  return part
    .replace(/(>=|<=|>|<|=|\^|~)\s+/g, '$1')
    .split(/\s+/)
    .every((comparator) => meets(version, comparator));
}

function meets(version: string, comparator: string): boolean {
  const [, sign = '', written = ''] = /^(>=|<=|>|<|=|\^|~)?v?(\d[\w.+-]*|[*xX])?$/.exec(comparator) ?? [];
  const base = written.replace(/(^|\.)[*xX](\..*)?$/, '');
  if (base === '') return true;
  switch (sign) {
    case '>=':
      return isAtLeast(version, base);
    case '>':
      return !isAtMost(version, base);
    case '<':
      return !isAtLeast(version, base);
    case '<=':
      return isAtMost(version, base);
    case '^':
      // Before 1.0.0, a minor version may break.
      return isAtLeast(version, base) && isAtMost(version, leading(base, base.startsWith('0.') ? 2 : 1));
    case '~':
      return isAtLeast(version, base) && isAtMost(version, leading(base, 2));
    default:
      return isAtLeast(version, base) && isAtMost(version, base);
  }
}

function isAtLeast(version: string, base: string): boolean {
  return compareVersions(version, base) >= 0;
}

/** `22.1` includes `22.1.9`. */
function isAtMost(version: string, base: string): boolean {
  const count = base.split('.').length;
  return compareVersions(leading(version, count), base) <= 0;
}

function leading(version: string, count: number): string {
  return version.split('.').slice(0, count).join('.');
}
