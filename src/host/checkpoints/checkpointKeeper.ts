import type { AgentPool } from '../../agent/agentPool';
import type { BlobStore } from '../../baseline/blobStore';
import { pruneSessions, storedHashes } from '../../review/checkpointList';
import type { Checkpoint } from '../../review/checkpoint';
import { Disposable } from '../../shared/disposable';
import type { SessionId, SessionKey } from '../../shared/ids';
import { Coalesced } from '../base/coalesce';
import type { CheckpointFiles, SessionName } from './checkpointFiles';
import type { CheckpointRecorder } from './checkpointRecorder';
import type { Restorer } from './restorer';

/** What checkpoints may hold in one workspace, older sessions' included; bytes. */
const maxSize = 200_000_000;
/** All contents in the store, those of baselines included; bytes. */
const maxContents = 400_000_000;
/** Milliseconds from a change until it is written. */
const idleMs = 500;
/** Milliseconds between two times of making room. */
const pruneEveryMs = 600_000;

/** What of the store others need, and whether they may be adding to it just now. */
export interface OtherContents {
  readonly isBusy: boolean;
  readonly hashes: Iterable<string>;
}

/** Undos of restores, that others keep. */
export type KeptUndos = Pick<Restorer, 'hashes' | 'takeUp' | 'forget'>;

/** Writes checkpoints to disk when nothing happens, and keeps all of them within their size. */
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
  /** Sessions whose stored checkpoints have been looked for. */
  private readonly seen = new Set<SessionKey>();
  private readonly soon: Coalesced;
  private prunedAt = Number.NEGATIVE_INFINITY;

  /** `isAlone` tells whether no other window keeps contents in the same place now. */
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

  /** Resolves when all that has changed is on disk, or waits to be tried again. */
  flush(): Promise<void> {
    this.put();
    return this.files.flush();
  }

  /** Writes all that has changed before anything else in this process can happen, now and from now on. */
  flushNow(): void {
    this.put();
    void this.files.flushNow();
  }

  /** Writes what has changed, and makes room now and then. */
  async save(): Promise<void> {
    await this.flush();
    if (performance.now() - this.prunedAt < pruneEveryMs || this.others().isBusy) return;
    // What the disk has refused, or another window has under review, names contents that nothing here knows of.
    if (this.files.isBehind || !(await this.isAlone())) return;
    this.prunedAt = performance.now();
    await this.prune();
  }

  /** Brings checkpoints and contents within their size: the longest unused go. */
  async prune(limits = { maxSize, maxContents }): Promise<void> {
    // Asked for twice, for contents go over from checkpoints to undos and back.
    const undosBefore = await this.undos.hashes();
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
    for (const [key, checkpoints] of shorter) if (typeof key !== 'string') this.files.put(key, checkpoints);
    await this.files.flush();
    const undos = [...undosBefore, ...(await this.undos.hashes())];
    const { hashes, isBusy } = this.others();
    if (isBusy) return;
    const keep = new Set([...storedHashes([...left.values()].flat()), ...hashes, ...undos]);
    await this.contents.prune(limits.maxContents, keep);
  }

  /** A session is gone for good: so is all that could bring files back to where it was. */
  async delete(session: SessionKey, agentId: string, sessionId: SessionId | ''): Promise<void> {
    if (sessionId !== '') this.files.put({ agentId, sessionId }, []);
    await this.files.flush();
    await this.undos.forget(session);
  }

  private note(session: SessionKey): void {
    const name = this.nameOf(session);
    if (name) this.names.set(session, name);
    this.changed.add(session);
    this.soon.request();
  }

  private put(): void {
    this.noteNewNames();
    for (const session of this.changed) {
      const name = this.names.get(session);
      if (name) this.files.put(name, this.recorder.of(session));
    }
    this.changed.clear();
  }

  /** An agent that remembers nothing gives a session that goes on another id: there the next window looks. */
  private noteNewNames(): void {
    for (const session of this.recorder.all.keys()) {
      const [name, known] = [this.nameOf(session), this.names.get(session)];
      if (!name || !known || (name.agentId === known.agentId && name.sessionId === known.sessionId)) continue;
      this.names.set(session, name);
      this.changed.add(session);
    }
  }

  /** A session of an earlier window that is brought back brings its checkpoints, and what undoes its restores. */
  private async adopt(): Promise<void> {
    for (const session of this.pool.sessions) {
      const { key } = session;
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      const name = this.nameOf(key);
      const checkpoints = name && (await this.files.read(name));
      if (checkpoints && this.recorder.of(key).length === 0) this.recorder.replace(key, checkpoints);
      await this.undos.takeUp(session);
    }
  }

  /** What a closed session's turns found stays on disk. */
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
