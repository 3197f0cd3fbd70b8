import { lstatSync, realpathSync } from 'node:fs';
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { attempt } from '../../shared/values/attempt';
import { holdsNetwork } from '../../shared/limits/sandboxMode';
import { findOwnProgram } from '../../process/ownProgram';
import type { KeeperStart } from './messages';

/** A name on the disk, whatever characters it has. */
export const literal = (path: string) => ({ path, literal: true as const });

/** Whether a place is a link to a folder that can be changed: the link is watched, and not the folder held. */
export function leadsToShared(path: string, shared: readonly string[]): boolean {
  return attempt(() => lstatSync(path).isSymbolicLink() && shared.includes(realpathSync(path))) === true;
}

/** Returns the library's form of a policy, on Linux and macOS. */
export function runtimeConfig({ policy, temporary, ripgrep }: KeeperStart): SandboxRuntimeConfig {
  const {
    mode,
    folders,
    state,
    shared,
    readOnly,
    unreadable,
    stillReadable = [],
    homes = [],
    hosts,
    localPorts,
    layers = [],
  } = policy;
  // On Linux, they take the place of the caches.
  const caches = process.platform === 'darwin' ? layers.map(({ folder }) => folder) : [];
  const changed = [...folders, ...state, ...shared, ...caches, temporary];
  // On Linux, what can be changed is put back into a home folder that is hidden.
  const alsoReadable = process.platform === 'darwin' && homes.length > 0 ? changed : [];
  const local = localPorts.map((port) => `127.0.0.1:${port}`);
  return {
    // Without a list of hosts, the network stays as it is.
    network: (holdsNetwork(mode)
      ? { allowedDomains: [...hosts, ...local], deniedDomains: [] }
      : {}) as SandboxRuntimeConfig['network'],
    filesystem: {
      denyRead: [...homes, ...unreadable].map(literal),
      allowRead: [...stillReadable, ...alsoReadable].map(literal),
      allowWrite: changed.map(literal),
      denyWrite: readOnly.filter((path) => !leadsToShared(path, shared)).map(literal),
    },
    git: { safeDirectories: [...folders] },
    ...(ripgrep === undefined ? {} : { ripgrep: { command: ripgrep } }),
    ...programs(),
    // Only the keeper's own folder, which is empty.
    mandatoryDenySearchDepth: 1,
    allowPty: true,
  };
}

/** The programs that make the sandbox, found once: a command's own `PATH` doesn't decide about them. */
function programs(): Partial<SandboxRuntimeConfig> {
  const [bwrapPath, socatPath] = ['bwrap', 'socat'].map((name) => findOwnProgram(name));
  return { ...(bwrapPath === undefined ? {} : { bwrapPath }), ...(socatPath === undefined ? {} : { socatPath }) };
}
