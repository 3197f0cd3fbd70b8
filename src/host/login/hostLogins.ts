import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { Logins } from '../../agent/login/logins';
import type { AgentInputs } from '../agents/agentInputs';
import type { LoginSecrets } from './loginSecrets';

/** What asks the user is loaded with the first login. */
const questions = async () => (await import('./loginQuestions')).loginQuestions;

/** Creates the logins of this window, with the editor's terminals, input boxes, and secret storage. */
export function createLogins(
  pool: AgentPool,
  secrets: LoginSecrets,
  resolveLaunch: (spec: AgentSpec, cwd: string) => Promise<AgentLaunch>,
  inputs: AgentInputs,
): Logins {
  return new Logins(pool, {
    openPage: async (...page) => (await questions()).openPage(...page),
    askVariables: async (...method) => (await questions()).askVariables(...method),
    askApiKey: async (...method) => (await questions()).askApiKey(...method),
    askGateway: async (...agent) => (await questions()).askGateway(...agent),
    resolveLaunch,
    runInTerminal: async (...program) => (await import('./loginTerminal')).runInTerminal(...program),
    renewInputs: (spec, signal) => inputs.renew(spec, signal),
    forgetInputs: (spec) => inputs.forget(spec),
    keepVariables: (spec, variables) => secrets.keep(spec, variables),
    variablesOf: (spec) => secrets.variablesOf(spec),
  });
}
