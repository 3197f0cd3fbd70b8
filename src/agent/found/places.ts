import { posix, win32 } from 'node:path';

/** The machine to search. */
export interface Searched {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The environment of the user's terminal programs. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where installers put programs without changing PATH, relative to the home folder. */
const ownPlaces = [
  '.local/bin',
  '.npm-global/bin',
  '.bun/bin',
  '.cargo/bin',
  '.opencode/bin',
  '.claude/local',
  '.deno/bin',
  '.volta/bin',
  '.local/share/pnpm',
  'Library/pnpm',
  'bin',
];
const sharedPlaces = ['/usr/local/bin', '/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin', '/snap/bin'];

/**
 * Returns the folders to search, those of PATH first. Relative entries of PATH are skipped, because what they contain
 * depends on the workspace.
 */
export function searchedPlaces({ platform, home, env }: Searched): readonly string[] {
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const value = isWindows ? variable(env, 'PATH') : env['PATH'];
  const onPath = (value ?? '')
    .split(path.delimiter)
    .map((folder) => (isWindows ? folder.replace(/^"(.*)"$/, '$1') : folder))
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.normalize(folder).replace(/(?<=.)[\\/]+$/, ''));
  return [...new Set([...onPath, ...(isWindows ? windowsPlaces(home, env) : posixPlaces(home))])];
}

function posixPlaces(home: string): readonly string[] {
  return [...ownPlaces.map((place) => posix.join(home, place)), ...sharedPlaces];
}

function windowsPlaces(home: string, env: Searched['env']): readonly string[] {
  const below = (name: string, ...places: readonly string[]) => {
    const folder = variable(env, name);
    return folder === undefined ? [] : places.map((place) => win32.join(folder, place));
  };
  return [
    ...below('APPDATA', 'npm'),
    ...below('LOCALAPPDATA', 'Microsoft\\WinGet\\Links', 'pnpm', 'Volta\\bin', 'cursor-agent', 'Programs\\goose'),
    ...['.local\\bin', '.bun\\bin', '.cargo\\bin', '.opencode\\bin', '.claude\\local', 'scoop\\shims'].map((place) =>
      win32.join(home, place),
    ),
  ];
}

/** Windows ignores the case of variables. */
function variable(env: Searched['env'], name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}
