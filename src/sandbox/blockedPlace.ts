import { isAbsolute, normalize } from 'node:path';
import type { Blocked, SandboxPolicy } from '../shared/sandbox';
import type { BlockedPlace } from '../shared/transcript';

/**
 * Returns what to show of something that a sandbox reports as blocked; undefined for hosts, about which a question is
 * shown, and for what the policy allows. A program in the sandbox can cause such reports.
 */
export function blockedPlace(
  { folders, state, shared, readOnly, unreadable }: SandboxPolicy,
  blocked: Blocked,
): BlockedPlace | undefined {
  if (blocked.kind === 'host') return undefined;
  const { kind } = blocked;
  const path = normalize(blocked.path);
  const isBelow = (places: readonly string[]) => places.some((at) => path === at || path.startsWith(`${at}/`));
  if (!isAbsolute(path) || isBelow(['/proc', '/dev', '/sys'])) return undefined;
  if (kind === 'read') return isBelow(unreadable) ? { kind, path } : undefined;
  // What is guarded or secret stays so, whatever the user allows besides.
  if (isBelow(readOnly) || isBelow(unreadable)) return { kind, path };
  return isBelow([...folders, ...state, ...shared]) ? undefined : { kind, path, canAllow: true };
}
