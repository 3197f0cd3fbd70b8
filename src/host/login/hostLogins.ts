import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { Logins } from '../../agent/login/logins';
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
