import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { BinaryTarget, RegistryAgent } from '../../agent/registry/registryAgent';
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
    await replaceFolder(content, folder, join(draft, 'former'));
    // A bare name that isn't in the archive is a system program.
    return { command: isThere ? join(folder, target.cmd) : target.cmd, folder };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeExecutable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return false;
  await chmod(path, 0o755);
  return true;
}

/** Moves a finished folder into place. `former` is where a folder of the same version goes. */
export async function replaceFolder(content: string, folder: string, former: string): Promise<void> {
  // Move the same version aside, because a running process keeps its open files.
  await rename(folder, former).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await rename(content, folder);
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
