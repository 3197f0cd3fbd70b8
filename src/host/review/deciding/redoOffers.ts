import type { Author } from '../../../review/hunks/hunk';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import type { RedoOffer } from '../../../shared/changes/review';
import type { DiskChanges } from '../recording/diskChanges';
import { takeBack } from './takeBack';
import type { UndoneFile } from '../../fileChanges/undoneFiles';

/** What the user undid of a session's changes at once. It can be redone until the session's next turn, which works on without it. */
export class RedoOffers extends Disposable {
  private readonly log: ReviewLog;
  private readonly disk: DiskChanges;
  private readonly offers = new Map<SessionKey, readonly UndoneFile[]>();
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(log: ReviewLog, disk: DiskChanges) {
    super();
    this.log = log;
    this.disk = disk;
    this.register(
      disk.undone.onDidChange(({ files, isBack }) => {
        if (!isBack) return;
        for (const [session, offered] of this.offers)
          if (offered.some((file) => files.includes(file))) this.forget(session);
      }),
    );
  }

  /** What can be redone of a session. */
  of(session: SessionKey): RedoOffer | undefined {
    const files = this.offers.get(session);
    if (!files) return undefined;
    return { files: files.length, turn: Math.max(...files.flatMap((file) => turnsOf(file, session))) };
  }

  /** The sessions that are offered to redo any of these files. */
  offeredOf(files: readonly UndoneFile[]): readonly SessionKey[] {
    return [...this.offers].flatMap(([session, offered]) =>
      offered.some((file) => files.includes(file)) ? [session] : [],
    );
  }

  /** Offers again, after a reload, what was undone of a session. */
  restore(session: SessionKey, files: readonly UndoneFile[]): void {
    const own = files.filter((file) => turnsOf(file, session).length > 0);
    if (own.length === 0 || this.offers.has(session)) return;
    this.offers.set(session, own);
    this.changed.fire();
  }

  /** Offers to redo what is undone while `undo` runs. Resolves to the number of files. */
  async offering(undo: () => Promise<void>): Promise<number> {
    const { undone } = this.disk;
    const before = undone.last;
    await undo();
    const files = undone.last === before ? [] : (undone.last?.files ?? []);
    for (const session of new Set(files.flatMap(sessionsOf))) {
      this.offers.set(
        session,
        files.filter((file) => turnsOf(file, session).length > 0),
      );
    }
    if (files.length > 0) this.changed.fire();
    return files.length;
  }

  /** Makes what was undone of a session wait for review again. */
  async redo(session: SessionKey): Promise<void> {
    const files = this.offers.get(session);
    if (files) await takeBack(this.log, this.disk, files);
  }

  forget(session: SessionKey): void {
    if (this.offers.delete(session)) this.changed.fire();
  }
}

function authorsOf({ before }: UndoneFile): readonly Author[] {
  return [...before.text.hunks, ...before.traits.changes].flatMap(({ authors }) => authors);
}

function sessionsOf(file: UndoneFile): readonly SessionKey[] {
  return authorsOf(file).flatMap((author) => (author.kind === 'agent' ? [author.session] : []));
}

/** The turns of a session that changed a file. */
function turnsOf(file: UndoneFile, session: SessionKey): readonly number[] {
  return authorsOf(file).flatMap((author) =>
    author.kind === 'agent' && author.session === session ? [author.turn] : [],
  );
}
