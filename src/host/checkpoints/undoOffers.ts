import type { RestoreUndo, UndoLimits } from '../../review/checkpoints/restoreUndo';
import type { Session } from '../../session/session';
import type { EntryId } from '../../shared/values/ids';
import type { UndoRecords } from '../fileChanges/undoRecords';
import { interruptedNotice, expiredNotice } from './restoreWords';

/** Maximum number of restores that can be undone, and maximum size of their contents in bytes. */
const defaultLimits: UndoLimits = { count: 20, size: 100_000_000 };

/** Keeps the undo offers in the chats consistent with the stored undos. */
export class UndoOffers {
  private readonly undos: UndoRecords;
  private readonly sessions: () => readonly Session[];
  private readonly limits: UndoLimits;

  /** `sessions` returns the open sessions. */
  constructor(undos: UndoRecords, sessions: () => readonly Session[], limits = defaultLimits) {
    this.undos = undos;
    this.sessions = sessions;
    this.limits = limits;
  }

  /**
   * Offers undo for the restores of a reopened session, including interrupted ones. Otherwise, the chat shows that they
   * can no longer be undone. `isGoingOn` resolves to whether the user still merges a file, so that it isn't over.
   */
  async resume(session: Session, isGoingOn = (_: RestoreUndo) => Promise.resolve(false)): Promise<void> {
    const undos = await this.undos.of(session.key);
    const { entries } = session.transcript;
    const kept = new Set(undos.map(({ notice }) => notice));
    for (const id of [...entries.keys()]) if (!kept.has(id)) over(session, id);
    for (const undo of undos) {
      if (entries.has(undo.notice) || (await isGoingOn(undo))) continue;
      session.addNotice(interruptedNotice(undo), undo.notice);
    }
  }

  /** Stores the part of an undo that is still to be done, and keeps all undos within their limits. */
  async settle(undo: RestoreUndo): Promise<void> {
    if (undo.files.size === 0) await this.undos.remove(undo);
    // If the write fails, the previous version also works, because files that already match are skipped.
    else await this.undos.save(undo).catch(() => undefined);
    for (const { session: key, notice } of await this.undos.trim(this.limits)) {
      const session = this.sessions().find((one) => one.key === key);
      if (session) over(session, notice);
    }
  }
}

/** Marks a restore as no longer undoable if the chat still offers it. Returns the text. */
export function over(session: Session, notice: EntryId): string | undefined {
  const entry = session.transcript.entries.get(notice);
  if (entry?.kind !== 'notice' || entry.restore !== 'undoable') return undefined;
  const text = expiredNotice(entry);
  session.changeNotice(notice, text);
  return text.description;
}
