import { isAbsolute, join } from 'node:path';
import type { FileState } from '../../../review/files/fileState';
import { lineOfSnippet } from '../../../review/lines/snippetPlace';
import type { Session } from '../../../session/session';
import type { ToolCallContent } from '../../../shared/transcript/content';
import { Disposable } from '../../../shared/values/disposable';
import type { EntryId } from '../../../shared/values/ids';
import type { TranscriptOp } from '../../../shared/transcript/ops';
import { isUnfinished } from '../../../shared/transcript/toolCallStatus';
import type { ToolCallEntry } from '../../../shared/transcript/transcript';
import { eachSession, type SessionPool } from '../../base/eachSession';

type Diff = Extract<ToolCallContent, { type: 'diff' }>;

/** The texts of a file that may contain a snippet. */
export interface FileTexts {
  /** The text that the user sees now. */
  readonly present: (path: string) => Promise<FileState>;
  /** The text before the pending changes. */
  readonly base: (path: string) => FileState | undefined;
}

/**
 * Finds the line numbers of tool call diffs in their files, because Copilot, opencode, Kilo, and Codex send only the
 * changed piece without its position. Looks up each diff when it arrives, and one that it didn't find again when the call
 * has ended: it may be based on a change that an agent announced before.
 */
export class DiffLines extends Disposable {
  private readonly texts: FileTexts;

  constructor(pool: SessionPool<Session>, texts: FileTexts) {
    super();
    this.texts = texts;
    this.register(
      eachSession(pool, (session) =>
        session.onDidApply((ops) => {
          for (const id of new Set(ops.flatMap(callsIn))) this.look(session, id, undefined);
          for (const id of new Set(ops.flatMap(endsIn))) this.look(session, id, unknownLine);
        }),
      ),
    );
  }

  /** Looks up the diffs of a call whose line is the given one. */
  private look(session: Session, id: EntryId, line: number | undefined): void {
    const entry = session.transcript.entries.get(id);
    if (entry?.kind !== 'tool_call') return;
    for (const item of entry.content) {
      // A created file starts at its first line.
      if (item.type !== 'diff' || item.line !== line || (item.oldText ?? '') === '') continue;
      void this.place(session, entry, item);
    }
  }

  private async place(session: Session, entry: ToolCallEntry, diff: Diff): Promise<void> {
    const { cwd } = session.transcript.view;
    const path = isAbsolute(diff.path) ? diff.path : join(cwd, diff.path);
    const near = entry.locations.find((location) => location.path === diff.path)?.line;
    const how = {
      hasHappened: !isUnfinished(entry.status),
      ...(near === undefined ? {} : { near }),
    };
    // An unreadable file has no lines.
    const present = await this.texts.present(path).catch(() => undefined);
    const line = [present, this.texts.base(path)]
      .map((state) => (state?.kind === 'text' ? lineOfSnippet(state.text, diff, how) : unknownLine))
      .find((found) => found !== unknownLine);
    session.placeDiff(entry.id, diff, line ?? unknownLine);
    const now = session.transcript.entries.get(entry.id);
    const hasEndedSince = !how.hasHappened && now?.kind === 'tool_call' && !isUnfinished(now.status);
    if (line === undefined && hasEndedSince) this.look(session, entry.id, unknownLine);
  }
}

/** The line of a diff whose place is unknown. */
const unknownLine = 0;

function endsIn(op: TranscriptOp): readonly EntryId[] {
  if (op.op !== 'patch' || op.kind !== 'tool_call') return [];
  const { status } = op.fields;
  return status !== undefined && !isUnfinished(status) ? [op.id] : [];
}

function callsIn(op: TranscriptOp): readonly EntryId[] {
  if (op.op === 'insert' || op.op === 'replace') return op.entry.kind === 'tool_call' ? [op.entry.id] : [];
  return op.op === 'patch' && op.kind === 'tool_call' && op.fields.content !== undefined ? [op.id] : [];
}
