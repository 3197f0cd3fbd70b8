// Plans that agents ask about: edited, commented on, approved, and sent back.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { comments as commentsApi, editor, Range } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/values/event';
import { StorageWindows } from '../storage/storageWindows';
import { untold } from '../storage/storageTroubles';
import { Plans } from './plans';
import { ProposalTexts } from './proposalTexts';

beforeEach(() => editor.reset());

const plan = '# Plan\n1. read\n2. write\n';
const options = [
  { optionId: 'ask', name: 'Yes, ask before edits', kind: 'allow_once' },
  { optionId: 'auto', name: 'Yes, and edit', kind: 'allow_always' },
  { optionId: 'no', name: 'Keep planning', kind: 'reject_once' },
];

interface Thread {
  readonly uri: string;
  range: Range;
  comments: readonly { readonly body: string }[];
  label: string;
}

/** The comment threads that the editor shows. */
function fakeThreads(): ReadonlySet<Thread> {
  const threads = new Set<Thread>();
  const createCommentThread = (uri: unknown, range: Range) => {
    const thread: Thread = { uri: String(uri), range, comments: [], label: '' };
    threads.add(thread);
    return Object.assign(thread, { dispose: () => threads.delete(thread) });
  };
  const controller = { createCommentThread, dispose: () => threads.clear() };
  Object.assign(commentsApi, { createCommentController: () => controller });
  return threads;
}

/** A window. With `from`, it's the next one of the same workspace. */
function desk(context: TestContext, from?: { readonly root: string; readonly windows: (() => Promise<void>)[] }) {
  let remove: () => Promise<void> = () => Promise.resolve();
  const root = from?.root ?? tempFolder({ after: (end) => (remove = end) });
  const open = from?.windows ?? [];
  const shown = fakeThreads();
  const windows = new StorageWindows(join(root, 'storage'));
  const texts = new ProposalTexts({ storage: join(root, 'storage'), windows, troubles: untold });
  const harness = new SessionHarness('Claude', undefined, root);
  const { session } = harness;
  const pool = { sessions: [session], onDidChangeSessions: new Emitter<void>().event };
  const plans = new Plans(pool, texts, (error) => assert.fail(String(error)));
  const close = async () => {
    plans.dispose();
    texts.dispose();
    await texts.flush();
    windows.leave();
  };
  open.push(close);
  if (!from)
    context.after(async () => {
      for (const end of open) await end();
      await remove();
    });
  harness.open();
  session.sendPrompt('begin');
  const ask = async (id: string, call: object) => {
    const answer = harness.ask({ toolCallId: id, title: 'Approve plan', kind: 'switch_mode', ...call }, options);
    const { permission } = harness.all('tool_call').at(-1)!;
    if (permission.state !== 'asked') assert.fail(permission.state);
    const { request, takesEdit } = permission;
    await plans.open(session, request);
    return { answer, request, takesEdit };
  };
  const mine = () => texts.uriOf(texts.all.at(-1)!, 'mine');
  const type = (text: string, isDirty = true) =>
    editor.fire('workspace.onDidChangeTextDocument', { document: { uri: mine(), getText: () => text, isDirty } });
  const comment = (line: number, text: string) => {
    const thread = { uri: mine(), range: new Range(line, 0, line, 0), dispose: () => undefined };
    plans.addComment({ thread, text });
  };
  const heard = async () => {
    harness.clock.pass(0);
    await settle();
    return harness.agent.heard;
  };
  const comments = () => (texts.all.at(-1)!.about as { comments: { line: number; isSent: boolean }[] }).comments;
  /** The comments in the editor: line, label, and text. */
  const threads = () =>
    [...shown].map(({ range, label, comments: [one] }) => `${range.start.line} ${label}: ${one?.body}`);
  return { root, harness, session, texts, plans, ask, type, comment, heard, comments, threads, close, windows: open };
}

const content = (text: string) => [{ type: 'content', content: { type: 'text', text } }];
const outcome = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

