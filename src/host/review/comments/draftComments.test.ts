// Comments on changes that are collected and sent together.
import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { askedActions } from '../../../../test/unit-support/askedActions';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import { comments as commentsApi, CommentMode, editor } from '../../../../test/unit-support/vscode';
import type { AgentPool } from '../../../agent/pool/agentPool';
import { seenLines, type DraftComment } from '../../../review/comments/draftComment';
import { anchorAt } from '../../../review/comments/remarkLine';
import { ReviewLog } from '../../../review/log/reviewLog';
import type { SessionKey } from '../../../shared/values/ids';
import { StorageWindows } from '../../storage/storageWindows';
import { untold } from '../../storage/storageTroubles';
import { CommentThreads, type ShownComment } from './commentThreads';
import { DraftComments } from './draftComments';
import { ReviewComments } from './reviewComments';

beforeEach(() => editor.reset());

const uris = ['file:///project/a.txt', 'file:///project/b.txt'];

/** A window with changes of an agent in two files. */
class Desk {
  readonly log = new ReviewLog();
  readonly sent: string[] = [];
  readonly sessions: object[] = [];
  readonly drafts: DraftComments;
  readonly comments: ReviewComments;
  private readonly windows: StorageWindows;

  constructor(storage: string, agents: readonly string[] = ['Claude', 'Claude']) {
    editor.folders = ['/project'];
    this.windows = new StorageWindows(storage);
    for (const [at, uri] of uris.entries()) {
      const agentName = agents[at] ?? '';
      const session = `session:${agentName}` as SessionKey;
      this.log.track(uri, { kind: 'text', text: 'one\n' });
      this.log.agentEdit(uri, { kind: 'text', text: 'ONE\n' }, { kind: 'agent', agentName, session, turn: 1 });
    }
    for (const agentName of new Set(agents)) {
      const sendPrompt = (text: string) => void this.sent.push(`${agentName}: ${text}`);
      this.sessions.push({
        key: `session:${agentName}`,
        context: { agentName },
        transcript: { view: { title: '' } },
        sendPrompt,
      });
    }
    this.drafts = new DraftComments(this.log, { storage, windows: this.windows, troubles: untold });
    this.comments = new ReviewComments(
      this.log,
      { sessions: this.sessions } as unknown as AgentPool,
      this.drafts,
      askedActions().act,
    );
  }

  add(at: number, text: string): boolean {
    const uri = uris[at]!;
    return this.comments.addTyped(uri, this.log.file(uri)!.hunks[0]!.id, text);
  }

  get states(): readonly (readonly [string, string | undefined])[] {
    return this.drafts.all.map(({ text, sentTo }) => [text, sentTo] as const);
  }

  async close(): Promise<void> {
    this.comments.dispose();
    this.drafts.dispose();
    await this.drafts.flush();
    this.windows.leave();
  }
}

function desk(context: TestContext, agents?: readonly string[]) {
  let remove: () => Promise<void> = () => Promise.resolve();
  const root = tempFolder({ after: (end) => (remove = end) });
  const desks: Desk[] = [];
  const open = () => {
    const next = new Desk(root, agents);
    desks.push(next);
    return next;
  };
  context.after(async () => {
    for (const one of desks) await one.close();
    await remove();
  });
  return { window: open(), open };
}

test('drafts across files become one message, and say that', async (context) => {
  const { window } = desk(context);
  assert.ok(window.add(0, 'Why?'));
  assert.ok(window.add(1, 'And here?'));
  assert.ok(!window.add(1, '  '));
  await window.comments.sendDrafts();
  assert.equal(window.sent.length, 1);
  assert.match(
    window.sent[0]!,
    /^Claude: I have 2 comments on your changes\.\n\nComment 1: Why\?\n\nThis is about your change in a\.txt/,
  );
  assert.deepEqual(window.states, [
    ['Why?', 'Claude'],
    ['And here?', 'Claude'],
  ]);
  await window.comments.sendDrafts();
  assert.equal(window.sent.length, 1);
});

test('each agent gets the comments on its own changes', async (context) => {
  const { window } = desk(context, ['Claude', 'Codex']);
  window.add(0, 'Why?');
  window.add(1, 'And here?');
  await window.comments.sendDrafts();
  assert.deepEqual(
    window.sent.map((message) => message.split('\n')[0]),
    ['Claude: Why?', 'Codex: And here?'],
  );
});

test('drafts that no session gets stay drafts', async (context) => {
  const { window } = desk(context);
  window.add(0, 'Why?');
  window.sessions.length = 0;
  await window.comments.sendDrafts();
  assert.deepEqual(window.states, [['Why?', undefined]]);
});

test('drafts survive a reload, and follow their changes', async (context) => {
  const { window, open } = desk(context);
  window.add(0, 'Why?');
  await window.close();
  const next = open();
  await next.drafts.load();
  assert.deepEqual(next.states, [['Why?', undefined]]);
  await next.comments.sendDrafts();
  next.log.keepAll();
  assert.deepEqual(next.states, []);
});

