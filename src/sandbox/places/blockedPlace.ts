import { isAbsolute, normalize } from 'node:path';
import type { Blocked, SandboxPolicy } from '../../shared/limits/sandbox';
import type { BlockedPlace } from '../../shared/transcript/transcript';
import { isOffered } from './allowedPlaces';
import { isBelow } from '../../shared/limits/isBelow';

/**
 * Returns what to show of something that a sandbox reports as blocked; undefined for hosts, about which a question is
 * shown, for what was lost, and for what the policy allows. A program in the sandbox can cause such reports.
 */
export function blockedPlace(
  { folders, state, shared, readOnly, unreadable }: SandboxPolicy,
  blocked: Blocked,
  home: string,
): BlockedPlace | undefined {
  if (blocked.kind === 'host' || blocked.kind === 'lost') return undefined;
  const { kind } = blocked;
  const path = normalize(blocked.path);
  if (!isAbsolute(path) || isBelow(path, ['/proc', '/dev', '/sys'])) return undefined;
  if (kind === 'read') return isBelow(path, unreadable) ? { kind, path } : undefined;
  // What is guarded or secret stays so, whatever the user allows besides.
  if (isBelow(path, [...readOnly, ...unreadable])) return { kind, path };
  if (isBelow(path, [...folders, ...state, ...shared])) return undefined;
  return isOffered(path, home) ? { kind, path, canAllow: true } : { kind, path };
}
