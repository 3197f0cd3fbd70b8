import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { isBelow } from '../../shared/limits/isBelow';

/**
 * Files and folders below the home folder that sandboxed programs can read, besides what they can change: tools, what they have
 * downloaded, and Git's settings. Nothing else of it is visible. Data only; docs/security.md documents the list, and a test compares them.
 */
export const homePlaces: readonly string[] = [
  ...[
    '.gitconfig',
    '.config/git/config',
    '.config/git/ignore',
    '.config/git/attributes',
    '.gitignore',
    '.gitignore_global',
  ],
  ...['.editorconfig', '.tool-versions', '.nvmrc', '.node-version', '.python-version'],
  ...[
    '.local/bin',
    '.local/lib',
    'bin',
    '.local/share/mise',
    '.local/share/uv',
    '.local/share/pipx',
    '.local/share/fnm',
  ],
  ...[
    '.local/share/pnpm',
    '.local/share/virtualenvs',
    '.local/share/pypoetry',
    '.local/pipx',
    '.local/state/nix',
    '.nix-profile',
  ],
  ...['.nvm', '.fnm', '.volta', '.asdf', '.n', '.nodenv', '.deno', '.bun', '.npm-global', '.npm-packages', '.yarn/bin'],
  ...[
    '.pyenv',
    '.virtualenvs',
    '.conda',
    'miniconda3',
    'anaconda3',
    'miniforge3',
    'mambaforge',
    '.rbenv',
    '.rvm',
    '.gem',
  ],
  ...[
    '.rustup',
    '.cargo/bin',
    '.cargo/env',
    '.cargo/config.toml',
    '.cargo/registry',
    '.cargo/git',
    'go',
    '.goenv',
    '.sdkman',
    '.jenv',
  ],
  ...[
    '.m2/repository',
    '.gradle/wrapper',
    '.gradle/caches',
    '.ivy2/cache',
    '.dotnet',
    '.nuget/packages',
    '.composer/vendor',
  ],
  ...[
    '.ghcup',
    '.opam',
    '.juliaup',
    '.julia',
    '.elan',
    '.swiftly',
    '.pub-cache',
    '.linuxbrew',
    'Android/Sdk',
    '.tfenv',
  ],
  ...[
    '.npm/_cacache',
    '.npm/_npx',
    '.cache/pip',
    '.cache/uv',
    '.cache/yarn',
    '.cache/pnpm',
    '.cache/go-build',
    '.cache/node',
  ],
  ...[
    '.cache/ms-playwright',
    '.cache/pre-commit',
    'Library/Caches/ms-playwright',
    'Library/pnpm',
    'Library/Python',
    'Library/Java',
  ],
  'Library/Android/sdk',
];

/** Variables that say where a tool is. */
const toolVariables = [
  ...[
    'VIRTUAL_ENV',
    'CONDA_PREFIX',
    'JAVA_HOME',
    'GOROOT',
    'GOPATH',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'NVM_DIR',
    'FNM_DIR',
    'VOLTA_HOME',
  ],
  ...[
    'PNPM_HOME',
    'BUN_INSTALL',
    'DENO_INSTALL',
    'PYENV_ROOT',
    'RBENV_ROOT',
    'ASDF_DATA_DIR',
    'SDKMAN_DIR',
    'DOTNET_ROOT',
  ],
];

/** What a sandbox is made for, as far as it decides which places of the home folder can be read. */
export interface HomeFacts {
  readonly home: string;
  /** Programs and scripts that run inside. */
  readonly programs: readonly string[];
  /** The user's environment: where tools are. */
  readonly env: Readonly<Record<string, string>>;
  /** What can't be read in any case. */
  readonly secrets: readonly string[];
}

/** Returns the places of a home folder that a sandboxed program can read: those that exist of the list, and where tools and programs are. */
export function readableInHome({ home, programs, env, secrets }: HomeFacts): readonly string[] {
  const listed = homePlaces.map((path) => join(home, path));
  const own = programs
    .filter(isAbsolute)
    .flatMap((program) => [placeOf(program, home), placeOf(realOf(program), home)]);
  const isInHome = (path: string) => path.startsWith(home + sep) && path.length > home.length + 1;
  const named = [...toolsOf(env), ...own].filter((path) => isInHome(path) && !touches(path, secrets));
  return [...new Set([...listed, ...named])].filter((path) => existsSync(path));
}

/** Returns what a sandboxed program can read of folders for temporary files: tools, and programs with their packages. */
export function readableInTemporary(
  folders: readonly string[],
  { programs, env, secrets }: Omit<HomeFacts, 'home'>,
): readonly string[] {
  const own = programs.filter(isAbsolute).flatMap((program) => [packageOf(program), packageOf(realOf(program))]);
  const isThere = (path: string) => folders.some((at) => path !== at && isBelow(path, [at]));
  const named = [...toolsOf(env), ...own].filter((path) => isThere(path) && !touches(path, secrets));
  return [...new Set(named)].filter((path) => existsSync(path));
}

function toolsOf(env: HomeFacts['env']): readonly string[] {
  return [...toolVariables.flatMap((name) => env[name] ?? []), ...(env['PATH'] ?? '').split(delimiter)];
}

/** Returns the package that a program is part of, or its folder. */
function packageOf(program: string): string {
  for (let at = dirname(program); at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, 'package.json'))) return at;
  return dirname(program);
}

/** Returns the folder that a program needs: that of the packages it is among, or its own. */
function placeOf(program: string, home: string): string {
  const packages = program.indexOf(`${sep}node_modules${sep}`);
  if (packages !== -1) return program.slice(0, packages + `${sep}node_modules`.length);
  if (attempt(() => statSync(program))?.isDirectory() === true || dirname(program) === home) return program;
  return dirname(program);
}

function realOf(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}

function touches(path: string, secrets: readonly string[]): boolean {
  return isBelow(path, secrets) || secrets.some((secret) => isBelow(secret, [path]));
}
