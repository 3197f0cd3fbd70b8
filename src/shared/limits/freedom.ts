import type { SandboxMode } from './sandboxMode';

/** What the user allowed in a session without being asked: everything, or what stays inside of its sandbox. */
export type Freedom = 'everything' | 'inSandbox';

/** Returns what a session with this sandbox can be allowed. */
export function freedomIn(sandbox: SandboxMode): Freedom {
  return sandbox === 'off' ? 'everything' : 'inSandbox';
}
