// A session’s changes move to a worktree: real git, real files, the review of a window, and an agent that is the test.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { settingsWith } from '../../../test/unit-support/settings';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { ReviewWindow, type FakeTurns } from '../../../test/unit-support/reviewWindow';
import { editor } from '../../../test/unit-support/vscode';
import { ReviewRound } from '../../review/shown/reviewRound';
import type { NoticeText, Session } from '../../session/session';
import type { ToWebview } from '../../shared/pages/messages';
import { worktreeChanges } from '../../worktree/bring/worktreeChanges';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { moveToWorktree, type MoveServices } from './moveToWorktree';

const seven = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** A repository that is open in a window, and an agent that works in it. */
class Moving {
  readonly repository: GitRepository;
  readonly window: ReviewWindow;
  readonly session: FakeTurns;
  readonly notices: NoticeText[] = [];
  readonly posted: ToWebview[] = [];
  readonly moves: string[] = [];
  readonly there: string;
  remembers: boolean | undefined = true;
  /** Runs when the user has answered the questions. */
  answering: () => void = () => undefined;

  private constructor(repository: GitRepository) {
    this.repository = repository;
    this.there = join(repository.around, 'shop.worktrees', 'fix');
    this.window = new ReviewWindow(repository.folder, join(repository.around, 'storage'));
    this.session = this.window.session('Fixer');
    Object.assign(this.session, { addNotice: (notice: NoticeText) => void this.notices.push(notice), isClosed: false });
  }

  static start(context: TestContext, files: Readonly<Record<string, string>>): Moving {
    editor.reset();
    let remove: () => Promise<void> = () => Promise.resolve();
    const repository = new GitRepository({ after: (end) => (remove = end) });
    for (const [path, content] of Object.entries(files)) repository.write(path, content);
    repository.commit();
    const moving = new Moving(repository);
    context.after(async () => {
      await moving.window.close();
      await remove();
    });
    return moving;
  }

  /** Lets the agent work for one turn. */
  async turn(work: () => void): Promise<void> {
    await this.window.begin(this.session);
    work();
    await this.window.end(this.session);
  }

  /** Plays the user, who saves a file a second later. A change right after a turn would count as the agent's. */
  async save(path: string, text: string): Promise<void> {
    this.repository.write(path, text);
    const later = new Date(Date.now() + 1000);
    utimesSync(this.window.path(path), later, later);
    await this.window.look(path);
  }

  async move(services: Partial<MoveServices> = {}): Promise<void> {
    const pool: MoveServices['pool'] = {
      move: (session, cwd) => {
        this.moves.push(cwd);
        this.session.transcript.view['cwd'] = cwd;
        assert.equal(session.key, this.session.key);
        return Promise.resolve(this.remembers);
      },
    };
    const page = { show: () => undefined, post: (message: ToWebview) => void this.posted.push(message) };
    await moveToWorktree(
      {
        pool,
        pages: { withPage: async (action) => action(page as never) },
        review: this.window.review,
        settings: settingsWith({ 'worktrees.copyIgnored': [] }),
        setup: { run: () => undefined },
        ask: ({ repository }) => {
          this.answering();
          assert.equal(repository.root, this.repository.folder);
          return Promise.resolve({ base: undefined, branch: 'parley/fix', path: this.there, changes: [], ignored: [] });
        },
        ...services,
      },
      this.session as unknown as Session,
    );
  }

  read(path: string): string | undefined {
    return existsSync(join(this.there, path)) ? this.repository.read(path, this.there) : undefined;
  }

  get pendingHere(): readonly string[] {
    return this.window.review.log.pending.filter((uri) => !uri.includes('shop.worktrees'));
  }

  /** The names of files in the worktree that wait for review. */
  get pendingThere(): readonly string[] {
    return this.window.review.log.pending.flatMap((uri) => uri.split('/shop.worktrees/fix/').slice(1));
  }

  /** The paths that differ between the worktree and what it started from. */
  async changed(): Promise<readonly string[]> {
    const worktree = worktreeOf(this.there);
    assert.ok(worktree);
    return (await worktreeChanges(worktree)).changes.map(({ path, from }) => (from ? `${from} → ${path}` : path));
  }
}

