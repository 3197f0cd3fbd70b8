import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { compact } from '../../shared/values/decodeValue';
import type { CommittedFile, FolderLink, HoldingMode, SandboxPolicy } from '../../shared/limits/sandbox';
import { holdsNetwork } from '../../shared/limits/sandboxMode';
import { cacheLayers } from '../caches/packageCaches';
import { configuredServers, portsInSettings } from '../agents/configuredServers';
import { readableInHome, readableInTemporary } from './homePlaces';
import { isBelow } from '../../shared/limits/isBelow';
import { heldPrograms } from '../agents/heldPrograms';
import type { HeldPlaces } from './heldPlaces';
import { identifyAgent, isPackageRunner, type CommandLine } from '../agents/identifyAgent';
import { knownAgents, movedState, stateOf } from '../agents/knownAgents';
import { temporaryFolders } from '../temporary/scratch';
import { secretPlaces } from './secretPlaces';

/** What a policy is made of. */
export interface PolicyFacts {
  readonly mode: HoldingMode;
  readonly folders: readonly string[];
  /** The program of the agent and its arguments; of a chain, those of all its programs. */
  readonly commands: readonly CommandLine[];
  /** The environment that says where the agent's folders and servers are. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** Further home folders, whose secrets can't be read either: the user's own, if the agent has another one. */
  readonly otherHomes?: readonly string[];
  /** Whether the agent gets caches for all package managers, and reaches their registries. */
  readonly packages: boolean;
  /** The agent's own folder for caches. Without it, it has none. */
  readonly caches?: string;
  /** Paths that the user allows in every sandbox. */
  readonly allowed?: readonly string[];
  /** Folders of git that worktrees share with their repositories. */
  readonly sharedGit: readonly string[];
  /** What is held inside of the folders above. */
  readonly held: readonly HeldPlaces[];
  /** What git has of files that can't be read. */
  readonly committed?: readonly CommittedFile[];
  /** Patterns that git ignores. */
  readonly ignored?: string;
  /** Folders outside of the others that programs can read: the rest of a repository. */
  readonly alsoReadable?: readonly string[];
  /** Links through which the folders were opened. */
  readonly links?: readonly FolderLink[];
  /** Ports of Parley's own servers, and of those that the user has configured for agents. */
  readonly localPorts: readonly number[];
  /** Ports of servers on this machine that somebody else has configured, such as a workspace. */
  readonly askedPorts?: readonly number[];
  /** Programs and scripts that run inside. Set if only known places of the home folder are visible. */
  readonly programs?: readonly string[];
  /** Names of the user's variables that stay outside. */
  readonly leftOut?: readonly string[];
  /** Set if the agent works in a copy of its own. */
  readonly hidden?: HiddenPlaces;
  /**
   * Set if the agent runs as an account of its own, as on Windows: with the paths of its programs. The account has a profile
   * of its own for what programs keep, and no rights in the user's.
   */
  readonly ownAccount?: { readonly programs: readonly string[] };
}

/** What an agent in a copy of its own can't see: the user's folders, and those of Parley's other copies. */
export interface HiddenPlaces {
  readonly unreadable: readonly string[];
  /** Folders inside of them that can be read. */
  readonly stillReadable: readonly string[];
}

const packageRegistries = [
  'registry.npmjs.org:443',
  'registry.yarnpkg.com:443',
  'pypi.org:443',
  'files.pythonhosted.org:443',
  'crates.io:443',
  'index.crates.io:443',
  'static.crates.io:443',
  'proxy.golang.org:443',
  'sum.golang.org:443',
  'rubygems.org:443',
  'repo.maven.apache.org:443',
  'repo1.maven.org:443',
  'plugins.gradle.org:443',
];

