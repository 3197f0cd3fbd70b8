import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { file, onDisk, outsideFolder, scratchFolder } from '../filesSupport';
import { until } from '../reviewFiles';
import { changes, eight, newAgent } from '../reviewSupport';

/** An input box as the product sees it, in which the test types. */
class TypedBox {
  value = '';
  validationMessage: unknown;
  private readonly listeners = new Map<string, () => unknown>();
  private shown: () => void = () => undefined;
  readonly isShown = new Promise<void>((resolve) => (this.shown = resolve));
  isOpen = true;

  onDidHide = (listener: () => void) => this.listeners.set('hide', listener);
  onDidAccept = (listener: () => void) => this.listeners.set('accept', listener);
  onDidTriggerButton = (listener: () => void) => this.listeners.set('button', listener);
  onDidChangeValue = (listener: () => void) => this.listeners.set('change', listener);
  show = () => this.shown();
  dispose = () => (this.isOpen = false);

  enter = (text: string) => this.type(text, 'accept');
  /** Presses the box's button, which adds the comment to the drafts. */
  add = (text: string) => this.type(text, 'button');

  private async type(text: string, end: 'accept' | 'button'): Promise<void> {
    this.value = text;
    this.listeners.get('change')?.();
    await this.listeners.get(end)?.();
  }

  escape = () => this.listeners.get('hide')?.();
}

/** Resolves to the next input box. */
async function nextBox(context: TestContext): Promise<TypedBox> {
  const box = new TypedBox();
  const window = vscode.window as unknown as Record<string, unknown>;
  const creates = window['createInputBox'];
  context.after(() => (window['createInputBox'] = creates));
  window['createInputBox'] = () => {
    window['createInputBox'] = creates;
    return box;
  };
  await box.isShown;
  return box;
}

/** Runs the command and resolves to the input box that it opens. */
function commentBox(context: TestContext, ...args: readonly unknown[]): Promise<TypedBox> {
  const box = nextBox(context);
  void vscode.commands.executeCommand('parley.review.comment', ...args);
  return box;
}

/** Records the threads that the product shows in the editor for the first time. */
function recordsThreads(context: TestContext): readonly vscode.CommentThread[] {
  const threads: vscode.CommentThread[] = [];
  const comments = vscode.comments;
  const create = comments.createCommentController;
  context.after(() => (comments.createCommentController = create));
  comments.createCommentController = (...args) => {
    const controller = create(...args);
    // The editor's own object can't be changed.
    return {
      ...controller,
      createCommentThread: (...place) => {
        const thread = controller.createCommentThread(...place);
        threads.push(thread);
        return thread;
      },
    };
  };
  return threads;
}

const heardIn = (path: string) =>
  until(
    () => stat(path).then(Boolean, () => false),
    () => `nobody was told to write ${path}`,
  );

const hover = async (path: string, line: number) => {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    vscode.Uri.file(path),
    new vscode.Position(line, 0),
  );
  return found.flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value));
};

/** Returns a comment that makes the agent record its name and the message it receives. */
const saysWho = (path: string) => JSON.stringify([{ sign: `${path}.who` }, { hear: `${path}.heard` }]);

/** Creates a file that Ann changed in a session that is now closed. */
async function changedByAnn(context: TestContext) {
  const path = await file(await scratchFolder(context), 'a.txt', eight);
  // Outside the workspace, because files that agents write inside it would also be pending.
  const ear = join(await outsideFolder(context), 'ear');
  const { turnOf } = await newAgent(context, ['Ann', 'Bob']);
  await turnOf('Ann', { fs: path, text: eight.replace('two', 'TWO') });
  await changes(path, 1);
  await vscode.commands.executeCommand('parley.closeSession');
  return { path, ear, turnOf };
}

/** Answers the next quick pick and resolves to its entries. */
function answersNextPick(
  context: TestContext,
  choose: (items: readonly vscode.QuickPickItem[]) => vscode.QuickPickItem | undefined,
): Promise<string[]> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const asks = window['showQuickPick'];
  context.after(() => (window['showQuickPick'] = asks));
  return new Promise((resolve) => {
    window['showQuickPick'] = (items: readonly vscode.QuickPickItem[]) => {
      window['showQuickPick'] = asks;
      resolve(items.map(({ label, description }) => (description ? `${label} (${description})` : label)));
      return Promise.resolve(choose(items));
    };
  });
}

