// What of the product touches files: review, checkpoints, and the file service, with sessions whose agent is the test.
import { join } from 'node:path';
import { requestedDialect } from '../../src/acp/dialects';
import type { AgentPool } from '../../src/agent/pool/agentPool';
import { CheckpointFiles } from '../../src/host/checkpoints/checkpointFiles';
import { CheckpointKeeper } from '../../src/host/checkpoints/checkpointKeeper';
import { CheckpointRecorder } from '../../src/host/checkpoints/checkpointRecorder';
import { Restorer } from '../../src/host/checkpoints/restorer';
import { FileBridge } from '../../src/host/files/fileBridge';
import { Review } from '../../src/host/review/review';
import { JsonFiles } from '../../src/host/storage/jsonFiles';
import { StorageWindows } from '../../src/host/storage/storageWindows';
import { untold } from '../../src/host/storage/storageTroubles';
import { Session } from '../../src/session/session';
import { toStored, type StoredSession } from '../../src/session/transcript/storedSession';
import { Emitter } from '../../src/shared/values/event';
import type { AgentId, SessionKey } from '../../src/shared/values/ids';
import type { UserMessageEntry } from '../../src/shared/transcript/transcript';
import { FakeAgent } from '../unit-support/fakeSession';

/** The agent of a session: a turn runs until the history ends it, or the user stops it. */
class HistoryAgent extends FakeAgent {
  override cancel(): void {
    void Promise.resolve().then(() => this.end('cancelled'));
  }
}

let made = 0;

export class ReviewWindow {
  readonly review: Review;
  readonly restorer: Restorer;
  readonly recorder: CheckpointRecorder;
  readonly bridge: FileBridge;
  readonly sessions: Session[] = [];
  readonly problems: unknown[] = [];
  private readonly agents = new Map<Session, HistoryAgent>();
  private readonly windows: StorageWindows;
  private readonly keeper: CheckpointKeeper;
  private readonly changed = new Emitter<void>();
  private readonly cwd: string;

  /** `alive` has the process ids of the windows that haven't crashed. */
  constructor(storage: string, cwd: string, alive: Set<number>, stored: readonly StoredSession[] = []) {
    this.cwd = cwd;
    const pid = (made += 1);
    alive.add(pid);
    this.windows = new StorageWindows(storage, {
      pid,
      host: 'here',
      lives: (one) => alive.has(one),
      beganAt: () => '',
    });
    const place = { storage, windows: this.windows, troubles: untold };
    const report = (error: unknown) => void this.problems.push(error);
    const { sessions, changed } = this;
    const pool = { sessions, onDidChangeSessions: changed.event, specOf: () => undefined } as unknown as AgentPool;
    // However slow the machine is, the agent waits for the baseline.
    this.review = new Review(pool, place, report, { act: () => Promise.resolve(), patienceMs: 60_000 });
    this.bridge = new FileBridge({ outsideWorkspace: () => 'deny', observer: this.review });
    const { contents, turns, log, disk, onDidTouch, recorder } = this.review;
    this.recorder = new CheckpointRecorder(onDidTouch, contents, report);
    this.restorer = new Restorer({
      recorder: this.recorder,
      services: { contents, log, disk },
      undos: new JsonFiles(join(storage, 'restores')),
      settled: (session) => turns.settled(session),
      sessions: () => sessions,
    });
    this.keeper = new CheckpointKeeper(
      pool,
      this.recorder,
      new CheckpointFiles(join(storage, 'checkpoints'), untold),
      contents,
      () => ({ isBusy: turns.current.length > 0, hashes: recorder.hashes }),
      this.restorer,
      report,
    );
    for (const one of stored) this.addSession(one.key, one);
  }

  addSession(key: SessionKey, stored?: StoredSession): Session {
    const session = new Session({
      key,
      agentId: 'settings:Codex' as AgentId,
      agentName: 'Codex',
      cwd: this.cwd,
      now: () => Date.now(),
      schedule: (ms, action) => {
        const timer = setTimeout(action, ms);
        timer.unref();
        return { dispose: () => clearTimeout(timer) };
      },
      owner: { restart: () => undefined, endProcess: () => undefined, closed: () => undefined },
      ...(stored ? { stored } : {}),
    });
    const agent = new HistoryAgent(key);
    session.agentSide.connecting('opening');
    session.agentSide.useDialect(requestedDialect);
    session.agentSide.opened(agent, { sessionId: agent.sessionId, configOptions: [] }, !stored);
    this.sessions.push(session);
    this.agents.set(session, agent);
    session.onDidChangeState(() => this.changed.fire());
    this.changed.fire();
    return session;
  }

  isRunning(session: Session): boolean {
    return session.transcript.view.activity.state !== 'idle';
  }

  /** Resolves once the agent may begin to work. */
  async begin(session: Session): Promise<void> {
    session.sendPrompt('go on');
    await this.review.beforeTurn(session.key);
  }

  async end(session: Session): Promise<void> {
    if (this.isRunning(session)) await this.agents.get(session)?.end();
  }

  messages(session: Session): UserMessageEntry[] {
    const { order, entries } = session.transcript;
    return order.map((id) => entries.get(id)).filter((entry) => entry?.kind === 'user_message');
  }

  /** Resolves once everything that was reported is in the log and in the checkpoints. */
  async settled(): Promise<void> {
    for (const { key } of this.sessions) await this.review.turns.settled(key);
    await this.looked();
    await this.recorder.idle();
  }

  /** Resolves once the changes of an earlier window are in the log. */
  async loaded(): Promise<void> {
    await this.review['loaded'];
  }

  /** Resolves once no file is being looked at. */
  async looked(): Promise<void> {
    const queue = this.review.disk['queue'];
    for (let calm = 0; calm < 3; calm = queue.size === 0 ? calm + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Writes everything to disk. */
  async flush(): Promise<void> {
    await this.review.flush();
    await this.keeper.flush();
  }

  /** Ends the window. What it hasn't written yet is lost if it crashes. */
  leave(alive: Set<number>, isCrash: boolean): StoredSession[] {
    const stored = this.sessions.map((session) => toStored(session.key, session.transcript));
    if (!isCrash) {
      this.review.flushNow();
      this.recorder.giveUpRunning();
      this.keeper.flushNow();
      this.windows.leave();
    }
    alive.clear();
    for (const one of [this.keeper, this.recorder, this.bridge, this.review, this.windows]) one.dispose();
    for (const session of this.sessions) session.dispose();
    return stored;
  }
}