/** Returns what an agent is held to. */
export function policyOf(facts: PolicyFacts): SandboxPolicy {
  const { mode, folders, commands, env, home, held, ownAccount, hidden } = facts;
  const agent = identifyAgent(commands, folders);
  const state = agent ? [...new Set(ownAccount ? movedState(agent, env) : stateOf(agent, home, env))] : [];
  const usesPackages = facts.packages || commands.some(([program]) => isPackageRunner(program));
  const secrets = [...new Set([home, ...(facts.otherHomes ?? [])])].flatMap((one) => [
    ...secretPlaces.map((path) => join(one, path)),
    ...knownAgents.filter((other) => other !== agent).flatMap((other) => stateOf(other, one, {})),
  ]);
  const homes = hiddenHomes(facts);
  const programs = facts.programs ?? [];
  const own = ownAccount ? [] : heldPrograms({ agent, state, programs, env });
  const inTemporary = process.platform === 'linux' ? temporaryFolders(tmpdir()) : [];
  const readable = [
    ...homes.flatMap((one) => readableInHome({ home: one, programs, env, secrets })),
    ...readableInTemporary(inTemporary, { programs, env, secrets: [...secrets, ...homes] }),
  ];
  const unreadable = ownAccount ? [] : secrets.filter((path) => !isPartOf(path, state));
  const configured = holdsNetwork(mode) ? configuredServers(env) : [];
  const localPorts = [
    ...new Set([...facts.localPorts, ...configured.flatMap(({ port, isLocal }) => (isLocal ? port : []))]),
  ];
  const named = holdsNetwork(mode) ? [...(facts.askedPorts ?? []), ...portsInSettings(state)] : [];
  const askedPorts = [...new Set(named)].filter((port) => !localPorts.includes(port));
  return {
    mode,
    folders,
    state,
    shared: [...facts.sharedGit, ...(facts.allowed ?? []).filter((path) => !isPartOf(path, hidden?.unreadable ?? []))],
    ...(facts.caches === undefined || homes.length === 0
      ? {}
      : {
          layers: cacheLayers({ folder: facts.caches, home, homes, env, all: facts.packages }).filter(
            ({ place }) =>
              !isPartOf(place, [...(facts.allowed ?? []), ...state, ...folders]) && !isAround(place, programs),
          ),
        }),
    readOnly: [...held.flatMap(({ readOnly }) => readOnly), ...own],
    unreadable: [...unreadable, ...held.flatMap((places) => places.unreadable), ...(hidden?.unreadable ?? [])],
    placeholders: held.flatMap((places) => places.placeholders ?? []),
    homes,
    stillReadable: [...readable, ...(facts.alsoReadable ?? []), ...(hidden?.stillReadable ?? [])],
    ...(hidden ? { sealed: hidden.unreadable } : {}),
    ...(ownAccount ? { readable: neededOf(ownAccount.programs, home, secrets) } : {}),
    ...compact({ committed: facts.committed, ignored: facts.ignored, links: facts.links }),
    ...(facts.leftOut ? { leftOut: facts.leftOut } : {}),
    hosts: [
      ...new Set([
        ...(agent?.hosts ?? []),
        ...(usesPackages ? packageRegistries : []),
        ...configured.flatMap(({ host, port, isLocal }) => (isLocal ? [] : `${host}:${port}`)),
      ]),
    ],
    ...(holdsNetwork(mode) && agent?.updateHosts ? { updateHosts: agent.updateHosts } : {}),
    localPorts,
    ...(askedPorts.length > 0 ? { askedPorts } : {}),
  };
}

/** The file with the user's name for commits, in the home folder. */
export const gitSettings = '.gitconfig';

/** Returns what an account without rights in the home folder needs there: the folders of programs, and Git's settings. */
function neededOf(programs: readonly string[], home: string, secrets: readonly string[]): string[] {
  const folders = programs.map((program) => dirname(program)).filter((folder) => folder.startsWith(home + sep));
  const needed = new Set(folders.filter((folder) => !isPartOf(folder, secrets)));
  return [...needed, join(home, gitSettings)];
}

/** Returns the home folders that are hidden: not one that is in a session's folder, which the agent sees anyway. */
function hiddenHomes({ home, otherHomes = [], folders, programs, ownAccount }: PolicyFacts): string[] {
  if (!programs || ownAccount) return [];
  const all = [...new Set([home, ...otherHomes])];
  return all.filter((one) => dirname(one) !== one && existsSync(one) && !isBelow(one, folders));
}

/** Whether one of these programs is in a place, before or after links. */
function isAround(place: string, programs: readonly string[]): boolean {
  return programs.some((path) => isBelow(path, [place]) || isBelow(attempt(() => realpathSync(path)) ?? path, [place]));
}

function isPartOf(path: string, state: readonly string[]): boolean {
  return state.some((own) => own === path || own.startsWith(path + sep) || path.startsWith(own + sep));
}
