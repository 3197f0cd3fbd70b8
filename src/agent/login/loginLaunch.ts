import * as l10n from '@vscode/l10n';
import type { AuthMethod } from '../../acp/decode/decodeAuth';
import type { AgentLaunch } from '../process/agentProcess';
import type { Sandbox } from '../../shared/limits/sandbox';
import { reservedVariable } from '../base/reservedVariables';
import { locateProgram } from '../launch/launch';

/**
 * Resolves to the command for the terminal of a login (https://agentclientprotocol.com/protocol/authentication): the
 * agent's own program with the method's arguments after its own, or exactly the method's command. Behind proxies, the
 * agent's own program is the last of the chain. Both get the method's variables over the agent's. Rejects if the program wasn't found, or
 * if a variable makes a program load or start something else than the command shows.
 */
export async function loginLaunch(
  method: AuthMethod & { readonly type: 'terminal' | 'command' },
  own: AgentLaunch,
): Promise<AgentLaunch> {
  const reserved = reservedVariable(method.env);
  if (reserved !== undefined) {
    const words = l10n.t(
      'The agent sets the variable {0} for it, which can start other programs. Report this to the agent’s maker.',
      reserved,
    );
    throw new Error(words);
  }
  const env = { ...own.env, ...method.env };
  if (method.type === 'terminal') {
    const last = own.chain?.at(-1) ?? own;
    return { ...last, args: [...last.args, ...method.args], env };
  }
  return locateProgram({ command: method.command, args: method.args, env, cwd: own.cwd });
}

/** Resolves to a login's program as it runs in the sandbox of its agent. Rejects with a `SandboxFailure`. */
export async function loginInside(sandbox: Pick<Sandbox, 'wrap'>, launch: AgentLaunch): Promise<AgentLaunch> {
  const { command, args, env, ...place } = launch;
  const wrapped = await sandbox.wrap({ file: command, args, env });
  const quoting = launch.windowsVerbatimArguments === true ? { windowsVerbatimArguments: false } : {};
  return { ...place, ...quoting, command: wrapped.file, args: wrapped.args, env: wrapped.env };
}
