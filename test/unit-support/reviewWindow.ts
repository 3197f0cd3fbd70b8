// The review of a window in plain Node: real files and git, the editor's documents, and sessions whose agents are the test.
import { randomUUID } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AgentPool } from '../../src/agent/pool/agentPool';
import { changedFiles } from '../../src/review/shown/changedFiles';
import { Review } from '../../src/host/review/review';
import { StorageWindows } from '../../src/host/storage/storageWindows';
import { untold } from '../../src/host/storage/storageTroubles';
import { Emitter } from '../../src/shared/values/event';
import type { SessionKey } from '../../src/shared/values/ids';
import type { TranscriptOp } from '../../src/shared/transcript/ops';
import type { ReviewFile } from '../../src/shared/changes/review';
import type { Entry } from '../../src/shared/transcript/transcript';
import { askedActions } from './askedActions';
import { editor, Uri } from './vscode';
import { FakeDocuments } from './fakeDocuments';
import { tempFolder } from './tempFolder';

/** A session that begins and ends turns when the test says so. */
export class FakeTurns {
  readonly key: SessionKey;
  readonly isElsewhere = false;
  readonly onDidApply: (listener: (ops: readonly TranscriptOp[]) => void) => { dispose(): void };
  private readonly applied = new Emitter<readonly TranscriptOp[]>();
  readonly transcript: {
    rev: number;
    view: Record<string, unknown>;
    order: string[];
    entries: Map<string, Partial<Entry>>;
  };
  private readonly changed: () => void;
  private turn = 0;

  constructor(name: string, cwd: string, changed: () => void) {
    this.key = `session:${name}` as SessionKey;
    this.changed = changed;
    this.onDidApply = (listener) => this.applied.event(listener);
    const view = { agentName: name, agentId: `settings:${name}`, sessionId: name, cwd, activity: { state: 'idle' } };
    this.transcript = {
      rev: 0,
      view: { ...view, lateWork: [], connection: { state: 'ready' } },
      order: [],
      entries: new Map(),
    };
  }

  /** What its agent is told about undone changes, by file. */
  readonly told = new Map<string, string | undefined>();

  tellUndone(file: string, note: string | undefined): void {
    this.told.set(file, note);
  }

  begin(): void {
    this.turn++;
    const id = `m${this.turn}`;
    this.transcript.order.push(id);
    this.transcript.entries.set(id, { kind: 'user_message', id, turn: this.turn } as unknown as Partial<Entry>);
    this.transcript.view['activity'] = { state: 'running', since: Date.now() };
    this.changed();
  }

  end(): void {
    this.transcript.view['activity'] = { state: 'idle' };
    this.changed();
  }

  /** Reports a tool call that edits a file. */
  names(path: string, status = 'in_progress'): void {
    const id = `t${randomUUID()}`;
    const entry = {
      kind: 'tool_call',
      id,
      toolCallId: id,
      turn: this.turn,
      toolKind: 'edit',
      status,
      content: [],
      locations: [{ path }],
      permission: { state: 'none' },
    };
    this.transcript.order.push(id);
    this.transcript.entries.set(id, entry as unknown as Partial<Entry>);
    this.transcript.rev++;
    this.applied.fire([{ op: 'insert', entry } as unknown as TranscriptOp]);
  }
}

export class ReviewWindow {
  readonly documents = new FakeDocuments();
  readonly review: Review;
  readonly errors: unknown[] = [];
  private isClosed = false;
  private readonly sessions: FakeTurns[] = [];
  private readonly pooled = new Emitter<void>();
  private readonly windows: StorageWindows;
  readonly folder: string;

  constructor(folder: string, storage: string, patienceMs?: number) {
    this.folder = folder;
    editor.folders = [folder];
    this.windows = new StorageWindows(storage);
    const pool = { sessions: this.sessions, onDidChangeSessions: this.pooled.event } as unknown as AgentPool;
    const place = { storage, windows: this.windows, troubles: untold };
    this.review = new Review(pool, place, (error) => this.errors.push(error), {
      act: askedActions().act,
      ...(patienceMs !== undefined && { patienceMs }),
    });
  }

  session(name = 'Told'): FakeTurns {
    const session = new FakeTurns(name, this.folder, () => this.pooled.fire());
    this.sessions.push(session);
    this.pooled.fire();
    return session;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  uri(name: string): Uri {
    return Uri.file(this.path(name));
  }

  /** Begins a turn, and waits until its baseline is recorded. */
  async begin(session: FakeTurns): Promise<void> {
    session.begin();
    await this.review.beforeTurn(session.key);
    await this.review.turns.of(session.key)?.baseline;
  }

  /** Lets a turn's baseline answer nobody until `open` is called. `asked` resolves once somebody has asked. */
  async holdBaseline(session: FakeTurns): Promise<{ readonly asked: Promise<void>; readonly open: () => void }> {
    const baseline = await this.review.turns.of(session.key)?.baseline;
    if (!baseline) throw new Error('No turn is running.');
    const read = baseline.read.bind(baseline);
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    baseline.read = async (path) => {
      isAsked();
      await gate;
      return read(path);
    };
    return { asked, open };
  }

  /** Ends a turn, and waits until all of its changes are known. */
  async end(session: FakeTurns): Promise<void> {
    session.end();
    await this.review.turns.settled(session.key);
  }

  /** Plays what the editor's watcher reports: a file changed on disk. */
  look(name: string): Promise<void> {
    this.documents.all.filter(({ uri }) => uri.fsPath === this.path(name)).forEach((one) => one.follow());
    return this.review.disk.look(this.uri(name));
  }

  /** The changed files as the chat lists them. */
  listed(session: FakeTurns): readonly ReviewFile[] {
    return changedFiles(this.review.log, session.key, (uri) => Uri.parse(uri).fsPath.slice(this.folder.length + 1));
  }

  undoAll(): Promise<void> {
    return this.review.commands['parley.review.undoAll']() as Promise<void>;
  }

  /** Ends the window as a reload does. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const turn of this.review.turns.current) await turn.baseline;
    this.review.dispose();
    await this.review.flush();
    this.windows.leave();
    this.windows.dispose();
    this.documents.dispose();
  }
}

/** Returns a folder with these files in `project`, and how to open windows on it. Everything is gone at the end of the test. */
export function reviewFolder(context: TestContext, files: Readonly<Record<string, string>>) {
  let remove: () => Promise<void> = () => Promise.resolve();
  const root = tempFolder({ after: (end) => (remove = end) });
  const windows: ReviewWindow[] = [];
  context.after(async () => {
    for (const window of windows) await window.close();
    await remove();
  });
  mkdirSync(join(root, 'project'));
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, 'project', name);
    writeFileSync(path, text);
    // What was there before the test is old.
    utimesSync(path, 1_000_000, 1_000_000);
  }
  const open = (patienceMs?: number, name = 'project') => {
    const window = new ReviewWindow(join(root, name), join(root, 'storage'), patienceMs);
    windows.push(window);
    return window;
  };
  return { root, open };
}