/** A remark of Codex on the first file. */
function remarkIn(window: Desk): DraftComment {
  const file = window.log.file(uris[0]!)!;
  const [hunk] = file.hunks;
  assert.ok(hunk);
  return window.drafts.add({
    uri: uris[0]!,
    hunk: hunk.id,
    line: 0,
    authors: hunk.authors,
    text: 'Too loud',
    seen: seenLines(file, hunk.id),
    remark: {
      agentName: 'Codex',
      session: 'session:Codex' as SessionKey,
      written: 'a.txt:1',
      isChosen: false,
      anchor: anchorAt(['ONE'], 0),
    },
  });
}

/** Answers the next question about the session with the entry of an agent. */
function choose(agentName: string): readonly string[] {
  const offered: string[] = [];
  editor.subscribe('shown', () => {
    const [items] = (editor.shown.at(-1)?.items ?? []) as readonly { label: string; description?: string }[][];
    offered.push(...(items ?? []).map(({ label, description = '' }) => `${label}: ${description}`));
    editor.answers.push(items?.find(({ description }) => description === agentName) as unknown as string);
  });
  return offered;
}

test('a remark goes to the session that the user selects', async (context) => {
  const { window } = desk(context, ['Claude', 'Codex', 'Gemini']);
  const { id } = remarkIn(window);
  const offered = choose('Gemini');
  await window.comments.sendTo(id);
  assert.deepEqual(offered, [
    'Untitled session: Claude · this is about its change',
    'Untitled session: Gemini',
    'Untitled session: Codex',
    'New session with Claude: ',
  ]);
  assert.match(
    window.sent[0]!,
    /^Gemini: Another agent \(Codex\) reviewed this, and I agree with its remark:\n\n> Too loud/,
  );
  assert.match(window.sent[0]!, /a change by Claude, made in another session, in a\.txt/);
  assert.deepEqual(window.states, [['Too loud', 'Gemini']]);
  // A reply follows to that session.
  window.comments.addTyped(uris[0]!, id, 'Do it');
  await window.comments.sendDrafts();
  assert.match(window.sent[1]!, /^Gemini: Another agent \(Codex\) reviewed this and made this remark:/);
});

test('a remark that nobody was selected for stays a draft', async (context) => {
  const { window } = desk(context);
  await window.comments.sendTo(remarkIn(window).id);
  assert.deepEqual([window.sent, window.states], [[], [['Too loud', undefined]]]);
});

test('a reply quotes what it answers, and both are sent once', async (context) => {
  const { window } = desk(context);
  const { id } = remarkIn(window);
  assert.ok(window.comments.addTyped(uris[0]!, id, 'Only a little'));
  await window.comments.sendDrafts();
  assert.match(
    window.sent[0]!,
    /^Claude: Another agent \(Codex\) reviewed this and made this remark:\n\n> Too loud\n\nOnly a little\n\nThe remark is about line 1\.\n\nThis is about your change/,
  );
  assert.deepEqual(window.states, [
    ['Too loud', 'Claude'],
    ['Only a little', 'Claude'],
  ]);
  await window.comments.sendDrafts();
  assert.equal(window.sent.length, 1);
  // A reply to a sent comment that is sent at once stays in its thread.
  assert.ok(await window.comments.sendTyped(uris[0]!, id, 'Well?'));
  assert.equal(window.drafts.repliesTo(id).length, 2);
});

test('a reply moves with its remark, and outlives it', (context) => {
  const { window } = desk(context);
  const { id } = remarkIn(window);
  window.comments.addTyped(uris[0]!, id, 'Only a little');
  window.log.userEdit(uris[0]!, { kind: 'text', text: 'zero\nONE\n' });
  assert.deepEqual(
    window.drafts.all.map(({ line }) => line),
    [1, 1],
  );
  window.drafts.remove(id);
  assert.deepEqual(window.states, [['Only a little', undefined]]);
});

test('an edited comment is a draft with the new words', async (context) => {
  const { window } = desk(context);
  window.add(0, 'Why?');
  const { comments, drafts } = window;
  assert.ok(comments.saveEdit(drafts.all[0]!.id, 'Why so loud?'));
  assert.deepEqual(window.states, [['Why so loud?', undefined]]);
  await comments.sendDrafts();
  assert.ok(comments.saveEdit(drafts.all[0]!.id, 'Please answer'));
  assert.deepEqual(window.states, [['Please answer', undefined]]);
  // Without words, it stays as it was.
  assert.ok(!comments.saveEdit(drafts.all[0]!.id, ' '));
  assert.deepEqual(window.states, [['Please answer', undefined]]);
});

