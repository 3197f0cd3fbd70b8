// A repository with a worktree, a window with its review, and what brings changes from one to the other. In plain Node.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fixWorktree } from './fixWorktree';
import { GitRepository } from './gitRepository';
import { ReviewWindow, type FakeTurns } from './reviewWindow';
import { editor } from './vscode';
import type { NoticeText, Session } from '../../src/session/session';
import type { EntryId } from '../../src/shared/values/ids';
import type { FolderWorktree } from '../../src/worktree/made/worktreeOf';
import { CheckpointRecorder } from '../../src/host/checkpoints/checkpointRecorder';
import { storeText } from '../../src/host/checkpoints/restoreContent';
import { Restorer } from '../../src/host/checkpoints/restorer';
import { JsonFiles } from '../../src/host/storage/jsonFiles';
import { ChangeBringer, type BringServices } from '../../src/host/merging/bringChanges';
import { MergeEditors } from '../../src/host/merging/mergeEditors';
import type { BringRequest } from '../../src/host/merging/broughtChanges';

type Content = string | Buffer;

/** A worktree in which the test plays the agent, and the user's own folder in a window. */
export class Bringing {
  readonly repository: GitRepository;
  readonly window: ReviewWindow;
  readonly worktree: FolderWorktree;
  readonly session: FakeTurns;
  readonly notices = new Map<string, NoticeText>();
  readonly bringer: ChangeBringer;
  /** What becomes of files that an agent merges. */
  handed: BringServices['handed'] = () => Promise.resolve();
  /** Whether the editor has a merge editor. */
  hasMergeEditor = false;
  private readonly newMergeEditors: () => MergeEditors;
  private mergeEditors: MergeEditors;
  private readonly restorer: Restorer;

  private constructor(repository: GitRepository, worktree: FolderWorktree) {
    this.repository = repository;
    this.worktree = worktree;
    this.window = new ReviewWindow(repository.folder, join(repository.around, 'storage'));
    const { review } = this.window;
    this.session = this.window.session('Fixer');
    const notices = this.notices;
    let count = 0;
    Object.assign(this.session, {
      addNotice: (notice: NoticeText, id = `n${count++}` as EntryId) => void notices.set(id, notice),
      changeNotice: (id: EntryId, notice: NoticeText) => void notices.set(id, notice),
    });
    const report = (error: unknown) => void this.window.errors.push(error);
    this.restorer = new Restorer({
      recorder: new CheckpointRecorder(review.onDidTouch, review.contents, report),
      services: { contents: review.contents, log: review.log, disk: review.disk },
      undos: new JsonFiles(join(repository.around, 'undos')),
      settled: () => Promise.resolve(),
      sessions: () => [],
      mergeAgain: (...all) => this.mergeEditors.resume(...all),
    });
    this.newMergeEditors = () =>
      new MergeEditors({
        review,
        storeText: (...text) => storeText(review.contents, ...text),
        report,
      });
    this.mergeEditors = this.newMergeEditors();
    this.bringer = new ChangeBringer({
      review,
      checkpoints: this.restorer,
      mergeEditors: { show: async (...all) => this.hasMergeEditor && (await this.mergeEditors.show(...all)) },
      handed: (...all) => this.handed(...all),
    });
  }

  /** `files` are committed, and `dirty` ones are changed afterwards and brought along into the worktree. */
  static async start(
    context: TestContext,
    files: Readonly<Record<string, Content>>,
    dirty: Readonly<Record<string, Content>> = {},
  ): Promise<Bringing> {
    editor.reset();
    let remove: () => Promise<void> = () => Promise.resolve();
    const repository = new GitRepository({ after: (end) => (remove = end) });
    const made: ReviewWindow[] = [];
    context.after(async () => {
      for (const window of made) await window.close();
      await remove();
    });
    for (const [path, content] of Object.entries(files)) repository.write(path, content);
    repository.commit();
    for (const [path, content] of Object.entries(dirty)) repository.write(path, content);
    const bringing = new Bringing(repository, await fixWorktree(repository));
    made.push(bringing.window);
    return bringing;
  }

  get there(): string {
    return this.worktree.record.path;
  }

  /** Plays the agent's write in the worktree. */
  agent(path: string, content: Content): void {
    this.repository.write(path, content, this.there);
  }

  async bring(request: Partial<BringRequest> = {}) {
    const { worktree } = this;
    const { written, conflicts, skipped } = await this.bringer.bring({
      session: this.session as unknown as Session,
      worktree,
      ...request,
    });
    const root = `${decodeURIComponent(this.window.uri('').toString())}/`.replace(/\/+$/, '/');
    const name = (uri: string) => decodeURIComponent(uri).slice(root.length);
    return {
      written: written.map(name).sort(),
      conflicts: conflicts.map(({ path, conflict }) => `${path} ${conflict}`),
      skipped: skipped.map(({ path, reason }) => `${path} ${typeof reason === 'string' ? reason : reason.cause}`),
    };
  }

  /** Plays that the window closes. */
  stop(): void {
    this.mergeEditors.dispose();
  }

  /** Plays that the window reloads, with the editors that are open. */
  async reload(): Promise<void> {
    this.stop();
    this.mergeEditors = this.newMergeEditors();
    await this.restorer.resume(this.session as unknown as Session);
  }

  /** Undoes what was brought last, from its notice. */
  async undoBringing(): Promise<void> {
    const id = [...this.notices].findLast(([, { restore }]) => restore === 'undoable')?.[0];
    if (id === undefined) throw new Error('Nothing can be undone.');
    await this.restorer.undo(this.session as unknown as Session, id as EntryId);
  }

  get pending(): readonly string[] {
    return this.window.listed(this.session).map(({ path }) => path);
  }
}