test('moves an agent’s changes, and leaves the user’s edits', needsGit, async (t) => {
  const one = Moving.start(t, { 'a.txt': seven, 'b.txt': 'b\n', 'c.txt': 'c\n' });
  await one.save('a.txt', seven.replace('one', 'mine'));
  await one.turn(() => {
    one.repository.write('a.txt', seven.replace('one', 'mine').replace('seven', 'SEVEN'));
    one.repository.write('new/d.txt', 'd\n');
    rmSync(join(one.repository.folder, 'b.txt'));
  });
  await one.save('a.txt', seven.replace('one', 'mine').replace('three', 'later').replace('seven', 'SEVEN'));
  await one.save('c.txt', 'mine\n');
  await one.move();
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'mine').replace('three', 'later'));
  assert.equal(one.repository.read('b.txt'), 'b\n');
  assert.equal(one.repository.read('c.txt'), 'mine\n');
  assert.ok(!one.repository.has('new/d.txt'));
  assert.deepEqual(one.pendingHere, []);
  assert.equal(one.read('a.txt'), seven.replace('one', 'mine').replace('three', 'later').replace('seven', 'SEVEN'));
  assert.equal(one.read('b.txt'), undefined);
  assert.equal(one.read('c.txt'), 'c\n');
  assert.equal(one.read('new/d.txt'), 'd\n');
  assert.deepEqual(one.pendingThere.toSorted(), ['a.txt', 'b.txt', 'new/d.txt']);
  // The user’s edits count as what the worktree started from.
  assert.deepEqual(await one.changed(), ['a.txt', 'b.txt', 'new/d.txt']);
  assert.deepEqual(one.moves, [one.there]);
  // Nothing is said about the file that is gone here, and “Undo last” doesn't write the changes twice.
  assert.deepEqual(editor.shown, []);
  assert.equal(one.window.review.disk.undone.last, undefined);
  const [notice] = one.notices;
  assert.deepEqual([notice?.severity, notice?.title], ['info', 'Moved the changes in 3 files to the worktree “fix”']);
  assert.deepEqual(one.posted, [
    {
      type: 'addDraft',
      text: `You now work in ${one.there}, which has your changes. Don’t change files in ${one.repository.folder}.`,
      attachments: [],
    },
  ]);
});

test('follows a rename, and keeps binary files and line breaks exact', needsGit, async (t) => {
  const one = Moving.start(t, { 'a.txt': seven, 'b.txt': 'one\r\ntwo\r\n' });
  await one.turn(() => {
    renameSync(join(one.repository.folder, 'a.txt'), join(one.repository.folder, 'z.txt'));
    one.repository.write('b.txt', 'one\r\nTWO\r\n');
    one.repository.write('c.bin', Buffer.from([0, 1, 255]));
  });
  const round = new ReviewRound(one.window.review.log, {}, (uri) => uri);
  one.window.review.log.onDidChange(() => void round.update());
  await one.move();
  // A review page counts them as neither kept nor undone.
  assert.deepEqual(round.all.decided, []);
  assert.equal(one.repository.read('a.txt'), seven);
  assert.equal(one.repository.read('b.txt'), 'one\r\ntwo\r\n');
  assert.deepEqual(one.repository.status(), []);
  assert.equal(one.read('z.txt'), seven);
  assert.equal(one.read('a.txt'), undefined);
  assert.equal(one.read('b.txt'), 'one\r\nTWO\r\n');
  assert.deepEqual(await one.changed(), ['b.txt', 'c.bin', 'a.txt → z.txt']);
});

test('leaves changes that the user edited, and those of others', needsGit, async (t) => {
  const one = Moving.start(t, { 'a.txt': seven, 'b.txt': seven });
  const other = one.window.session('Other');
  await one.turn(() => one.repository.write('a.txt', seven.replace('one', 'ONE').replace('seven', 'SEVEN')));
  await one.window.begin(other);
  one.repository.write('b.txt', seven.replace('two', 'OTHER'));
  await one.window.end(other);
  await one.save('a.txt', seven.replace('one', 'ONE, edited').replace('seven', 'SEVEN'));
  await one.move();
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'ONE, edited'));
  assert.equal(one.repository.read('b.txt'), seven.replace('two', 'OTHER'));
  assert.equal(one.pendingHere.length, 2);
  assert.match(one.notices[0]?.description ?? '', /a\.txt: you or another agent also edited some of these changes/);
});

