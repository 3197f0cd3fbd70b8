/**
 * What an agent is held to by the operating system: nothing, its files, its files and its network, or those in a copy of the
 * user's files that it has for itself.
 */
export type SandboxMode = 'off' | 'files' | 'filesAndNetwork' | 'ownCopy';

/** All modes, from the widest to the strictest. */
export const sandboxModes: readonly SandboxMode[] = ['off', 'files', 'filesAndNetwork', 'ownCopy'];

/** Returns the mode that a setting names; undefined for anything else. */
export function toSandboxMode(value: unknown): SandboxMode | undefined {
  return sandboxModes.find((mode) => mode === value);
}

/** Returns whether a mode asks about each host that isn't the agent's own. */
export function holdsNetwork(mode: SandboxMode): boolean {
  return mode === 'filesAndNetwork' || mode === 'ownCopy';
}

/** Returns the strictest of these modes; `off` without any. */
export function strictestMode(...modes: readonly (SandboxMode | undefined)[]): SandboxMode {
  const ranks = modes.map((mode) => (mode === undefined ? 0 : sandboxModes.indexOf(mode)));
  return sandboxModes[Math.max(0, ...ranks)] ?? 'off';
}
