import { isRecord } from '../../shared/values/isRecord';

/** What runs after a turn that changed files. */
export interface Check {
  readonly kind: 'command' | 'task';
  /** The command line, or the name of the task. */
  readonly name: string;
  /** How many failures in a row the agent is told about, before the user has to say something. */
  readonly sendFailures: number;
}

const mostSends = 10;

/** Reads `parley.afterTurn` for an agent. What is said for the agent by name replaces the rest. Undefined if nothing runs. */
export function checkAfterTurn(value: unknown, agentName: string): Check | undefined {
  if (!isRecord(value)) return undefined;
  const { agents, ...others } = value;
  const own = isRecord(agents) && Object.hasOwn(agents, agentName) ? agents[agentName] : undefined;
  const chosen = isRecord(own) ? own : {};
  const hasProgram = 'command' in chosen || 'task' in chosen;
  const { command, task } = hasProgram ? chosen : others;
  const name = textOf(command) ?? textOf(task);
  if (name === undefined) return undefined;
  const sends = chosen['sendFailures'] ?? others['sendFailures'];
  const sendFailures = typeof sends === 'number' && sends > 0 ? Math.min(mostSends, Math.floor(sends)) : 0;
  return { kind: textOf(command) === undefined ? 'task' : 'command', name, sendFailures };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}
