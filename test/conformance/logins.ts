import { AgentError, type Handler, type ScriptedAgent } from './agent';
import { agentName } from './connections';

/** The card in the chat. */
export const card = { role: 'group', name: `Log in to ${agentName}`, exact: true };
/** A button of it. */
export const way = (name: string) => ({ role: 'button', name, exact: true });
/** The answer of an agent that wants a login. */
export const required = () => {
  throw new AgentError(-32000, 'Authentication required');
};

/** How an agent introduces itself that offers these methods. */
export function offers(methods: readonly object[], agentCapabilities: object = {}): Record<string, Handler> {
  return { initialize: () => ({ protocolVersion: 1, agentCapabilities, authMethods: methods }) };
}

/** Refuses these methods until `authenticate` has come. */
export function refuses(...methods: readonly string[]): Record<string, Handler> {
  let isIn = false;
  const gate =
    (answer: Handler): Handler =>
    (...call) =>
      isIn ? answer(...call) : required();
  const answers: Readonly<Record<string, Handler>> = {
    'session/new': () => ({ sessionId: 's1' }),
    'session/prompt': (_params, agent) => {
      agent.say('now it works');
      return { stopReason: 'end_turn' };
    },
    'session/load': () => ({}),
  };
  return {
    ...Object.fromEntries(methods.map((method) => [method, gate(answers[method]!)])),
    authenticate: () => {
      isIn = true;
      return {};
    },
  };
}

/** How many prompts the agent has got. */
export const prompts = (agent: ScriptedAgent) => agent.calls.filter((method) => method === 'session/prompt').length;

/** A login that is there until the case takes it away; without it what it guards is refused. */
export class Gate {
  isIn = true;

  /** These answers while somebody is logged in, and what makes it so. */
  of(answers: Readonly<Record<string, Handler>>): Record<string, Handler> {
    const guarded = Object.entries(answers).map(([method, answer]): [string, Handler] => [
      method,
      (...call) => (this.isIn ? answer(...call) : required()),
    ]);
    return { ...Object.fromEntries(guarded), authenticate: () => void (this.isIn = true) };
  }
}

/** How often the agent was asked for this. */
export const count = (agent: ScriptedAgent, method: string) => agent.calls.filter((one) => one === method).length;
