import type { EntryId, SessionId, ToolCallId } from '../../../src/shared/values/ids';
import type { Entry, Transcript } from '../../../src/shared/transcript/transcript';
import { isDoneEdit, isQuiet } from '../../entries/words/toolLabel';
import { estimatedHeight } from './rowHeight';

/** A line of a compact transcript stands for at most so many steps, because all of them are on the page with it. */
const mostSteps = 50;

/** A row of the transcript: an entry with those shown below it, such as the steps of a subagent. */
export interface Row {
  readonly id: EntryId;
  /** The rows of the entries below it, in order. These have none below them. */
  readonly below: Row[];
  /** The height in px with the distance to the row above: estimated until the row leaves the page for the first time. */
  height: number;
  /** Whether its elements are on the page. */
  isShown: boolean;
  /** Its place among its neighbors. */
  index: number;
}

/** Which entries of a transcript are rows, in order, and which are below a row. It knows no elements, so it can be long. */
export class Rows {
  all: Row[] = [];
  private readonly rowOf = new Map<EntryId, Row>();
  private readonly calls = new Map<ToolCallId, EntryId>();
  private readonly subagents = new Map<SessionId, EntryId>();
  private transcript: Transcript | undefined;
  /** The width of the transcript in px, for estimates. */
  width = 400;
  /** Whether all finished steps of a turn fold, and not only runs of reads, searches, and edits. */
  isCompact = false;

  /** Returns the row that an entry is in. */
  get(id: EntryId): Row | undefined {
    return this.rowOf.get(id);
  }

  has(id: EntryId): boolean {
    return this.rowOf.has(id);
  }

  entryOf(row: Row | undefined): Entry | undefined {
    return row && this.transcript?.entries.get(row.id);
  }

  /** Returns the row of an entry itself, which may be below another row. */
  own(id: EntryId): Row | undefined {
    const row = this.rowOf.get(id);
    return row?.id === id ? row : row?.below.find((one) => one.id === id);
  }

  /** Returns the row above an entry, if the entry isn't a row itself. */
  parentOf(id: EntryId): Row | undefined {
    const row = this.rowOf.get(id);
    return row?.id === id ? undefined : row;
  }

  /** Takes over a whole transcript. Rows that stay are the same objects as before. */
  rebuild(transcript: Transcript): void {
    const old = new Map(this.all.flatMap((row) => [row, ...row.below]).map((row) => [row.id, row]));
    this.clear();
    this.transcript = transcript;
    const entries = transcript.order.flatMap((id) => transcript.entries.get(id) ?? []);
    for (const entry of entries) this.learn(entry);
    for (const entry of entries) this.place(entry, old.get(entry.id));
  }

  /** Adds an entry at the end. Returns its row. */
  append(entry: Entry): Row {
    this.learn(entry);
    return this.place(entry, undefined);
  }

  clear(): void {
    this.all = [];
    this.rowOf.clear();
    this.calls.clear();
    this.subagents.clear();
    this.transcript = undefined;
  }

  /** Returns whether two neighbors may be apart: one on the page, the other not. What folds into one line stays together. */
  mayPart(above: Row | undefined, below: Row | undefined): boolean {
    return !(this.folds(above) && this.folds(below) && (!this.isCompact || this.isOneRun(above, below)));
  }

  private folds(row: Row | undefined): boolean {
    const entry = this.entryOf(row);
    if (this.isCompact && entry?.kind === 'agent_thought') return true;
    return entry?.kind === 'tool_call' && (this.isCompact || isQuiet(entry) || isDoneEdit(entry));
  }

  /** Returns whether two neighbors fold into the same line of a compact transcript. */
  private isOneRun(above: Row | undefined, below: Row | undefined): boolean {
    if (!above || !below || this.entryOf(above)?.turn !== this.entryOf(below)?.turn) return false;
    return Math.floor(above.index / mostSteps) === Math.floor(below.index / mostSteps);
  }

  private learn(entry: Entry): void {
    if (entry.kind === 'tool_call') this.calls.set(entry.toolCallId, entry.id);
    else if (entry.kind === 'subagent') this.subagents.set(entry.sessionId, entry.id);
  }

  private place(entry: Entry, old: Row | undefined): Row {
    const parent = this.topOf(entry);
    const above = parent === undefined ? undefined : this.rowOf.get(parent);
    const row = old ?? {
      id: entry.id,
      below: [],
      height: estimatedHeight(entry, this.width),
      isShown: false,
      index: 0,
    };
    if (above && above.id !== entry.id) {
      row.index = above.below.push(row) - 1;
      this.rowOf.set(entry.id, above);
      return above;
    }
    row.below.length = 0;
    row.index = this.all.push(row) - 1;
    this.rowOf.set(entry.id, row);
    return row;
  }

  /** Returns the entry that another one is below. Nested steps are beside their parents, so there is only one level. */
  private topOf(entry: Entry): EntryId | undefined {
    const { entries } = this.transcript ?? {};
    const seen = new Set<EntryId>([entry.id]);
    let top: EntryId | undefined;
    for (let id = this.above(entry); id !== undefined && !seen.has(id);) {
      seen.add(id);
      const next = entries?.get(id);
      if (!next) break;
      top = id;
      id = this.above(next);
    }
    return top;
  }

  private above(entry: Entry): EntryId | undefined {
    const call = entry.kind === 'tool_call' && entry.parent !== undefined ? this.calls.get(entry.parent) : undefined;
    if (call !== undefined && call !== entry.id) return call;
    const subagent = entry.subagent === undefined ? undefined : this.subagents.get(entry.subagent);
    return subagent === entry.id ? undefined : subagent;
  }
}
