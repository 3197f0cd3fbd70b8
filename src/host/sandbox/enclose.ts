import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { GitPlace } from '../../git/gitPlace';
import { gitViewOf } from '../../git/gitView';
import type { ProcessGuard } from '../../shared/limits/processGuard';
import { holdsNetwork } from '../../shared/limits/sandboxMode';
import { scrubEnvironment } from '../../process/scrubEnvironment';
import { rootsBeside, workspaceRoots } from '../base/folders';
import type { Log } from '../log/log';
import { enclosedInCopy } from './enclosedInCopy';

/** Returns the editor's own ripgrep, wherever this version has it. */
export function editorsRipgrep(): string | undefined {
  const own = [join('ripgrep', 'bin'), join('ripgrep-universal', 'bin', `${process.platform}-${process.arch}`)];
  return ['node_modules', 'node_modules.asar.unpacked']
    .flatMap((folder) => own.map((at) => join(vscode.env.appRoot, folder, '@vscode', at, 'rg')))
    .find((path) => existsSync(path));
}

/** Returns the script of the process that has an agent's sandbox. */
export function keeperPath(extensionPath: string): string {
  return join(extensionPath, 'dist', 'sandboxKeeper.js');
}

/** Clears what sandboxes of windows that were killed have left. Resolves at once if there is nothing. Never rejects. */
export async function clearKilledSandboxes(records: string): Promise<void> {
  if (((await readdir(records).catch(() => undefined)) ?? []).length === 0) return;
  const { clearLeftovers } = await import('../../sandbox/sandboxes');
  await clearLeftovers(records);
}

/** What a sandbox of this window needs. */
export interface EncloseNeeds {
  readonly extensionPath: string;
  readonly guard: ProcessGuard;
  /** The folder of the records about what sandboxes put on the disk. */
  readonly records: string;
  /** The folder in which each agent gets its own caches for package managers. */
  readonly caches: string;
  readonly packages: () => boolean;
  /** Returns what the user allows in every sandbox. */
  readonly allowed: () => readonly string[];
  /** Returns the names of variables that the user passes to every sandbox. */
  readonly passed: () => readonly string[];
  /** Resolves to the port of the editor's tools, if the agent gets them. */
  readonly toolsPort: (spec: AgentSpec) => Promise<number | undefined>;
  /** Resolves to the ports of MCP servers on this machine that sessions in a folder may get. */
  readonly serverPorts: (
    spec: AgentSpec,
    cwd: string,
  ) => Promise<{ readonly ofUser: readonly number[]; readonly others: readonly number[] }>;
  /** Resolves to the environment of the user's programs. */
  readonly environment: () => Promise<{ readonly env: Readonly<Record<string, string>> }>;
  /** Resolves to the repositories of folders that were there before the first session. */
  readonly knownGit: (folders: readonly string[]) => Promise<readonly GitPlace[]>;
  readonly log: Pick<Log, 'info'>;
}

/** Returns what puts an agent into its sandbox: it rejects if there can't be one. The code is loaded on first use. */
export function createEnclose({
  extensionPath,
  guard,
  records,
  caches,
  packages,
  allowed,
  passed,
  toolsPort,
  serverPorts,
  environment,
  knownGit,
  log,
}: EncloseNeeds) {
  return async (spec: AgentSpec, cwd: string, launch: AgentLaunch): Promise<AgentLaunch> => {
    const { sandbox: mode } = spec;
    if (mode === undefined || mode === 'off') return launch;
    const copy = mode === 'ownCopy' ? await enclosedInCopy(cwd, launch.cwd, workspaceRoots()) : undefined;
    const { encloseProgram } = await import('../../sandbox/sandboxes');
    const isUsersChoice = spec.source !== 'registry' && spec.isOfWorkspace !== true;
    const port = holdsNetwork(mode) ? await toolsPort(spec) : undefined;
    const servers = holdsNetwork(mode) ? await serverPorts(spec, cwd) : { ofUser: [], others: [] };
    const inPlace = copy ? { ...launch, cwd: copy.cwd } : launch;
    return encloseProgram(inPlace, {
      mode,
      // A workspace could name any folder as the one that its agent starts in.
      folders: copy?.folders ?? [
        cwd,
        ...(isUsersChoice ? [launch.cwd] : []),
        ...(spec.sandboxFolders ?? rootsBeside(cwd, workspaceRoots())),
      ],
      ...(copy ? { hidden: copy.hidden } : {}),
      knownGit: copy ? [] : await knownGit([cwd, ...rootsBeside(cwd, workspaceRoots())]),
      gitView: gitViewOf,
      inner: launch.chain ?? [],
      packages: packages(),
      allowed: allowed(),
      // A workspace and a registry could name any variable of the user.
      passed: [...passed(), ...(isUsersChoice ? Object.keys({ ...spec.chain?.env, ...spec.env }) : [])],
      localPorts: [...(port === undefined ? [] : [port]), ...servers.ofUser],
      askedPorts: servers.others,
      userEnv: scrubEnvironment((await environment()).env),
      isUsersChoice,
      keeperPath: keeperPath(extensionPath),
      ripgrep: editorsRipgrep(),
      guard,
      records,
      caches,
      log: (line) => log.info(line),
    });
  };
}
