import { compact } from '../../shared/values/decodeValue';
import { isRecord } from '../../shared/values/isRecord';
import { safeEntryPath } from './entryPath';

/** What npm reports about one version of a package. */
export interface NpmFacts {
  readonly name: string;
  readonly version: string;
  /** The program's path in the package, with forward slashes. */
  readonly program: string;
  /** The range of Node.js versions that the package supports. */
  readonly node?: string;
  readonly integrity?: string;
}

/**
 * Reads the answer of `npm view --json`, or a `package.json`. Undefined if there is no such program. `cmd` is the name of
 * the program; by default the only one, or the one with the package's name.
 */
export function decodeNpmFacts(value: unknown, cmd?: string): NpmFacts | undefined {
  // A list has one entry for each version that fits.
  const entry: unknown = Array.isArray(value) ? value.at(-1) : value;
  if (!isRecord(entry)) return undefined;
  const { name, version, bin, engines } = entry;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  const program = programOf(name, bin, cmd);
  if (program === undefined) return undefined;
  const node = isRecord(engines) && typeof engines['node'] === 'string' ? engines['node'] : undefined;
  const integrity = entry['dist.integrity'];
  return {
    name,
    version,
    program,
    ...compact({ node }),
    ...(typeof integrity === 'string' && { integrity }),
  };
}

/** Splits a package with an exact version. */
export function nameAndVersion(pinned: string): { readonly name: string; readonly version: string } {
  const at = pinned.lastIndexOf('@');
  return { name: pinned.slice(0, at), version: pinned.slice(at + 1) };
}

function programOf(name: string, bin: unknown, cmd: string | undefined): string | undefined {
  const own = name.replace(/^@[^/]*\//, '');
  const programs = typeof bin === 'string' ? { [own]: bin } : isRecord(bin) ? bin : {};
  const names = Object.keys(programs);
  const chosen = cmd ?? (names.length === 1 ? names[0] : own);
  const path = chosen !== undefined && Object.hasOwn(programs, chosen) ? programs[chosen] : undefined;
  const safe = typeof path === 'string' ? safeEntryPath(path) : undefined;
  return safe === '' ? undefined : safe;
}
