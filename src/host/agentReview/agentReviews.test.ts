// A second agent reviews changes: its session, its remarks, and their places.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { askedActions } from '../../../test/unit-support/askedActions';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { ReviewLog } from '../../review/log/reviewLog';
import type { NoticeText, Session } from '../../session/session';
import { Emitter } from '../../shared/values/event';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import { DraftComments } from '../review/comments/draftComments';
import { ReviewComments } from '../review/comments/reviewComments';
import { StorageWindows } from '../storage/storageWindows';
import { untold } from '../storage/storageTroubles';
import { AgentReviews, type ReviewWindow } from './agentReviews';
import { reviewedChanges } from './reviewedChanges';
import { worktreeReview } from './worktreeReview';

beforeEach(() => editor.reset());

const uri = 'file:///w/a.ts';
const before = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const after = 'ONE\ntwo\nthree\nfour\nFIVE\nsix\n';

/** A window in which Claude has changed a file, and whose user selects Codex as the reviewer. */
class Desk {
  readonly log = new ReviewLog();
  readonly claude = new SessionHarness('Claude').open();
  readonly codex = new SessionHarness('Codex', undefined, '/workspace', 'session:2');
  readonly changed = new Emitter<void>();
  readonly sessions: Session[] = [this.claude.session];
  readonly drafts: DraftComments;
  readonly comments: ReviewComments;
  readonly reviews: AgentReviews;
  readonly refused: string[] = [];
  text = after;
  private readonly windows: StorageWindows;

  constructor(storage: string, choices: Partial<ReviewWindow> = {}) {
    const { log, sessions } = this;
    editor.folders = ['/w'];
    this.windows = new StorageWindows(storage);
    this.drafts = new DraftComments(log, { storage, windows: this.windows, troubles: untold });
    this.comments = new ReviewComments(log, { sessions } as unknown as AgentPool, this.drafts, askedActions().act);
    const pool = { sessions, onDidChangeSessions: this.changed.event };
    this.reviews = new AgentReviews(pool, log, this.drafts, {
      mayStart: () => true,
      pickAgent: () => Promise.resolve('settings:Codex' as AgentId),
      changesOf: (scope, cwd) => reviewedChanges(log, scope, cwd, (one) => one.replace('file://', '')),
      worktreeChangesOf: () => Promise.resolve(undefined),
      createSession: () => {
        sessions.push(this.codex.session);
        return this.codex.session;
      },
      textOf: () => Promise.resolve(this.text),
      refuse: (why) => this.refused.push(why),
      report: (error) => assert.fail(String(error)),
      ...choices,
    });
  }

  async claudeChanges(): Promise<void> {
    this.claude.session.sendPrompt('Shout at both ends');
    await this.claude.agent.end();
    this.log.track(uri, { kind: 'text', text: before });
    this.edit(after, 1);
  }

  edit(text: string, turn: number): void {
    this.text = text;
    const session = this.claude.session.key;
    this.log.agentEdit(uri, { kind: 'text', text }, { kind: 'agent', agentName: 'Claude', session, turn });
  }

  async reviewed(answer: string): Promise<void> {
    const start = this.reviews.start({ session: this.claude.session.key }, undefined);
    await start;
    this.codex.open();
    await settle();
    this.codex.say(answer);
    await this.codex.agent.end();
    this.changed.fire();
    await settle();
  }

  get placed(): readonly string[] {
    return this.drafts.all.map(({ line, text, hunk }) => `${line + 1} ${text}${hunk === '' ? '' : ' (changed)'}`);
  }

  async close(): Promise<void> {
    this.reviews.dispose();
    this.comments.dispose();
    this.drafts.dispose();
    await this.drafts.flush();
    this.windows.leave();
  }
}

function noticesOf(session: Session): readonly NoticeText[] {
  return [...session.transcript.entries.values()].filter((entry) => entry.kind === 'notice');
}

async function desk(context: TestContext, choices?: Partial<ReviewWindow>): Promise<Desk> {
  let opened: Desk | undefined = undefined;
  // Before the folder is removed.
  context.after(() => opened?.close());
  opened = new Desk(tempFolder(context), choices);
  await opened.claudeChanges();
  return opened;
}

test('gives the reviewer task and changes, and links both sessions', async (context) => {
  const window = await desk(context);
  await window.reviewed('[]');
  const { claude, codex } = window;
  const [prompt = ''] = codex.agent.heard;
  assert.match(prompt, /another agent \(Claude\)/);
  assert.match(prompt, /Shout at both ends/);
  assert.match(prompt, /^-five\n\+FIVE$/m);
  assert.equal(codex.session.transcript.view.reviews?.session, claude.session.key);
  assert.equal(noticesOf(codex.session)[0]?.opens, claude.session.key);
  const told = noticesOf(claude.session).at(-1);
  assert.deepEqual(
    [told?.title, told?.opens, told?.hasRemarks],
    ['Codex has no remarks', codex.session.key, undefined],
  );
});