test('leaves ignored files and files with unsaved text', needsGit, async (t) => {
  const one = Moving.start(t, { '.gitignore': 'out.txt\n', 'a.txt': seven });
  await one.turn(() => {
    one.repository.write('a.txt', seven.replace('one', 'ONE'));
    one.repository.write('out.txt', 'out\n');
  });
  one.window.documents.open(one.window.path('a.txt')).type(seven.replace('one', 'ONE').replace('seven', 'typed'));
  await one.move();
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'ONE'));
  const [notice] = one.notices;
  assert.equal(notice?.title, 'This session now works in the worktree “fix”');
  assert.match(notice.description ?? '', /a\.txt has unsaved text, so its changes stay here\.$/m);
  assert.match(notice.description ?? '', /out\.txt is ignored by Git, so its changes stay here\.$/m);
});

test('leaves what the user typed while the questions were open', needsGit, async (t) => {
  const one = Moving.start(t, { 'a.txt': seven });
  await one.turn(() => one.repository.write('a.txt', seven.replace('one', 'ONE')));
  const document = one.window.documents.open(one.window.path('a.txt'));
  one.answering = () => document.type(`${seven.replace('one', 'ONE')}typed`);
  await one.move();
  assert.equal(document.getText(), `${seven.replace('one', 'ONE')}typed`);
  assert.deepEqual(one.pendingThere, []);
});

test('attaches the conversation if the agent can’t reopen it', needsGit, async (t) => {
  const one = Moving.start(t, { 'a.txt': seven });
  one.remembers = false;
  await one.turn(() => one.repository.write('a.txt', seven.replace('one', 'ONE')));
  const content = [{ type: 'text', text: 'Fix the parser' }];
  Object.assign(one.session.transcript.entries.get('m1') ?? {}, { content, state: 'sent' });
  await one.move();
  const [draft] = one.posted;
  assert.ok(draft?.type === 'addDraft');
  const [attachment] = draft.attachments;
  assert.ok(attachment?.type === 'resource' && attachment.text.includes('Fix the parser'));
  assert.match(one.notices[0]?.description ?? '', /couldn’t reopen the conversation there\. It’s attached/);
  assert.equal(one.notices[0]?.severity, 'warning');
});

test('changes nothing here if the worktree can’t be written', needsGit, async (t) => {
  const one = Moving.start(t, { 'a.txt': seven });
  await one.turn(() => one.repository.write('a.txt', seven.replace('one', 'ONE')));
  const { review } = one.window;
  const broken: MoveServices['review'] = {
    log: review.log,
    disk: review.disk,
    turns: review.turns,
    applying: () => Promise.reject(new Error('No space left')),
  };
  await assert.rejects(one.move({ review: broken }), /No space left/);
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'ONE'));
  assert.equal(one.pendingHere.length, 1);
  assert.deepEqual(one.moves, []);
  assert.ok(!existsSync(one.there));
  assert.deepEqual(readdirSync(join(one.repository.folder, '.git', 'parley', 'worktrees')), []);
});

test('waits for the turn, and asks about files that run programs', needsGit, async (t) => {
  const one = Moving.start(t, { 'a.txt': seven });
  await one.turn(() => one.repository.write('.vscode/tasks.json', '{}\n'));
  one.session.begin();
  await one.move();
  assert.deepEqual(editor.shown.at(-1)?.message, 'Fixer is still working. Wait until its turn ends, or stop it.');
  await one.window.end(one.session);
  await one.move();
  assert.match(editor.shown.at(-1)?.message ?? '', /^Change \.vscode\/tasks\.json\?/);
  assert.ok(one.repository.has('.vscode/tasks.json') && !existsSync(one.there));
  editor.answers.push('Move Changes');
  await one.move();
  assert.ok(!one.repository.has('.vscode/tasks.json'));
  assert.equal(one.read('.vscode/tasks.json'), '{}\n');
});
