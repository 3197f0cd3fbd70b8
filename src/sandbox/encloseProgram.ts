import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { attempt } from '../shared/values/attempt';
import { compact } from '../shared/values/decodeValue';
import { isBelow } from '../shared/limits/isBelow';
import type { ProcessGuard } from '../shared/limits/processGuard';
import {
  SandboxFailure,
  type FolderLink,
  type GitView,
  type HoldingMode,
  type Sandbox,
} from '../shared/limits/sandbox';
import { allowedPlaces } from './places/allowedPlaces';
import { heldInRepository, heldPlaces, hookFolders, TooMuchToHold, type HeldPlaces } from './places/heldPlaces';
import { useCaches } from './caches/oldCaches';
import { clearLeftovers } from './temporary/leftovers';
import { startSandbox } from './keeper/startSandbox';
import { identifyAgent, type CommandLine } from './agents/identifyAgent';
import { policyOf, type HiddenPlaces } from './places/policy';
import { leftOutOf } from './inside/passedEnvironment';
import { missingNeed } from './sandboxNeeds';
import { sharedGit } from './places/sharedGit';
import { windowsHelper } from './windows/helper';

/** A program ready to start. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are already quoted for `cmd.exe`. */
  readonly windowsVerbatimArguments?: boolean;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where a repository is: its working tree, and its folders of git. */
export interface KnownRepository {
  readonly top: string | undefined;
  readonly gitFolder: string;
  readonly common: string;
}

/** What a program is held to, and what the sandbox is made with. */
export interface EncloseOptions {
  readonly mode: HoldingMode;
  /** Absolute paths that the program can change. */
  readonly folders: readonly string[];
  /** Programs that this one starts and that are held like it: those of a chain. */
  readonly inner: readonly Program[];
  /** Whether the caches and registries of package managers are allowed. */
  readonly packages: boolean;
  /** Paths that the user allows in every sandbox; `~` is the home folder. */
  readonly allowed?: readonly string[];
  /** The folder in which each agent gets a folder of its own for the caches of package managers. */
  readonly caches?: string;
  /** Repositories around the session's folders that were there before the first session. A file that leads to one proves nothing. */
  readonly knownGit?: readonly KnownRepository[];
  /** Resolves to what git inside sees of files that are hidden. Without it, they're only hidden. */
  readonly gitView?: (paths: readonly string[], home: string) => Promise<GitView>;
  /** Set in the mode `ownCopy`, with one folder: the copy. */
  readonly hidden?: HiddenPlaces;
  /** Names of the user's variables that the agent gets besides those that every one does. */
  readonly passed?: readonly string[];
  /** Ports of Parley's own servers, and of those that the user has configured for agents. */
  readonly localPorts: readonly number[];
  /** Ports of servers on this machine that somebody else has configured, such as a workspace. */
  readonly askedPorts?: readonly number[];
  readonly keeperPath: string;
  /** The environment of the user's programs. */
  readonly userEnv: Readonly<Record<string, string>>;
  /**
   * Whether the user chose the program's environment. If not, the one of the user's programs says where the programs that
   * make the sandbox and the agent's own folders are: a workspace or a registry could name any place.
   */
  readonly isUsersChoice: boolean;
  /** The program ripgrep, if it isn't on PATH. */
  readonly ripgrep?: string | undefined;
  readonly guard?: ProcessGuard | undefined;
  /** The folder of the records about what sandboxes put on the disk. */
  readonly records?: string;
  readonly log?: (line: string) => void;
}

