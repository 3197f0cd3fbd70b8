import { isAbsolute, join } from 'node:path';
import type { CacheLayer } from '../../shared/limits/sandbox';
import { isBelow } from '../../shared/limits/isBelow';

/** Where a package manager keeps what it has loaded. */
interface PackageCache {
  /** The name of an agent's own folder for it. */
  readonly name: string;
  /** Its place below the home folder. */
  readonly path: string;
  /** The variable that moves it. */
  readonly variable?: string;
  /** A variable that moves the folder that it is in, and its path there. */
  readonly within?: readonly [variable: string, path: string];
  /** Nothing works if it can't be written. The others are useful to read. */
  readonly isNeeded?: true;
}

const caches: readonly PackageCache[] = [
  { name: 'npm', path: '.npm', variable: 'npm_config_cache', isNeeded: true },
  { name: 'yarn', path: '.cache/yarn', variable: 'YARN_CACHE_FOLDER', isNeeded: true },
  { name: 'yarn-berry', path: '.yarn/berry', variable: 'YARN_GLOBAL_FOLDER', isNeeded: true },
  { name: 'pnpm', path: '.cache/pnpm', isNeeded: true },
  { name: 'pnpm-store', path: '.local/share/pnpm/store', within: ['PNPM_HOME', 'store'], isNeeded: true },
  {
    name: 'bun',
    path: '.bun/install/cache',
    variable: 'BUN_INSTALL_CACHE_DIR',
    within: ['BUN_INSTALL', 'install/cache'],
    isNeeded: true,
  },
  { name: 'deno', path: '.cache/deno', variable: 'DENO_DIR', isNeeded: true },
  { name: 'uv', path: '.cache/uv', variable: 'UV_CACHE_DIR', isNeeded: true },
  { name: 'pipx', path: '.cache/pipx', isNeeded: true },
  { name: 'go-build', path: '.cache/go-build', variable: 'GOCACHE', isNeeded: true },
  { name: 'pip', path: '.cache/pip', variable: 'PIP_CACHE_DIR' },
  { name: 'go-modules', path: 'go/pkg/mod', variable: 'GOMODCACHE', within: ['GOPATH', 'pkg/mod'] },
  { name: 'go-sums', path: 'go/pkg/sumdb', within: ['GOPATH', 'pkg/sumdb'] },
  { name: 'cargo-registry', path: '.cargo/registry', within: ['CARGO_HOME', 'registry'] },
  { name: 'cargo-git', path: '.cargo/git', within: ['CARGO_HOME', 'git'] },
  { name: 'gradle', path: '.gradle/caches', within: ['GRADLE_USER_HOME', 'caches'] },
  { name: 'maven', path: '.m2/repository' },
  { name: 'nuget', path: '.nuget/packages', variable: 'NUGET_PACKAGES' },
  { name: 'composer', path: '.cache/composer', variable: 'COMPOSER_CACHE_DIR' },
];

/** What the caches of an agent are found by. */
export interface CacheFacts {
  /** The agent's own folder for caches. */
  readonly folder: string;
  readonly home: string;
  /** The hidden home folders: only there can another folder take a place that nothing inside can change. */
  readonly homes: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the agent gets all of them, and not only those without which nothing works. */
  readonly all: boolean;
}

/** Returns the agent's own folders that take the place of the user's caches, from which the user's own programs would run what is there. */
export function cacheLayers({ folder, home, homes, env, all }: CacheFacts): readonly CacheLayer[] {
  return caches
    .filter(({ isNeeded }) => all || isNeeded)
    .map((cache) => ({
      folder: join(folder, cache.name),
      place: placeOf(cache, home, env),
      ...(cache.variable === undefined ? {} : { variable: cache.variable }),
    }))
    .filter(({ place }) => homes.some((at) => at !== place && isBelow(place, [at])));
}

function placeOf({ path, variable, within }: PackageCache, home: string, env: CacheFacts['env']): string {
  const own = variable === undefined ? undefined : (env[variable] ?? env[variable.toUpperCase()]);
  if (own !== undefined && isAbsolute(own)) return own;
  const around = within === undefined ? undefined : env[within[0]];
  if (within && around !== undefined && isAbsolute(around)) return join(around, within[1]);
  return join(home, path);
}

/** Returns an environment in which package managers use the agent's own folders, where none can take the place of another. */
export function withCacheVariables(
  env: Readonly<Record<string, string>>,
  layers: readonly CacheLayer[],
): Readonly<Record<string, string>> {
  const named = layers.flatMap(({ folder, variable }) => (variable === undefined ? [] : [[variable, folder] as const]));
  const set = new Set(named.map(([variable]) => variable.toLowerCase()));
  // npm reads its variables in any case.
  const others = Object.entries(env).filter(([name]) => !set.has(name.toLowerCase()));
  return Object.fromEntries([...others, ...named]);
}
