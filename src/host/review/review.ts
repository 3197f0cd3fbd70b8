import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/agentPool';
import { defaultLimits } from '../../baseline/baseline';
import { BlobStore } from '../../baseline/blobStore';
import { Recorder } from '../../baseline/recorder';
import { WorkspaceBaseline } from '../../baseline/workspaceBaseline';
import { ReviewLog } from '../../review/reviewLog';
import type { ClientContext } from '../../session/services';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import type { FileObserver } from '../files/fileBridge';
import { AgentChanges } from './agentChanges';
import { BaseContent } from './baseContent';
import { Coalesced } from './coalesce';
import { DiskChanges, type AgentTouch } from './diskChanges';
import { presentState } from './presentState';
import { ReviewCommands } from './reviewCommands';
import { ReviewDecorations } from './reviewDecorations';
import { ReviewLenses } from './reviewLenses';
import { authorIn, WatchedTurns } from './turns';

/** Names of folders that hold what tools make, not what people write; left out of baselines where git does not say it. */
const made = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__', 'target', 'dist', 'out', 'build']);

/** A prompt waits so long (ms) at most; no agent is faster at its first write than a model is at its first word. */
const baselinePatienceMs = 500;

/** Review as a whole: what agents change is noticed, shown in the editor, and kept or undone by the user. */
export class Review extends Disposable implements FileObserver {
  readonly log = new ReviewLog();
  private readonly touched = this.register(new Emitter<AgentTouch>());
  private readonly turns: WatchedTurns;
  private readonly disk: DiskChanges;

  /** An agent changed a file, in whatever way; after the log knows of it. */
  readonly onDidTouch = this.touched.event;

  /** `storage` is a folder of our own for file contents; `report` gets what went wrong behind the scenes. */
  constructor(pool: AgentPool, storage: string, report: (error: unknown) => void) {
    super();
    this.register(this.log);
    const recorder = new Recorder(new BlobStore(join(storage, 'contents')), defaultLimits, () => Date.now());
    const take = (folders: readonly string[]) =>
      WorkspaceBaseline.take(
        folders,
        recorder,
        (path) => made.has(path.slice(path.lastIndexOf('/') + 1)),
        defaultLimits,
      );
    const takeBaseline = () => {
      this.disk.watch();
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      return take(folders.map(({ uri }) => uri.fsPath)).catch((error: unknown) => {
        report(error);
        return take([]);
      });
    };
    this.turns = this.register(
      new WatchedTurns(pool, takeBaseline, (turn, paths) =>
        this.disk
          .lookAt(paths)
          .then(async () => this.disk.lookAt(await (await turn.baseline).changed()))
          .catch(report),
      ),
    );
    this.disk = this.register(new DiskChanges(this.log, this.turns, report));
    this.register(this.disk.onDidTouch((touch) => this.touched.fire(touch)));
    this.register(new BaseContent(this.log));
    this.register(new AgentChanges(this.log));
    this.register(new ReviewLenses(this.log));
    this.register(new ReviewDecorations(this.log));
    for (const [id, execute] of Object.entries(new ReviewCommands(this.log, this.disk).all)) {
      this.register(vscode.commands.registerCommand(id, execute));
    }
    const setContext = this.register(
      new Coalesced(() => {
        const { pending } = this.log;
        void vscode.commands.executeCommand('setContext', 'parley.hasChanges', pending.length > 0);
        void vscode.commands.executeCommand('setContext', 'parley.changedFiles', pending);
      }),
    );
    this.register(this.log.onDidChange(() => setContext.request()));
  }

  /** Resolves when it is known what the files hold before a turn that has just begun; a large workspace is not waited for. */
  async beforeTurn(session: SessionKey): Promise<void> {
    const turn = this.turns.of(session);
    if (!turn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, baselinePatienceMs)));
    await Promise.race([turn.baseline, patience]);
    clearTimeout(timer);
  }

  async writing(context: ClientContext, uri: vscode.Uri, write: () => Promise<void>): Promise<void> {
    const key = uri.toString();
    const before = await presentState(uri);
    const turn = this.turns.of(context.session);
    const bytes = turn && (await readFile(uri.fsPath).catch(() => null));
    await this.disk.during(key, write);
    const author = turn
      ? authorIn(turn, uri.fsPath)
      : ({ kind: 'agent', agentName: context.agentName, session: context.session, turn: 0 } as const);
    this.log.track(key, before);
    this.log.agentEdit(key, await presentState(uri), author);
    if (turn && bytes !== undefined) this.touched.fire({ turn, uri, before: bytes });
  }
}