test('comments go back with the rejection, and stay at their lines', async (context) => {
  const window = desk(context);
  const first = await window.ask('p1', { content: content(plan) });
  assert.equal(first.takesEdit, true);
  window.comment(2, 'Write tests first.');
  window.plans.sendComments(window.session, first.request);
  assert.deepEqual(await first.answer, outcome('no'));
  await window.harness.agent.end();
  const sent = (await window.heard()).at(-1) ?? '';
  assert.match(sent, /^prompt I don't approve the plan yet\./);
  assert.match(sent, /Line 3:\n> 2\. write\n\nWrite tests first\./);

  await window.ask('p2', { content: content('# Plan\n1. read\n2. test\n3. write\n') });
  assert.equal(window.texts.all.length, 1);
  assert.equal(editor.executed.findLast(({ id }) => id.startsWith('vscode.'))?.id, 'vscode.diff');
  assert.deepEqual(
    window.comments().map(({ line, isSent }) => [line, isSent]),
    [[3, true]],
  );
});

test('approves an unchanged plan without a message', async (context) => {
  const window = desk(context);
  const { request, answer } = await window.ask('p1', { rawInput: { plan } });
  await window.plans.approve(window.session, request);
  assert.deepEqual(await answer, outcome('ask'));
  assert.deepEqual(await window.heard(), ['prompt begin']);
});

test('approves with changes if the agent hears them in time', async (context) => {
  const window = desk(context);
  const { agent } = window.harness;
  agent.steer = (blocks) => {
    agent.heard.push(`steer ${blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')}`);
    return Promise.resolve('injected');
  };
  window.harness.open();
  const { request, answer } = await window.ask('p1', { content: content(plan) });
  window.type('# Plan\n1. read\n2. test\n');
  await window.plans.approve(window.session, request);
  assert.deepEqual(await answer, outcome('ask'));
  assert.match(
    (await window.heard()).at(-1) ?? '',
    /^steer I approve the plan with the changes below[^]*-2\. write\n\+2\. test/,
  );
});

test('an agent that hears nothing in its turn plans again', async (context) => {
  const window = desk(context);
  const { request, answer } = await window.ask('p1', { content: content(plan) });
  window.type('# Plan\n1. read\n2. test\n');
  await window.plans.approve(window.session, request);
  assert.deepEqual(await answer, outcome('no'));
  assert.match(window.harness.all('notice').at(-1)?.title ?? '', /Claude gets your changes first and asks again/);
});

test('reads a plan that the agent wrote to a file', async (context) => {
  const window = desk(context);
  mkdirSync(join(window.root, 'plans'));
  const path = join(window.root, 'plans', 'mine.md');
  writeFileSync(path, plan);
  const diff = { type: 'diff', path, newText: plan };
  window.harness.update({ sessionUpdate: 'tool_call', toolCallId: 'w', title: 'Write', kind: 'edit', content: [diff] });
  await window.ask('p1', {});
  assert.equal(window.texts.all[0]?.agents, plan);
});

test('comments survive a reload, and move to the next version', async (context) => {
  const window = desk(context);
  const first = await window.ask('p1', { content: content(plan) });
  window.comment(1, 'Read all of it.');
  window.plans.sendComments(window.session, first.request);
  window.comment(2, 'Ask me first.');
  window.type('Mine\n# Plan\n1. read\n2. write\n');
  await window.close();

  const next = desk(context, window);
  await next.texts.loaded;
  await settle();
  assert.deepEqual(next.threads(), ['2 Sent: Read all of it.', '3 Not sent yet: Ask me first.']);
  // Its request has the same key as the one of the window before.
  const second = await next.ask('p2', { content: content('# Plan\n1. read\n2. test\n3. write\n') });
  assert.equal(second.request, first.request);
  assert.equal(editor.executed.findLast(({ id }) => id.startsWith('vscode.'))?.id, 'vscode.diff');
  assert.deepEqual(next.threads(), [
    '1 Sent with an earlier version: Read all of it.',
    '3 Not sent yet: Ask me first.',
  ]);
  next.plans.sendComments(next.session, second.request);
  await next.harness.agent.end();
  const sent = (await next.heard()).at(-1) ?? '';
  assert.match(sent, /My comment:\n\nLine 4:\n> 2\. write\n\nAsk me first\./);
  assert.doesNotMatch(sent, /Read all/);
});

test('a plan that is asked about again keeps what the user typed', async (context) => {
  const window = desk(context);
  await window.ask('p1', { content: content(plan) });
  window.type('# Plan\n1. read\n2. test\n');
  await window.close();
  const next = desk(context, window);
  const { request } = await next.ask('p2', { content: content(plan) });
  assert.equal(next.texts.all.length, 1);
  const { permission } = next.harness.all('tool_call').at(-1)!;
  assert.equal(permission.state === 'asked' && permission.isEdited, true);
  next.plans.sendComments(next.session, request);
  await next.harness.agent.end();
  assert.match((await next.heard()).at(-1) ?? '', /-2\. write\n\+2\. test/);
});

test('a new version takes nothing that the agent hasn’t heard of', async (context) => {
  const window = desk(context);
  const { request } = await window.ask('p1', { content: content(plan) });
  window.type('# Plan\n1. think\n');
  window.session.answerPermission(request, 'no');
  await window.ask('p2', { content: content('# Another plan\n') });
  assert.deepEqual(
    window.texts.all.map(({ mine }) => mine),
    ['# Plan\n1. think\n', '# Another plan\n'],
  );
});

test('the plan after an approved one is a new plan', async (context) => {
  const window = desk(context);
  const { request } = await window.ask('p1', { content: content(plan) });
  window.comment(1, 'Good.');
  window.plans.deleteComment({ planCommentId: (window.comments()[0] as unknown as { id: string }).id });
  await window.plans.approve(window.session, request);
  await window.ask('p2', { content: content('# Another plan\n') });
  assert.equal(editor.executed.findLast(({ id }) => id.startsWith('vscode.'))?.id, 'vscode.open');
  assert.deepEqual(window.threads(), []);
});

test('the agent’s own approval offers to send the comments', async (context) => {
  const window = desk(context);
  const { request } = await window.ask('p1', { content: content(plan) });
  window.comment(1, 'Read all of it.');
  editor.answers.push('Send Them');
  window.session.answerPermission(request, 'auto');
  await settle();
  assert.match(editor.shown[0]?.message ?? '', /You approved Claude’s plan without your changes and comments\./);
  await window.harness.agent.end();
  const sent = (await window.heard()).at(-1) ?? '';
  assert.match(sent, /^prompt I approve the plan with the changes below\.[^]*Read all of it\./);
});

test('nothing is answered before the user approves', async (context) => {
  const window = desk(context);
  const { request, answer } = await window.ask('p1', { content: content(plan) });
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  window.comment(1, 'Read all of it.');
  window.type('# Plan\n1. think\n');
  await window.plans.open(window.session, request);
  await settle();
  assert.equal(isAnswered, false);
  assert.deepEqual(await window.heard(), ['prompt begin']);
  const { permission } = window.harness.all('tool_call').at(-1)!;
  assert.equal(permission.state === 'asked' && permission.isEdited, true);
});

test('a plan that is closed without saving can be reopened', async (context) => {
  const window = desk(context);
  const { request } = await window.ask('p1', { content: content(plan) });
  window.type('# Plan\n1. think\n');
  window.type(plan, false);
  const { permission } = window.harness.all('tool_call').at(-1)!;
  assert.deepEqual(permission.state === 'asked' && [permission.isEdited, permission.hasUnsaved], [false, true]);
  await window.plans.open(window.session, request, true);
  assert.equal(window.texts.all[0]?.mine, '# Plan\n1. think\n');
  assert.deepEqual(window.plans.kept, []);
  window.session.answerPermission(request, 'no');
  assert.equal(window.plans.kept.length, 1);
});
