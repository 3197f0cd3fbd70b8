import type { AuthMethod } from '../../acp/decode/decodeAuth';
import type { AgentLaunch } from '../process/agentProcess';
import { locateProgram } from '../launch/launch';

/**
 * Resolves to the command for the terminal of a login (https://agentclientprotocol.com/protocol/authentication): the
 * agent's own program with the method's arguments after its own, or exactly the method's command. Behind proxies, the
 * agent's own program is the last of the chain. Both get the method's variables over the agent's. Rejects if the program wasn't found.
 */
export async function loginLaunch(
  method: AuthMethod & { readonly type: 'terminal' | 'command' },
  own: AgentLaunch,
): Promise<AgentLaunch> {
  const env = { ...own.env, ...method.env };
  if (method.type === 'terminal') {
    const last = own.chain?.at(-1) ?? own;
    return { ...last, args: [...last.args, ...method.args], env };
  }
  return locateProgram({ command: method.command, args: method.args, env, cwd: own.cwd });
}
