import type { AgentPool } from '../../agent/agentPool';
import type { AgentLaunch } from '../../agent/agentProcess';
import type { AgentSpec } from '../../agent/agentSpec';
import { Logins } from '../../agent/logins';
import type { AgentInputs } from '../agents/agentInputs';
import { loginQuestions } from './loginQuestions';
import type { LoginSecrets } from './loginSecrets';
import { runInTerminal } from './loginTerminal';

/** Creates the logins of this window, with the editor's terminals, input boxes, and secret storage. */
export function createLogins(
  pool: AgentPool,
  secrets: LoginSecrets,
  resolveLaunch: (spec: AgentSpec, cwd: string) => Promise<AgentLaunch>,
  inputs: AgentInputs,
): Logins {
  return new Logins(pool, {
    ...loginQuestions,
    resolveLaunch,
    runInTerminal,
    renewInputs: (spec, signal) => inputs.renew(spec, signal),
    forgetInputs: (spec) => inputs.forget(spec),
    keepVariables: (spec, variables) => secrets.keep(spec, variables),
    variablesOf: (spec) => secrets.variablesOf(spec),
  });
}
