import { isRecord } from '../../shared/values/isRecord';
import type { AgentMark } from './sessionRows';

/** Where the marks are stored. */
interface MarkMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const memoryKey = 'parley.agentSessionMarks';
/** Maximum number of marked sessions. The oldest marks are removed. */
const maxMarks = 2000;

/**
 * What the user decided about sessions that only agents store: pinned, archived, or deleted. It works with every agent,
 * whatever the agent itself can do.
 */
export class AgentMarks {
  private readonly memory: MarkMemory;
  private readonly marks: Map<string, AgentMark>;

  constructor(memory: MarkMemory) {
    this.memory = memory;
    const stored = memory.get(memoryKey);
    this.marks = new Map(isRecord(stored) ? Object.entries(stored).filter(isMark) : []);
  }

  of(mark: string): AgentMark | undefined {
    return this.marks.get(mark);
  }

  /** Changes marks of a session. The others stay. */
  async set(mark: string, changes: { readonly [Name in keyof AgentMark]?: boolean }): Promise<void> {
    const all = { ...this.marks.get(mark), ...changes };
    const left = Object.fromEntries(Object.entries(all).filter(([, isSet]) => isSet));
    this.marks.delete(mark);
    if (Object.keys(left).length > 0) this.marks.set(mark, left);
    for (const oldest of [...this.marks.keys()].slice(0, Math.max(0, this.marks.size - maxMarks))) {
      this.marks.delete(oldest);
    }
    await this.memory.update(memoryKey, Object.fromEntries(this.marks));
  }
}

function isMark(entry: [string, unknown]): entry is [string, AgentMark] {
  return isRecord(entry[1]) && Object.values(entry[1]).every((value) => value === true);
}