test('the words of a remark can’t be edited', (context) => {
  const { window } = desk(context);
  assert.ok(!window.comments.saveEdit(remarkIn(window).id, 'Fine'));
  assert.deepEqual(window.states, [['Too loud', undefined]]);
});

test('a reviewer that gets its own remark is told so', async (context) => {
  const { window } = desk(context, ['Claude', 'Codex']);
  const { id } = remarkIn(window);
  choose('Codex');
  window.comments.addTyped(uris[0]!, id, 'Why?');
  await window.comments.sendTo(id);
  assert.match(window.sent[0]!, /^Codex: You made this remark:\n\n> Too loud\n\nWhy\?/);
});

interface Thread {
  comments: readonly ShownComment[];
  isGone?: true;
}

/** The threads that the editor shows of a window's comments. `update` shows what has changed. */
function threadsOf(context: TestContext, window: Desk) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const all: Thread[] = [];
  const createCommentThread = () => {
    const thread: Thread = { comments: [] };
    all.push(thread);
    return Object.assign(thread, { dispose: () => (thread.isGone = true) });
  };
  Object.assign(commentsApi, { createCommentController: () => ({ createCommentThread, dispose: () => undefined }) });
  context.after(() => Reflect.deleteProperty(commentsApi, 'createCommentController'));
  const threads = new CommentThreads(window.drafts, (...edit) => window.comments.saveEdit(...edit));
  context.after(() => threads.dispose());
  /** What the editor has, each comment with whether it is edited. */
  const shown = () =>
    all.flatMap(({ comments, isGone }) =>
      isGone ? [] : [comments.map(({ body, mode }) => [body, (mode as number) === CommentMode.Editing])],
    );
  return { threads, all, shown, update: () => context.mock.timers.tick(1000) };
}

test('edits a comment in its place in the editor, with several lines', (context) => {
  const { window } = desk(context);
  const { threads, all, shown, update } = threadsOf(context, window);
  window.add(0, 'Why?');
  update();
  const { id } = window.drafts.all[0]!;
  const [object] = all[0]!.comments;
  threads.edit(id);
  assert.deepEqual(shown(), [[['Why?', true]]]);
  assert.equal(object?.contextValue, 'edited');
  // The editor puts what is typed there before it runs either command.
  object.body = 'Never mind';
  threads.cancelEdit(id);
  assert.deepEqual([shown(), window.states], [[[['Why?', false]]], [['Why?', undefined]]]);
  threads.edit(id);
  threads.saveEdit(id, 'Why?\nAnd how?');
  update();
  assert.deepEqual(shown(), [[['Why?\nAnd how?', false]]]);
  // Another object would be another comment for the editor.
  assert.equal(all[0]!.comments[0], object);
  threads.edit(id);
  object.body = ' ';
  threads.saveEdit(id, ' ');
  assert.deepEqual(shown(), [[['Why?\nAnd how?', false]]]);
  assert.equal(editor.shown.at(-1)?.message, 'The comment has no text, so it was left as it was.');
});

test('what is typed into a comment survives changes of the comment', async (context) => {
  const { window } = desk(context);
  const { threads, all, shown, update } = threadsOf(context, window);
  window.add(0, 'Why?');
  update();
  const { id } = window.drafts.all[0]!;
  const [object] = all[0]!.comments;
  threads.edit(id);
  window.drafts.change(id, { text: 'Why so loud?' });
  await window.comments.sendDrafts();
  update();
  assert.deepEqual(shown(), [[['Why so loud?', true]]]);
  // A sent comment ends with its change.
  window.log.keep(uris[0]!, 'all');
  update();
  assert.deepEqual(window.states, []);
  assert.deepEqual(shown(), [[['Why so loud?', true]]]);
  assert.equal(all[0]!.comments[0], object);
  threads.saveEdit(id, 'Why at all?');
  update();
  assert.deepEqual(window.states, [['Why at all?', undefined]]);
  assert.deepEqual(shown(), [[['Why at all?', false]]]);
});

test('a reply that is edited survives the end of its thread', (context) => {
  const { window } = desk(context);
  const { threads, shown, update } = threadsOf(context, window);
  const remark = remarkIn(window);
  window.comments.addTyped(remark.uri, remark.id, 'Only a little');
  update();
  // The words of a remark aren't the user's.
  threads.edit(remark.id);
  const reply = window.drafts.all[1]!;
  threads.edit(reply.id);
  assert.deepEqual(shown(), [
    [
      ['Too loud', false],
      ['Only a little', true],
    ],
  ]);
  window.drafts.remove(remark.id);
  update();
  assert.deepEqual(shown(), [
    [
      ['Too loud', false],
      ['Only a little', true],
    ],
  ]);
  threads.saveEdit(reply.id, 'A lot');
  update();
  assert.deepEqual([shown(), window.states], [[[['A lot', false]]], [['A lot', undefined]]]);
});
