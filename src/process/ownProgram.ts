import { realpathSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { pathKey, wayBelow } from '../disk/paths';
import { attempt } from '../shared/values/attempt';
import { isProgram } from './isProgram';

/** Folders in which agents write. */
let open: () => readonly string[] = () => [];

/** Sets how to find out in which folders agents write: no program of Parley's own is from there. */
export function keepProgramsOutOf(folders: () => readonly string[]): void {
  open = folders;
}

/** Where programs are looked for. Defaults to this machine. */
export interface ProgramPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly open: readonly string[];
  /** Whether there is a program, and where it is after links. */
  isProgram(path: string): boolean;
  realPath(path: string): string | undefined;
}

/** What was found, and the folders in which agents wrote then. */
const found = new Map<string, { readonly path: string; readonly open: string }>();

/**
 * Returns the absolute path of a program that Parley itself runs; undefined if there is none. The folders of `PATH` in which an agent writes are
 * passed over, also behind a link, and so are those that aren't absolute. It's looked for once.
 */
export function ownProgram(name: string): string | undefined {
  const now = open().join('\0');
  const known = found.get(name);
  // No agent can change what is outside of the same folders.
  if (known?.open === now && isProgram(known.path)) return known.path;
  const path = findOwnProgram(name);
  if (path === undefined) found.delete(name);
  else found.set(name, { path, open: now });
  return path;
}

/** See `ownProgram`. Looks each time. */
export function findOwnProgram(name: string, elsewhere: Partial<ProgramPlaces> = {}): string | undefined {
  const places = { ...thisMachine(), ...elsewhere };
  const { env, platform } = places;
  const paths = platform === 'win32' ? win32 : posix;
  // Batch files need a shell, which reads their arguments again.
  const file = platform === 'win32' && paths.extname(name) === '' ? `${name}.exe` : name;
  return foldersOf(env, platform)
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, file))
    .find((path) => places.isProgram(path) && isOutside(path, places));
}

/** The folders of `PATH` in which no agent writes, joined again. */
export function ownPath(elsewhere: Partial<ProgramPlaces> = {}): string {
  const places = { ...thisMachine(), ...elsewhere };
  const { env, platform } = places;
  const paths = platform === 'win32' ? win32 : posix;
  const isOwn = (folder: string) => paths.isAbsolute(folder) && isOutside(folder, places);
  return foldersOf(env, platform).filter(isOwn).join(paths.delimiter);
}

/** Returns an environment in which programs are found only where no agent writes. */
export function withOwnPath(env: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(env).map(([name, value]) => {
    const isPath = process.platform === 'win32' ? name.toUpperCase() === 'PATH' : name === 'PATH';
    return [name, isPath ? ownPath({ env }) : value];
  });
  return Object.fromEntries(own) as Record<string, string>;
}

function foldersOf(env: ProgramPlaces['env'], platform: NodeJS.Platform): string[] {
  if (platform !== 'win32') return (env['PATH'] ?? '').split(posix.delimiter);
  const path = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? '';
  return path.split(win32.delimiter);
}

/** Whether a path is outside of all folders in which agents write, before and after its links. */
function isOutside(path: string, places: ProgramPlaces): boolean {
  const real = places.realPath(path);
  const ways = [path, ...(real === undefined ? [] : [real])];
  return !places.open.some((folder) => ways.some((way) => isWithin(folder, way, places.platform)));
}

function isWithin(folder: string, path: string, platform: NodeJS.Platform): boolean {
  return pathKey(folder, platform) === pathKey(path, platform) || wayBelow(folder, path, platform) !== undefined;
}

function thisMachine(): ProgramPlaces {
  return {
    env: process.env,
    platform: process.platform,
    open: [...open()].flatMap((folder) => [folder, attempt(() => realpathSync(folder)) ?? folder]),
    isProgram: (path) => isProgram(path) && attempt(() => statSync(path).isFile()) === true,
    realPath: (path) => attempt(() => realpathSync(path)),
  };
}
