import type { AuthMethod } from '../acp/decodeAuth';
import type { AgentLaunch } from './agentProcess';
import { locateProgram } from './launch';

/**
 * What runs in the terminal of a login (https://agentclientprotocol.com/protocol/authentication): the agent's own program with the
 * method's arguments after its own, or exactly the command that the method names; both with the method's variables over the
 * agent's. Rejects when the named program is not there.
 */
export async function loginLaunch(
  method: AuthMethod & { readonly type: 'terminal' | 'command' },
  own: AgentLaunch,
): Promise<AgentLaunch> {
  const env = { ...own.env, ...method.env };
  if (method.type === 'terminal') return { ...own, args: [...own.args, ...method.args], env };
  return locateProgram({ command: method.command, args: method.args, env, cwd: own.cwd });
}