/** Resolves to the program inside of its own sandbox; rejects with a `SandboxFailure` that says what is missing. */
export async function encloseProgram<P extends Program>(
  program: P,
  { mode, inner, packages, localPorts, keeperPath, userEnv, ripgrep, guard, log, ...options }: EncloseOptions,
): Promise<P & { readonly sandbox: Sandbox }> {
  const { command: file, args } = program;
  const commands = [program, ...inner].map((one): CommandLine => [one.command, ...one.args]);
  const opened = options.folders.map((folder) => ({ folder, real: realOf(folder) }));
  // The library doesn't let anything be written through a link.
  const folders = [...new Set(opened.map(({ real }) => real))];
  const links = opened.flatMap(({ folder, real }) => (folder === real ? [] : linksOf(folder)));
  const known = identifyAgent(commands, folders);
  const rules = { userEnv, names: options.passed ?? [], agent: known?.name };
  const env = { ...known?.withoutOwnSandbox, ...program.env };
  const deciding = options.isUsersChoice ? env : userEnv;
  const missing = await missingNeed({
    platform: process.platform,
    env: deciding,
    helper: windowsHelper(keeperPath),
    hasRipgrep: ripgrep !== undefined,
  });
  if (missing) {
    const way = missing.line === undefined ? '' : l10n.t('Run this in a terminal: {0}', missing.line);
    throw new SandboxFailure([missing.problem, way].filter(Boolean).join(' '));
  }
  const isWindows = process.platform === 'win32';
  // What keeps an agent there is an account and its rights, which its own set-up takes back.
  const records = isWindows ? undefined : options.records;
  // What was left in the folders by a sandbox that was killed would be held as if the user had made it.
  if (records !== undefined) await clearLeftovers(records);
  const { hidden } = options;
  // Nothing in a copy is the user's: its repository, its hooks, and its settings are the agent's own.
  // HOME there is one of other systems' programs, and not where Windows has the profile.
  const home = isWindows ? homedir() : (deciding['HOME'] ?? homedir());
  const allowed = allowedPlaces(options.allowed ?? [], home).filter((path) => existsSync(path));
  const repositories = hidden ? [] : (options.knownGit ?? []);
  // Without its other files, git would take them for deleted.
  const around = repositories.flatMap(({ top }) => {
    if (top === undefined || isBelow(top, folders) || isBelow(home, [top])) return [];
    const rest = attempt(() => heldPlaces(top, { home }));
    return rest ? [{ top, rest }] : [];
  });
  const isUsable = ({ top }: KnownRepository) =>
    top !== undefined && (isBelow(top, folders) || around.some((one) => one.top === top));
  // Nothing in a copy is the user's: its repository, its hooks, and its settings are the agent's own.
  const ofGit = hidden ? [] : folders.flatMap((folder) => sharedGit(folder) ?? []);
  const ofKnown = repositories.filter(isUsable).flatMap(({ gitFolder, common }) => [realOf(gitFolder), realOf(common)]);
  const shared = [...new Set([...ofGit, ...ofKnown])].filter((git) => !isBelow(git, folders));
  const held = hidden
    ? []
    : [
        ...[...folders, ...allowed.filter(isFolder)].map((folder) => heldIn(folder, home)),
        ...shared.map((git) => heldInShared(git)),
        ...around.map(({ rest }) => ({ readOnly: [], unreadable: rest.unreadable })),
      ];
  const cacheName = agentKey(known?.name, commands);
  if (options.caches !== undefined) await useCaches(options.caches, cacheName, Date.now());
  const isLinux = process.platform === 'linux';
  const unreadable = held.flatMap((places) => places.unreadable);
  const { committed = [], ignored }: Partial<GitView> = (isLinux && (await options.gitView?.(unreadable, home))) || {};
  const policy = policyOf({
    mode,
    folders,
    commands,
    env: deciding,
    home,
    otherHomes: [userEnv['HOME'] ?? homedir()],
    ...(isWindows ? { ownAccount: { programs: [program, ...inner].map(({ command }) => command) } } : {}),
    packages,
    ...(options.caches === undefined ? {} : { caches: join(options.caches, cacheName) }),
    allowed,
    sharedGit: shared,
    held,
    ...(committed.length > 0 ? { committed } : {}),
    ...(ignored === undefined ? {} : { ignored }),
    alsoReadable: around.flatMap(({ top, rest }) => besides(top, [...folders, ...shared, ...rest.unreadable])),
    ...(isLinux && links.length > 0 ? { links } : {}),
    ...compact({ hidden }),
    // The sandbox's own helpers run inside, too.
    programs: [...commands.flat(), keeperPath, process.execPath],
    leftOut: leftOutOf(rules),
    localPorts,
    ...compact({ askedPorts: options.askedPorts }),
  });
  const sandbox = await startSandbox({
    policy,
    keeperPath,
    env: deciding,
    rules,
    ...compact({ ripgrep, guard, records, log }),
  });
  try {
    const wrapped = await sandbox.wrap({ file, args, env });
    const quoting = isWindows ? { windowsVerbatimArguments: false } : {};
    return { ...program, ...quoting, command: wrapped.file, args: wrapped.args, env: wrapped.env, sandbox };
  } catch (error) {
    sandbox.dispose();
    throw error;
  }
}

function heldInShared(git: string): HeldPlaces {
  const readOnly = heldInRepository(git);
  return { readOnly, unreadable: [], placeholders: hookFolders(readOnly) };
}

/** Returns a name of an agent's own folder: the same one at each start. */
function agentKey(name: string | undefined, commands: readonly CommandLine[]): string {
  return name ?? `unknown-${createHash('sha256').update(JSON.stringify(commands)).digest('hex').slice(0, 16)}`;
}

/** Returns where a path leads, after links. */
function realOf(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}

/** Returns the links on the way to a folder, each with where it leads. */
function linksOf(folder: string): FolderLink[] {
  const found: FolderLink[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (attempt(() => lstatSync(at).isSymbolicLink()) !== true) continue;
    const to = attempt(() => realpathSync(at));
    // The folder around may be reached through a link, too.
    const around = attempt(() => realpathSync(dirname(at)));
    if (to !== undefined && around !== undefined) found.push({ path: join(around, basename(at)), to });
  }
  return found;
}

/** Returns what is in a folder besides these places. The library would cover them with the folder itself. */
function besides(folder: string, places: readonly string[]): string[] {
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((name) => {
    const path = join(folder, name);
    if (places.includes(path)) return [];
    return places.some((one) => isBelow(one, [path])) ? besides(path, places) : [path];
  });
}

function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory()) === true;
}

function heldIn(folder: string, home: string): HeldPlaces {
  try {
    return heldPlaces(folder, { home });
  } catch (error) {
    if (!(error instanceof TooMuchToHold)) throw error;
    throw new SandboxFailure(
      l10n.t(
        'The sandbox can’t hold everything in {0}: it has too many folders, or too many guarded files. Open a smaller folder, or choose a sandbox with an own copy.',
        folder,
      ),
      error,
    );
  }
}
