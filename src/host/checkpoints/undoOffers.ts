import type { RestoreUndo, UndoLimits } from '../../review/restoreUndo';
import type { Session } from '../../session/session';
import type { EntryId } from '../../shared/ids';
import type { RestoreUndos } from './restoreUndos';
import { interruptedNotice, expiredNotice } from './restoreWords';

/** So many restores can be undone, and so many bytes may their contents have. */
const defaultLimits: UndoLimits = { count: 20, size: 100_000_000 };

/** Keeps what the chats offer to undo and what is there to undo it with the same. */
export class UndoOffers {
  private readonly undos: RestoreUndos;
  private readonly sessions: () => readonly Session[];
  private readonly limits: UndoLimits;

  /** `sessions` are those that are here now. */
  constructor(undos: RestoreUndos, sessions: () => readonly Session[], limits = defaultLimits) {
    this.undos = undos;
    this.sessions = sessions;
    this.limits = limits;
  }

  /** A session is here again: its restores can be undone as before, one that was cut off, too; or the chat says that they cannot. */
  async takeUp(session: Session): Promise<void> {
    const undos = await this.undos.of(session.key);
    const { entries } = session.transcript;
    const kept = new Set(undos.map(({ notice }) => notice));
    for (const id of [...entries.keys()]) if (!kept.has(id)) over(session, id);
    for (const undo of undos) if (!entries.has(undo.notice)) session.addNotice(interruptedNotice(undo), undo.notice);
  }

  /** Keeps of an undo what there is left to undo, and all of them within their limits. */
  async settle(undo: RestoreUndo): Promise<void> {
    if (undo.files.size === 0) await this.undos.remove(undo);
    // What was kept before serves as well: what is as it was is no work.
    else await this.undos.put(undo).catch(() => undefined);
    for (const { session: key, notice } of await this.undos.trim(this.limits)) {
      const session = this.sessions().find((one) => one.key === key);
      if (session) over(session, notice);
    }
  }
}

/** Says of a restore that it cannot be undone any more, where the chat still offers it; answers the sentence. */
export function over(session: Session, notice: EntryId): string | undefined {
  const entry = session.transcript.entries.get(notice);
  if (entry?.kind !== 'notice' || entry.restore !== 'undoable') return undefined;
  const text = expiredNotice(entry);
  session.changeNotice(notice, text);
  return text.description;
}
