/** What an agent is held to by the operating system: nothing, its files, or its files and its network. */
export type SandboxMode = 'off' | 'files' | 'filesAndNetwork';

/** All modes, from the widest to the strictest. */
export const sandboxModes: readonly SandboxMode[] = ['off', 'files', 'filesAndNetwork'];

/** Returns the mode that a setting names; undefined for anything else. */
export function toSandboxMode(value: unknown): SandboxMode | undefined {
  return sandboxModes.find((mode) => mode === value);
}

/** Returns the strictest of these modes; `off` without any. */
export function strictestMode(...modes: readonly (SandboxMode | undefined)[]): SandboxMode {
  const ranks = modes.map((mode) => (mode === undefined ? 0 : sandboxModes.indexOf(mode)));
  return sandboxModes[Math.max(0, ...ranks)] ?? 'off';
}
