import type { AgentId } from '../../src/shared/values/ids';
import type { SessionRow } from '../../src/shared/pages/sessionRows';

/** The row above the tries of one task. It stands for no session, so nothing can be done with it but compare them. */
export interface TaskRow extends SessionRow {
  readonly task: string;
  readonly tries: readonly SessionRow[];
}

/** Returns the row above the tries of a task. Undefined if there is only one to see. */
export function taskRow(task: string, rows: readonly SessionRow[]): TaskRow | undefined {
  const tries = rows.filter((row) => row.try?.task === task);
  const [first] = tries;
  if (!first?.try || tries.length < 2) return undefined;
  return {
    id: `task ${task}`,
    task,
    tries,
    title: first.try.message || first.title,
    agentId: '' as AgentId,
    agentName: '',
    place: 'here',
    state: 'idle',
    folder: '',
    at: 0,
    actions: [],
  };
}
