import type { AgentSpec } from './agentSpec';

/** Agents are shared by sessions that would start the very same program in the very same place, and offer it the same. */
export function programKey({ command, args, env, cwd: own, clientCapabilities }: AgentSpec, cwd: string): string {
  const program = JSON.stringify([command, args, env, own, clientCapabilities]);
  const isPlaced = own !== undefined && /^([/~]|[A-Za-z]:[\\/])/.test(own) && !program.includes('${workspaceFolder}');
  return isPlaced ? program : `${program} in ${cwd}`;
}

/** What a user's secrets are bound to: another program of the same name does not get them. */
export function programPrint({ command, args }: Pick<AgentSpec, 'command' | 'args'>): string {
  return JSON.stringify([command, args]);
}
