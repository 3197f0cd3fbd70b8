import type { AgentPool } from '../../agent/pool/agentPool';
import type { BlobStore } from '../../baseline/blobStore';
import { pruneSessions, storedHashes } from '../../review/checkpoints/checkpointList';
import type { Checkpoint } from '../../review/checkpoints/checkpoint';
import { Disposable } from '../../shared/values/disposable';
import type { SessionId, SessionKey } from '../../shared/values/ids';
import { Coalesced } from '../base/coalesce';
import type { CheckpointFiles, SessionName } from './checkpointFiles';
import type { CheckpointRecorder } from './checkpointRecorder';
import type { Restorer } from './restorer';

/** Maximum size of a workspace's checkpoints in bytes, including those of older sessions. */
const maxSize = 200_000_000;
/** Maximum size of all stored contents in bytes, including those of baselines. */
const maxContents = 400_000_000;
/** Delay before a change is written, in milliseconds. */
const idleMs = 500;
/** Time between prunes, in milliseconds. */
const pruneEveryMs = 600_000;

/** The contents that other parts need, and whether those parts may be adding contents now. */
export interface OtherContents {
  readonly isBusy: boolean;
  readonly hashes: Iterable<string>;
}

/** The undos of restores, which `Restorer` stores. */
export type KeptUndos = Pick<Restorer, 'hashes' | 'resume' | 'forget'>;

/** Writes checkpoints to disk when idle, and keeps their total size within the limit. */
export class CheckpointKeeper extends Disposable {
  private readonly pool: AgentPool;
  private readonly recorder: CheckpointRecorder;
  private readonly files: CheckpointFiles;
  private readonly contents: BlobStore;
  private readonly others: () => OtherContents;
  private readonly undos: KeptUndos;
  private readonly isAlone: () => Promise<boolean>;
  private readonly changed = new Set<SessionKey>();
  private readonly names = new Map<SessionKey, SessionName>();
  /** Sessions whose stored checkpoints were already looked up. */
  private readonly seen = new Set<SessionKey>();
  private readonly soon: Coalesced;
  private prunedAt = Number.NEGATIVE_INFINITY;

  /** `isAlone` resolves to true if no other window stores contents in the same place. */
  constructor(
    pool: AgentPool,
    recorder: CheckpointRecorder,
    files: CheckpointFiles,
    contents: BlobStore,
    others: () => OtherContents,
    undos: KeptUndos,
    report: (error: unknown) => void,
    isAlone: () => Promise<boolean> = () => Promise.resolve(true),
  ) {
    super();
    this.isAlone = isAlone;
    this.register(files);
    this.pool = pool;
    this.recorder = recorder;
    this.files = files;
    this.contents = contents;
    this.others = others;
    this.undos = undos;
    this.soon = this.register(new Coalesced(() => void this.save().catch(report), idleMs));
    this.register(recorder.onDidChange((session) => this.note(session)));
    this.register(
      pool.onDidChangeSessions(() => {
        void this.forgetClosed().catch(report);
        void this.adopt().catch(report);
      }),
    );
  }

  /** Resolves once all changes are on disk or scheduled for a retry. */
  flush(): Promise<void> {
    this.putChanged();
    return this.files.flush();
  }

  /** Writes all changes synchronously, now and from now on. */
  flushNow(): void {
    this.putChanged();
    void this.files.flushNow();
  }

  /** Writes changes and prunes from time to time. */
  async save(): Promise<void> {
    await this.flush();
    if (performance.now() - this.prunedAt < pruneEveryMs || this.others().isBusy) return;
    // Checkpoints that failed to write, or reviews in another window, refer to contents that aren't listed here.
    if (this.files.isBehind || !(await this.isAlone())) return;
    this.prunedAt = performance.now();
    await this.prune();
  }

  /** Removes the least recently used checkpoints and contents until both are within their limits. */
  async prune(limits = { maxSize, maxContents }): Promise<void> {
    // Read twice, because contents move between checkpoints and undos.
    const undosBefore = await this.undos.hashes();
    const known = await this.files.all();
    // From here to the replacement, nothing may be recorded in between.
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
    for (const [key, checkpoints] of shorter) if (typeof key !== 'string') this.files.save(key, checkpoints);
    await this.files.flush();
    const undos = [...undosBefore, ...(await this.undos.hashes())];
    const { hashes, isBusy } = this.others();
    if (isBusy) return;
    const keep = new Set([...storedHashes([...left.values()].flat()), ...hashes, ...undos]);
    await this.contents.prune(limits.maxContents, keep);
  }

  /** Deletes everything that could restore files for a deleted session. */
  async delete(session: SessionKey, agentId: string, sessionId: SessionId | ''): Promise<void> {
    if (sessionId !== '') this.files.save({ agentId, sessionId }, []);
    await this.files.flush();
    await this.undos.forget(session);
  }

  private note(session: SessionKey): void {
    const name = this.nameOf(session);
    if (name) this.names.set(session, name);
    this.changed.add(session);
    this.soon.request();
  }

  private putChanged(): void {
    this.noteNewNames();
    for (const session of this.changed) {
      const name = this.names.get(session);
      if (name) this.files.save(name, this.recorder.of(session));
    }
    this.changed.clear();
  }

  /**
   * Records new session ids. A session may begin with checkpoints of another one before it has an id. An agent that stores
   * no sessions gives a continued session a new id, and the next window looks under that id.
   */
  private noteNewNames(): void {
    for (const session of this.recorder.all.keys()) {
      const [name, known] = [this.nameOf(session), this.names.get(session)];
      if (!name || (name.agentId === known?.agentId && name.sessionId === known.sessionId)) continue;
      this.names.set(session, name);
      this.changed.add(session);
    }
  }

  /** Loads the checkpoints and undos of a session restored from an earlier window. */
  private async adopt(): Promise<void> {
    for (const session of this.pool.sessions) {
      const { key } = session;
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      const name = this.nameOf(key);
      const checkpoints = name && (await this.files.read(name));
      if (checkpoints && this.recorder.of(key).length === 0) this.recorder.replace(key, checkpoints);
      await this.undos.resume(session);
    }
  }

  /** Removes closed sessions from memory. Their checkpoints stay on disk. */
  private async forgetClosed(): Promise<void> {
    const live = new Set(this.pool.sessions.map(({ key }) => key));
    for (const key of this.seen) if (!live.has(key)) this.seen.delete(key);
    const gone = [...this.recorder.all.keys()].filter((key) => !live.has(key));
    if (gone.length === 0) return;
    await this.flush();
    for (const key of gone) {
      this.recorder.forget(key);
      this.changed.delete(key);
      this.names.delete(key);
    }
  }

  private nameOf(session: SessionKey): SessionName | undefined {
    const { view } = this.pool.sessions.find(({ key }) => key === session)?.transcript ?? {};
    if (!view || view.sessionId === '') return this.names.get(session);
    return { agentId: view.agentId, sessionId: view.sessionId };
  }
}
