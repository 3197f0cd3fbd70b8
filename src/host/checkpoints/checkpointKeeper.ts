import type { AgentPool } from '../../agent/agentPool';
import type { BlobStore } from '../../baseline/blobStore';
import { pruneSessions, storedHashes } from '../../review/checkpointList';
import type { Checkpoint } from '../../review/checkpoints';
import { Disposable } from '../../shared/disposable';
import type { SessionKey } from '../../shared/ids';
import { Coalesced } from '../review/coalesce';
import type { CheckpointFiles, SessionName } from './checkpointFiles';
import type { CheckpointRecorder } from './checkpointRecorder';

/** What checkpoints may hold in one workspace, older sessions' included; bytes. */
const maxSize = 200_000_000;
/** All contents in the store, those of baselines included; bytes. */
const maxContents = 400_000_000;
/** Milliseconds from a change until it is written. */
const idleMs = 2000;
/** Milliseconds between two times of making room. */
const pruneEveryMs = 600_000;

/** What of the store others need, and whether they may be adding to it just now. */
export interface OtherContents {
  readonly isBusy: boolean;
  readonly hashes: Iterable<string>;
}

/** Writes checkpoints to disk when nothing happens, and keeps all of them within their size. */
export class CheckpointKeeper extends Disposable {
  private readonly pool: AgentPool;
  private readonly recorder: CheckpointRecorder;
  private readonly files: CheckpointFiles;
  private readonly contents: BlobStore;
  private readonly others: () => OtherContents;
  private readonly changed = new Set<SessionKey>();
  private readonly names = new Map<SessionKey, SessionName>();
  /** Sessions whose stored checkpoints have been looked for. */
  private readonly seen = new Set<SessionKey>();
  private readonly soon: Coalesced;
  private prunedAt = Number.NEGATIVE_INFINITY;

  constructor(
    pool: AgentPool,
    recorder: CheckpointRecorder,
    files: CheckpointFiles,
    contents: BlobStore,
    others: () => OtherContents,
    report: (error: unknown) => void,
  ) {
    super();
    this.pool = pool;
    this.recorder = recorder;
    this.files = files;
    this.contents = contents;
    this.others = others;
    this.soon = this.register(new Coalesced(() => void this.save().catch(report), idleMs));
    this.register(recorder.onDidChange((session) => this.note(session)));
    this.register(
      pool.onDidChangeSessions(() => {
        void this.forgetClosed().catch(report);
        void this.takeUp().catch(report);
      }),
    );
  }

  /** Writes what has changed, and makes room now and then. */
  async save(): Promise<void> {
    await this.write();
    if (performance.now() - this.prunedAt < pruneEveryMs || this.others().isBusy) return;
    this.prunedAt = performance.now();
    await this.prune();
  }

  /** Brings checkpoints and contents within their size: the longest unused go. */
  async prune(limits = { maxSize, maxContents }): Promise<void> {
    const known = await this.files.all();
    // From here to where they are replaced nothing may be recorded in between.
    const live = this.recorder.all;
    const names = [...live.keys()].map((key) => this.nameOf(key));
    const stored = known.filter(
      ({ name: { agentId, sessionId } }) =>
        !names.some((name) => name?.agentId === agentId && name.sessionId === sessionId),
    );
    const all = new Map<SessionKey | SessionName, readonly Checkpoint[]>([
      ...stored.map(({ name, checkpoints }) => [name, checkpoints] as const),
      ...live,
    ]);
    const left = pruneSessions(all, limits.maxSize);
    const shorter = [...left].filter(([key, checkpoints]) => checkpoints.length !== all.get(key)?.length);
    for (const [key, checkpoints] of shorter) if (typeof key === 'string') this.recorder.replace(key, checkpoints);
    for (const [key, checkpoints] of shorter) if (typeof key !== 'string') await this.files.write(key, checkpoints);
    const { hashes, isBusy } = this.others();
    if (isBusy) return;
    const keep = new Set([...storedHashes([...left.values()].flat()), ...hashes]);
    await this.contents.prune(limits.maxContents, keep);
  }

  private note(session: SessionKey): void {
    const name = this.nameOf(session);
    if (name) this.names.set(session, name);
    this.changed.add(session);
    this.soon.request();
  }

  private async write(): Promise<void> {
    const waiting = [...this.changed].flatMap((session) => {
      const name = this.names.get(session);
      return name ? [{ name, checkpoints: this.recorder.of(session) }] : [];
    });
    this.changed.clear();
    for (const { name, checkpoints } of waiting) await this.files.write(name, checkpoints);
  }

  /** A session of an earlier window that is brought back brings its checkpoints. */
  private async takeUp(): Promise<void> {
    for (const { key } of this.pool.sessions) {
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      const name = this.nameOf(key);
      const checkpoints = name && (await this.files.read(name));
      if (checkpoints && this.recorder.of(key).length === 0) this.recorder.replace(key, checkpoints);
    }
  }

  /** What a closed session's turns found stays on disk. */
  private async forgetClosed(): Promise<void> {
    const live = new Set(this.pool.sessions.map(({ key }) => key));
    const gone = [...this.recorder.all.keys()].filter((key) => !live.has(key));
    if (gone.length === 0) return;
    await this.write();
    for (const key of gone) {
      this.recorder.forget(key);
      this.changed.delete(key);
      this.names.delete(key);
      this.seen.delete(key);
    }
  }

  private nameOf(session: SessionKey): SessionName | undefined {
    const { view } = this.pool.sessions.find(({ key }) => key === session)?.transcript ?? {};
    if (!view || view.sessionId === '') return this.names.get(session);
    return { agentId: view.agentId, sessionId: view.sessionId };
  }
}