test('remarks stay at their lines through a keep, an undo, and edits', async (context) => {
  const window = await desk(context);
  await window.reviewed(
    '```json\n[{"path":"a.ts","line":1,"text":"Why?"},{"path":"./a.ts","line":5,"text":"Too loud"}]\n```',
  );
  assert.deepEqual(window.placed, ['1 Why? (changed)', '5 Too loud (changed)']);
  assert.equal(noticesOf(window.claude.session).at(-1)?.title, 'Codex has 2 remarks');
  const { log } = window;
  log.keep(uri, [log.file(uri)!.hunks[0]!.id]);
  assert.deepEqual(window.placed, ['1 Why?', '5 Too loud (changed)']);
  window.edit(`// new\n// lines\n${after}`, 2);
  assert.deepEqual(window.placed, ['3 Why?', '7 Too loud (changed)']);
  const hunk = log.file(uri)!.hunks.at(-1)!;
  log.userEdit(uri, log.undo(uri, [hunk.id])!.result);
  assert.deepEqual(window.placed, ['3 Why?', '7 Too loud']);
  window.drafts.followText(uri, `// new\n${after.replace('FIVE', 'five')}`);
  assert.deepEqual(
    window.drafts.all.map(({ line }) => line + 1),
    [2, 6],
  );
});

test('a later turn at a remark’s line marks it, no other one', async (context) => {
  const window = await desk(context);
  await window.reviewed('a.ts:1: Why?\na.ts:3: Missing\na.ts:5: Too loud');
  const outdated = () => window.drafts.all.flatMap(({ text, isOutdated }) => (isOutdated ? [text] : []));
  assert.deepEqual(outdated(), []);
  window.log.userEdit(uri, { kind: 'text', text: after.replace('FIVE', 'FIVE!') });
  assert.deepEqual(outdated(), []);
  window.edit(after.replace('FIVE', 'quiet'), 2);
  assert.deepEqual(outdated(), ['Too loud']);
  // Also where no change was when the remark was made.
  window.edit(after.replace('FIVE', 'quiet').replace('three', '3'), 2);
  assert.deepEqual(outdated(), ['Missing', 'Too loud']);
});

test('a remark on a line that has changed meanwhile says so', async (context) => {
  const window = await desk(context);
  const start = window.reviews.start({ session: window.claude.session.key }, undefined);
  await start;
  window.codex.open();
  await settle();
  window.edit(after.replace('FIVE', 'quiet'), 2);
  window.codex.say('a.ts:1: Why?\na.ts:5: Too loud');
  await window.codex.agent.end();
  window.changed.fire();
  await settle();
  assert.deepEqual(
    window.drafts.all.map(({ text, isOutdated = false }) => [text, isOutdated]),
    [
      ['Why?', false],
      ['Too loud', true],
    ],
  );
});

test('a remark is placed by the lines that the reviewer saw', async (context) => {
  const window = await desk(context);
  const start = window.reviews.start({ session: window.claude.session.key }, undefined);
  await start;
  window.codex.open();
  await settle();
  window.edit(`first\n${after}`, 2);
  window.codex.say('a.ts:5: Too loud');
  await window.codex.agent.end();
  window.changed.fire();
  await settle();
  assert.deepEqual(window.placed, ['6 Too loud (changed)']);
});

test('only chosen remarks are sent, as one message with the user’s comments', async (context) => {
  const window = await desk(context);
  await window.reviewed('a.ts:1: Why?\nb.ts:9: Where?\na.ts:5: Too loud');
  assert.equal(window.drafts.drafts.length, 0);
  for (const { id, text } of window.drafts.all) if (text !== 'Why?') window.drafts.choose(id, true);
  window.comments.addTyped(uri, window.log.file(uri)!.hunks[0]!.id, 'Lower case');
  await window.comments.sendDrafts();
  const message = window.claude.agent.heard.at(-1) ?? '';
  assert.match(message, /^prompt I have 3 comments on your changes\./);
  assert.match(
    message,
    /Another agent \(Codex\) reviewed this, and I agree with its remark:\n\n> Where\?\n\nThe remark is about b\.ts:9\./,
  );
  assert.match(message, /> Too loud\n\nThe remark is about line 5\.\n\nThis is about your change in .*a\.ts, line 5:/);
  assert.match(message, /Lower case/);
  assert.doesNotMatch(message, /Why\?/);
  assert.deepEqual(
    window.drafts.all.map(({ text, sentTo }) => [text, sentTo]),
    [
      ['Why?', undefined],
      ['Where?', 'Claude'],
      ['Too loud', 'Claude'],
      ['Lower case', 'Claude'],
    ],
  );
});

