import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { attempt } from '../../shared/values/attempt';
import { holdsNetwork } from '../../shared/limits/sandboxMode';
import { windowsHelper } from '../windows/helper';
import type { KeeperStart } from './messages';
import { literal } from './runtimeConfig';

/**
 * Returns the library's form of a policy on Windows, where the agent's account reads and writes only what it is given, and
 * reaches the network only through the proxies. Creates the folders that can't be created inside.
 */
export function windowsConfig({ policy }: KeeperStart, keeperPath: string): SandboxRuntimeConfig {
  const { mode, folders, state, shared, readOnly, unreadable, readable = [], hosts, localPorts } = policy;
  const local = localPorts.map((port) => `127.0.0.1:${port}`);
  return {
    network: { allowedDomains: holdsNetwork(mode) ? [...hosts, ...local] : [], deniedDomains: [] },
    filesystem: {
      denyRead: unreadable.map(literal),
      allowRead: readable.map(literal),
      allowWrite: [...folders, ...state, ...shared].map(literal),
      denyWrite: [...new Set(readOnly.map(existing))].map(literal),
    },
    git: { safeDirectories: [...folders] },
    windows: { srtWin: { path: windowsHelper(keeperPath) } },
  };
}

/**
 * Returns the place itself, or its folder, which is created if it is missing. The library would put an empty file in the
 * place of what is missing, and leave it there.
 */
function existing(path: string): string {
  if (existsSync(path)) return path;
  const folder = dirname(path);
  attempt(() => mkdirSync(folder, { recursive: true }));
  return folder;
}
