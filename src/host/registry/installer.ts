import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { BinaryTarget, RegistryAgent } from '../../agent/registry/registryAgent';
import { isHeld, patiently } from '../../disk/patiently';
import { download, type DownloadPatience, type DownloadProgress } from './download';
import { draftName } from './drafts';
import { RegistryError } from './registryFailures';
import { unpack } from './unpack';

export interface InstallOptions {
  /** The folder of all agents. */
  readonly root: string;
  readonly agent: Pick<RegistryAgent, 'id' | 'name' | 'version'>;
  readonly target: BinaryTarget;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly patience?: DownloadPatience;
}

/** The installed program: its path, or the name of a system program. */
export interface Installed {
  readonly command: string;
  readonly folder: string;
}

/** Returns the folder for a version of an agent. */
export function versionFolder(root: string, { id, version }: Pick<RegistryAgent, 'id' | 'version'>): string {
  return join(root, id, version);
}

/** Downloads an agent and unpacks it into its folder. The folder is complete or doesn't exist, even after a failure. */
export async function install({ root, agent, target, ...options }: InstallOptions): Promise<Installed> {
  const { signal } = options;
  const folder = versionFolder(root, agent);
  const draft = join(root, agent.id, draftName());
  const [file, content] = [join(draft, 'download'), join(draft, 'content')];
  await mkdir(content, { recursive: true });
  try {
    await download(target.archive, file, { ...options, sha256: target.sha256 });
    await unpack({ file, kind: target.kind, folder: content, cmd: target.cmd, signal });
    const isThere = await makeExecutable(join(content, target.cmd));
    if (!isThere && !target.mayBeOfSystem) throw missing(agent.name, target.cmd);
    signal.throwIfAborted();
    await replaceFolder(content, folder, join(draft, 'former'), agent.name);
    // A bare name that isn't in the archive is a system program.
    return { command: isThere ? join(folder, target.cmd) : target.cmd, folder };
  } finally {
    await removeDraft(draft);
  }
}

async function makeExecutable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return false;
  await chmod(path, 0o755);
  return true;
}

/** The moves of a finished folder, which Windows refuses while a program has a file in it. */
export interface Moves {
  readonly platform?: NodeJS.Platform;
  readonly move?: (from: string, to: string) => Promise<void>;
  readonly pause?: (ms: number) => unknown;
}

/**
 * Moves a finished folder into place. `former` is where a folder of the same version goes. If it rejects, the folder of
 * the same version is back in its place. `name` is the agent's.
 */
export async function replaceFolder(
  content: string,
  folder: string,
  former: string,
  name: string,
  { move = rename, ...patience }: Moves = {},
): Promise<void> {
  const insist = (from: string, to: string) => patiently(() => move(from, to), patience);
  try {
    // Move the same version aside, because a running process keeps its open files.
    const hasFormer = await insist(folder, former).then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return false;
      },
    );
    try {
      await insist(content, folder);
    } catch (error) {
      if (hasFormer) await insist(former, folder);
      throw error;
    }
  } catch (error) {
    throw isHeld(error, patience.platform) ? inUse(name) : error;
  }
}

/** Removes a draft if possible. Windows keeps the files of a running program; a later window removes the rest. */
export async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

function inUse(name: string): RegistryError {
  return new RegistryError(
    l10n.t('Another program is using the folder of {0}. Close the sessions of {0} and try again.', name),
  );
}

function missing(name: string, cmd: string): RegistryError {
  return new RegistryError(
    l10n.t(
      'The download for {0} doesn’t contain its program, {1}. Nothing was installed. Contact the agent’s developer.',
      name,
      cmd,
    ),
  );
}