test('what can’t be placed is listed in the reviewer’s session', async (context) => {
  const window = await desk(context);
  await window.reviewed(
    '[{"path":"other.ts","line":2,"text":"Not mine"},{"path":"a.ts","line":99,"text":"Too far"},{"text":"In general"}]',
  );
  assert.deepEqual(
    window.drafts.all.map((one) => [one.uri, one.remark?.written, one.text]),
    [
      ['', 'other.ts:2', 'Not mine'],
      ['', 'a.ts:99', 'Too far'],
      ['', '', 'In general'],
    ],
  );
  const listed = noticesOf(window.codex.session).at(-1);
  assert.equal(listed?.description, 'Without a place:\n• other.ts:2: Not mine\n• a.ts:99: Too far\n• In general');
});

test('tells what a reviewer changed by itself', async (context) => {
  const window = await desk(context);
  const author = { kind: 'agent', agentName: 'Codex', session: window.codex.session.key, turn: 1 } as const;
  window.log.agentEdit(uri, { kind: 'text', text: after.replace('six', 'SIX') }, author);
  await window.reviewed('[]');
  const offers = () => noticesOf(window.codex.session).map(({ title, hasChanges = false }) => [title, hasChanges]);
  assert.deepEqual(offers(), [
    ['Review of “Shout at both ends”', false],
    ['Codex changed 1 file although it only reviews', true],
  ]);
  // Only the newest notice offers to undo it.
  window.codex.session.sendPrompt('And now?');
  window.codex.say('[]');
  await ends(window, 'end_turn');
  assert.deepEqual(offers().slice(1), [
    ['Codex changed 1 file although it only reviews', false],
    ['Codex changed 1 file although it only reviews', true],
  ]);
});

/** The reviewer asks to run something, which is rejected by rule. */
async function isRejected(window: Desk): Promise<void> {
  const { codex } = window;
  const answer = codex.ask({ toolCallId: `c${codex.all('tool_call').length}`, title: 'npm test', kind: 'execute' });
  const call = codex.all('tool_call').at(-1)!;
  assert.ok(call.permission.state === 'asked');
  codex.session.answerPermission(call.permission.request, 'no');
  await answer;
}

async function ends(window: Desk, stopReason: string): Promise<void> {
  await window.codex.agent.end(stopReason);
  window.changed.fire();
  await settle();
}

const prompts = ({ codex }: Desk) => codex.agent.heard.filter((line) => line.startsWith('prompt '));