suite('hover and comments on a change', () => {
  test('hovering a changed line shows its author and links to the chat', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    const call = { toolCallId: 'c1', title: 'Shout *two*', kind: 'edit', locations: [{ path }] };
    await agent.turn(
      { tell: { sessionUpdate: 'tool_call', status: 'in_progress', ...call } },
      { write: path, text: eight.replace('two', 'TWO') },
      { tell: { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' } },
    );
    await changes(path, 1);
    const [text = ''] = await hover(path, 1);
    assert.match(text, /Told wrote this in turn 1/);
    assert.match(text, /Shout \\\*two\\\*/, 'an agent’s words are no markdown');
    assert.match(text, /command:parley\.review\.showOrigin\?/);
    assert.match(text, /1 line removed\s+```plaintext\s+two\s+```/);
    assert.match(text, /command:parley\.review\.keepChange\?.*command:parley\.review\.undoChange\?/);
    assert.deepEqual(await hover(path, 4), []);
  });

  test("a comment goes to the change's agent with its lines and diff", async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    await agent.turn({ fs: path, text: eight.replace('two', 'TWO') });
    const [change] = await changes(path, 1);
    assert.ok(change);
    const heard = join(await outsideFolder(context), 'heard');
    const box = await commentBox(context, ...change.args);
    await box.enter(' ');
    assert.deepEqual([box.isOpen, box.validationMessage], [true, 'Type a comment to send.']);
    await box.enter(JSON.stringify([{ hear: heard }]));
    await heardIn(heard);
    assert.equal(box.isOpen, false);
    assert.match(
      await onDisk(heard),
      /This is about your change in .*a\.txt, line 2:\n\n```diff\n@@ -2,1 \+2,1 @@\n-two\n\+TWO\n```$/,
    );
  });

  test('a thread in the editor takes a reply, and is sent anywhere', async (context) => {
    const threads = recordsThreads(context);
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const ear = join(await outsideFolder(context), 'ear');
    const { turnOf } = await newAgent(context, ['Ann', 'Bob']);
    context.after(() => vscode.commands.executeCommand('parley.closeSession'));
    await turnOf('Ann', { fs: path, text: eight.replace('two', 'TWO') });
    const [change] = await changes(path, 1);
    assert.ok(change);
    await turnOf('Bob');
    await (await commentBox(context, ...change.args)).add(saysWho(ear));
    await until(
      () => threads.length === 1,
      () => `${threads.length} threads`,
    );
    const [thread] = threads;
    const [comment] = thread?.comments ?? [];
    assert.ok(thread && comment);
    context.after(() => vscode.commands.executeCommand('parley.comment.delete', comment));
    assert.deepEqual([thread.uri.fsPath, thread.range?.start.line], [vscode.Uri.file(path).fsPath, 1]);
    assert.deepEqual([thread.label, thread.contextValue, thread.canReply], ['Not sent yet', 'draft', false]);

    const box = nextBox(context);
    void vscode.commands.executeCommand('parley.comment.reply', comment);
    await (await box).add('And be quick');
    await until(
      () => thread.comments.length === 2,
      () => `${thread.comments.length} comments`,
    );
    const reply = thread.comments[1];
    context.after(() => vscode.commands.executeCommand('parley.comment.delete', reply));
    assert.deepEqual([reply?.body, reply?.label], ['And be quick', 'Not sent yet']);

    await vscode.commands.executeCommand('parley.comment.edit', reply);
    assert.equal(reply?.mode, vscode.CommentMode.Editing);
    // The editor passes a comment like this when it runs the command.
    await vscode.commands.executeCommand('parley.comment.saveEdit', Object.assign(reply, { body: 'Please\nbe quick' }));
    await until(
      () => reply.mode === vscode.CommentMode.Preview,
      () => 'The reply is still edited',
    );
    assert.deepEqual([thread.comments[1] === reply, reply.body], [true, 'Please\nbe quick']);

    const takesBob = answersNextPick(context, ([, bob]) => bob);
    void vscode.commands.executeCommand('parley.comment.sendTo', comment);
    // Sessions of other tests may follow. The one whose change it is comes first.
    assert.deepEqual(
      (await takesBob).slice(0, 2).map((one) => /\(.+\)$/.exec(one)?.[0]),
      ['(Ann · this is about its change)', '(Bob)'],
    );
    await heardIn(`${ear}.heard`);
    assert.equal(await onDisk(`${ear}.who`), 'Bob');
    assert.match(
      await onDisk(`${ear}.heard`),
      /\n\nPlease\nbe quick\n\nThis is about a change by Ann, made in another session, in .*a\.txt, line 2:/,
    );
    await until(
      () => thread.label === 'Sent to Bob',
      () => `The label is ${thread.label}`,
    );
    assert.deepEqual(
      [thread.contextValue, thread.comments.map(({ label }) => label)],
      ['sent', [undefined, 'Sent to Bob']],
    );
  });

  test('asks which agent gets a comment and keeps the text', async (context) => {
    const { path, ear, turnOf } = await changedByAnn(context);
    await turnOf('Bob');
    const [change] = await changes(path, 1);
    assert.ok(change);
    const box = await commentBox(context, ...change.args);
    const text = saysWho(ear);
    const offered = ['New session with Ann', '[] (Bob)'];
    const backsOut = answersNextPick(context, () => undefined);
    const again = nextBox(context);
    await box.enter(text);
    // Sessions of other tests may follow.
    assert.deepEqual((await backsOut).slice(0, 2), offered);
    const returned = await again;
    assert.deepEqual([returned.value, returned.validationMessage], [text, 'Not sent']);
    await assert.rejects(stat(`${ear}.heard`), { code: 'ENOENT' });
    returned.escape();
    const kept = await commentBox(context, ...change.args);
    assert.equal(kept.value, text);

    const takesBob = answersNextPick(context, ([, bob]) => bob);
    await kept.enter(text);
    await takesBob;
    await heardIn(`${ear}.heard`);
    assert.match(await onDisk(`${ear}.heard`), /a change by Ann, made in another session, in /);
    assert.equal(await onDisk(`${ear}.who`), 'Bob');

    const another = await commentBox(context, ...change.args);
    assert.equal(another.value, '');
    const takesAnn = answersNextPick(context, ([anew]) => anew);
    context.after(() => vscode.commands.executeCommand('parley.closeSession'));
    await another.enter(saysWho(`${ear}2`));
    await takesAnn;
    await heardIn(`${ear}2.heard`);
    assert.equal(await onDisk(`${ear}2.who`), 'Ann');
  });
});
