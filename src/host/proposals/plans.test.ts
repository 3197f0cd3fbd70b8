// Plans that agents ask about: edited, commented on, approved, and sent back.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, Range } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/event';
import type { RequestKey } from '../../shared/ids';
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

function desk(context: TestContext) {
  let remove: () => Promise<void> = () => Promise.resolve();
  const root = tempFolder({ after: (end) => (remove = end) });
  const windows = new StorageWindows(join(root, 'storage'));
  const texts = new ProposalTexts({ storage: join(root, 'storage'), windows, troubles: untold });
  const harness = new SessionHarness('Claude', undefined, root);
  const { session } = harness;
  const pool = { sessions: [session], onDidChangeSessions: new Emitter<void>().event };
  const plans = new Plans(pool, texts, (error) => assert.fail(String(error)));
  context.after(async () => {
    plans.dispose();
    texts.dispose();
    await texts.flush();
    windows.leave();
    await remove();
  });
  harness.open();
  session.sendPrompt('begin');
  const asked: { answer: Promise<unknown>; request: RequestKey }[] = [];
  const ask = async (id: string, call: object) => {
    const answer = harness.ask({ toolCallId: id, title: 'Approve plan', kind: 'switch_mode', ...call }, options);
    const { permission } = harness.all('tool_call').at(-1)!;
    if (permission.state !== 'asked') assert.fail(permission.state);
    const { request, takesEdit } = permission;
    asked.push({ answer, request });
    await plans.open(session, request);
    return { answer, request, takesEdit };
  };
  const mine = () => texts.uriOf(texts.all.at(-1)!, 'mine');
  const type = (text: string) =>
    editor.fire('workspace.onDidChangeTextDocument', { document: { uri: mine(), getText: () => text } });
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
  return { root, harness, session, texts, plans, ask, type, comment, heard, comments };
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