test('a reviewer that a rejection stopped is asked for its remarks', async (context) => {
  const window = await desk(context);
  await window.reviews.start({ session: window.claude.session.key }, undefined);
  window.codex.open();
  await settle();
  await isRejected(window);
  await ends(window, 'cancelled');
  assert.equal(prompts(window).length, 2);
  assert.match(prompts(window)[1] ?? '', /^prompt Your request was rejected because this is a review: .*```json/s);
  assert.equal(noticesOf(window.claude.session).at(-1)?.title, 'Codex is reviewing these changes');
  window.codex.say('a.ts:5: Too loud');
  await ends(window, 'end_turn');
  assert.deepEqual(window.placed, ['5 Too loud (changed)']);
  assert.equal(noticesOf(window.claude.session).at(-1)?.title, 'Codex has 1 remark');
  // After a message of the user's, again.
  window.codex.session.sendPrompt('Go on');
  await isRejected(window);
  await ends(window, 'cancelled');
  assert.equal(prompts(window).length, 4);
});

test('a reviewer is asked for its remarks only once', async (context) => {
  const window = await desk(context);
  await window.reviews.start({ session: window.claude.session.key }, undefined);
  window.codex.open();
  await settle();
  for (const count of [2, 2]) {
    await isRejected(window);
    await ends(window, 'cancelled');
    assert.equal(prompts(window).length, count);
  }
  assert.equal(noticesOf(window.claude.session).at(-1)?.title, 'Codex has no remarks');
});

test('a reviewer that the user stopped isn’t asked again', async (context) => {
  const window = await desk(context);
  await window.reviews.start({ session: window.claude.session.key }, undefined);
  window.codex.open();
  await settle();
  await isRejected(window);
  window.codex.session.cancel();
  await ends(window, 'cancelled');
  assert.equal(prompts(window).length, 1);
});

test('a reviewer without remarks after a rejection isn’t asked again', async (context) => {
  const window = await desk(context);
  await window.reviews.start({ session: window.claude.session.key }, undefined);
  window.codex.open();
  await settle();
  await isRejected(window);
  window.codex.say('```json\n[]\n```');
  await ends(window, 'end_turn');
  assert.equal(prompts(window).length, 1);
  assert.equal(noticesOf(window.claude.session).at(-1)?.title, 'Codex has no remarks');
});

test('a worktree is reviewed with what was committed and kept there', needsGit, async (context) => {
  const repository = new GitRepository(context);
  for (const name of ['a.ts', 'b.ts', 'c.ts']) repository.write(name, before);
  repository.write('gone.ts', 'old\n');
  repository.commit();
  const worktree = await fixWorktree(repository);
  const { path } = worktree.record;
  repository.write('a.ts', before.replace('two', 'committed'), path);
  repository.commit('Work', path);
  repository.write('b.ts', before.replace('five', 'kept'), path);
  repository.write('new.bin', '\0\0', path);
  rmSync(join(path, 'gone.ts'));
  const uriOf = (file: string) => pathToFileURL(file).toString();
  const window = await desk(context, {
    worktreeChangesOf: (session, cwd) => {
      assert.equal(cwd, '/workspace');
      return worktreeReview(worktree, path, { kind: 'agent', agentName: 'Claude', session, turn: 0 }, uriOf);
    },
    textOf: (file) => readFile(fileURLToPath(file), 'utf8'),
  });
  // Nothing waits for review.
  window.log.keepAll();
  await window.reviews.startWorktree(window.claude.session);
  window.codex.open();
  await settle();
  const [prompt = ''] = window.codex.agent.heard;
  assert.match(prompt, /everything that has changed in this Git worktree/);
  assert.match(prompt, /\+\+\+ b\/a\.ts\n[^]*-two\n\+committed\n/);
  assert.match(prompt, /\+\+\+ b\/b\.ts\n[^]*-five\n\+kept\n/);
  assert.match(prompt, /--- a\/gone\.ts\n\+\+\+ \/dev\/null/);
  assert.doesNotMatch(prompt, /c\.ts|new\.bin/);
  repository.write('b.ts', `first\n${before.replace('five', 'kept')}`, path);
  window.codex.say('b.ts:5: Why?');
  await window.codex.agent.end();
  const isPlaced = new Promise<void>((resolve) => window.drafts.onDidChange(resolve));
  window.changed.fire();
  await isPlaced;
  const [remark] = window.drafts.all;
  assert.deepEqual([remark?.uri, remark?.line, remark?.hunk], [uriOf(join(path, 'b.ts')), 5, '']);
  await window.comments.sendOne(remark!.id);
  assert.match(window.claude.agent.heard.at(-1) ?? '', /> Why\?/);
});

test('a review of a worktree without one says so', async (context) => {
  const window = await desk(context);
  await window.reviews.startWorktree(window.claude.session);
  assert.deepEqual(window.refused, ['There are no changes in a worktree to review.']);
  assert.equal(window.sessions.length, 1);
});

test('starts nothing without changes, an agent, or trust', async (context) => {
  const key = (window: Desk) => window.claude.session.key;
  const empty = await desk(context);
  empty.log.keepAll();
  await empty.reviews.start({ session: key(empty) }, undefined);
  assert.deepEqual(empty.refused, ['There are no changes to review.']);
  const cancelled = await desk(context, { pickAgent: () => Promise.resolve(undefined) });
  const untrusted = await desk(context, { mayStart: () => false });
  for (const window of [empty, cancelled, untrusted]) {
    await window.reviews.start({ session: key(window) }, undefined);
    assert.equal(window.sessions.length, 1);
  }
  const other = await desk(context);
  await other.reviews.start({ session: 'gone' as SessionKey }, undefined);
  assert.equal(other.refused.length, 1);
});

test('says in the reviewed session why the reviewer doesn’t answer', async (context) => {
  const { reviews, claude, codex, changed } = await desk(context);
  await reviews.start({ session: claude.session.key }, undefined);
  const title = () => {
    changed.fire();
    return noticesOf(claude.session).flatMap((one) => (one.opens === codex.session.key ? [one.title] : []));
  };
  assert.deepEqual(title(), ['Codex is reviewing these changes']);
  codex.session.agentSide.awaitLogin();
  assert.deepEqual(title(), ['Codex can’t review until you sign in']);
  codex.open();
  assert.deepEqual(title(), ['Codex is reviewing these changes']);
  await settle();
  await codex.agent.fail(new Error('no'));
  changed.fire();
  await settle();
  assert.deepEqual(title(), ['Codex stopped before it reviewed these changes']);
});
