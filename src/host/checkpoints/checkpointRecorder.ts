import type { BlobStore } from '../../baseline/blobStore';
import { recordRename, recordTouch, recordUnknown, type Checkpoint } from '../../review/checkpoints/checkpoint';
import { withFiles, withoutFiles } from '../../review/checkpoints/checkpointList';
import type { FileRef, StoredRef } from '../../review/files/fileRef';
import { hasReview } from '../../review/checkpoints/restoredFile';
import { Disposable } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { SerialQueue } from '../base/serialQueue';
import type { AgentTouch } from '../review/recording/diskChanges';
import { bytesBefore } from './bytesBefore';
import { fileOnDisk, refOf } from '../workspaceFiles/presentFile';
import { storeReview } from '../fileChanges/storedReview';

/** Records the checkpoints of this window's sessions: the files before each turn changed them. */
export class CheckpointRecorder extends Disposable {
  private readonly contents: BlobStore;
  private readonly report: (error: unknown) => void;
  private readonly queue = new SerialQueue();
  private readonly sessions = new Map<SessionKey, readonly Checkpoint[]>();
  private readonly changed = this.register(new Emitter<SessionKey>());
  /** Touches whose files are being read. */
  private readonly running = new Map<Promise<void>, AgentTouch>();

  readonly onDidChange = this.changed.event;

  constructor(onDidTouch: Event<AgentTouch>, contents: BlobStore, report: (error: unknown) => void) {
    super();
    this.contents = contents;
    this.report = report;
    this.register(
      onDidTouch((touch) => {
        const key = touch.uri.toString();
        const work = this.queue
          .run(key, () => this.record(touch))
          .catch((error: unknown) => {
            this.report(error);
            // Otherwise, a later touch in the turn would be recorded as the first.
            this.giveUp(touch);
          });
        this.running.set(work, touch);
        void work.then(() => this.running.delete(work));
      }),
    );
  }

  /** Resolves once all touches up to now are recorded. */
  async idle(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  /** Records files that are still being read as unrecorded, so that a restore by the next window says what it leaves out. */
  giveUpRunning(): void {
    for (const touch of this.running.values()) this.giveUp(touch);
  }

  of(session: SessionKey): readonly Checkpoint[] {
    return this.sessions.get(session) ?? [];
  }

  /** All sessions with checkpoints, the least recently used first. */
  get all(): ReadonlyMap<SessionKey, readonly Checkpoint[]> {
    return new Map(this.sessions);
  }

  /** Returns the stored review state of a file from when a turn from `fromTurn` on first touched it. */
  reviewBefore(session: SessionKey, fromTurn: number, uri: string): StoredRef | undefined {
    return this.of(session)
      .find(({ turn, files }) => turn >= fromTurn && files.has(uri))
      ?.files.get(uri)?.review;
  }

  /**
   * Removes restored files from the turns from `fromTurn` on. Returns the removed checkpoints, which `putBack` accepts.
   */
  takeOut(session: SessionKey, fromTurn: number, uris: ReadonlySet<string>): readonly Checkpoint[] {
    const { checkpoints, removed } = withoutFiles(this.of(session), fromTurn, uris);
    this.replace(session, checkpoints);
    return removed;
  }

  putBack(session: SessionKey, removed: readonly Checkpoint[], uris: ReadonlySet<string>): void {
    this.replace(session, withFiles(this.of(session), removed, uris));
  }

  replace(session: SessionKey, checkpoints: readonly Checkpoint[]): void {
    // Delete and add again, to move the session to the end as the most recently used.
    this.sessions.delete(session);
    this.sessions.set(session, checkpoints);
    this.changed.fire(session);
  }

  /** Removes a deleted session, whose transcript no longer offers a restore. */
  forget(session: SessionKey): void {
    if (this.sessions.delete(session)) this.changed.fire(session);
  }

  private giveUp({ uri, turn: { session, turn } }: AgentTouch): void {
    this.replace(session.key, recordUnknown(this.of(session.key), turn, uri.toString()));
  }

  private async record(touch: AgentTouch): Promise<void> {
    const { uri, earlier, isEdited, renamed, turn: watched } = touch;
    const { turn } = watched;
    const session = watched.session.key;
    const key = uri.toString();
    const known = this.of(session).find((one) => one.turn === turn);
    let before = known?.files.get(key)?.before;
    let waited: { readonly review?: StoredRef; readonly isEdited?: boolean } = {};
    if (before === undefined && known?.unrecorded.includes(key) !== true) {
      before = await this.keepContent(touch);
      if (before && earlier && hasReview(earlier)) waited = { review: await storeReview(this.contents, earlier) };
    }
    const after = touch.after ?? (await fileOnDisk(uri)).ref;
    if (renamed) this.replace(session, recordRename(this.of(session), turn, renamed));
    const checkpoints = this.of(session);
    if (isEdited === true) waited = { ...waited, isEdited };
    if (before === undefined) this.replace(session, recordUnknown(checkpoints, turn, key));
    else this.replace(session, recordTouch(checkpoints, turn, key, { before, after, ...waited }));
  }

  private async keepContent(touch: AgentTouch): Promise<FileRef | undefined> {
    const content = await bytesBefore(touch);
    if (content === undefined) return undefined;
    if (content === 'absent') return { kind: 'absent' };
    if ('link' in content) return { kind: 'link', target: content.link };
    await this.contents.save(content.bytes);
    return refOf(content.bytes, content.mode);
  }
}
