// Changes that the user edits before allowing them, with agents that write through the editor and agents that write by themselves.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { FakeDocuments } from '../../../test/unit-support/fakeDocuments';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, workspace } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { Emitter, type Event } from '../../shared/values/event';
import type { RequestKey } from '../../shared/values/ids';
import { AgentWork } from '../base/agentWork';
import { FileBridge } from '../files/fileBridge';
import { StorageWindows } from '../storage/storageWindows';
import { untold } from '../storage/storageTroubles';
import { EditedChanges } from './editedChanges';
import { proposalScheme, ProposalTexts } from './proposalTexts';

beforeEach(() => editor.reset());

const before = 'one\ntwo\nthree\n';
const agents = 'one\nagent\nthree\n';
const mine = 'one\nmine\nthree\n';

/** A window with a session whose agent asks to change `a.txt`. */
class Desk {
  readonly root: string;
  readonly harness: SessionHarness;
  readonly windows: StorageWindows;
  readonly texts: ProposalTexts;
  readonly changes: EditedChanges;
  readonly bridge: FileBridge;
  readonly documents = new FakeDocuments();
  readonly applied: string[] = [];
  readonly errors: unknown[] = [];
  answer: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    const harness = new SessionHarness('Claude', undefined, root);
    this.root = root;
    this.harness = harness;
    editor.folders = [root];
    const work = new AgentWork();
    this.bridge = new FileBridge({ outsideWorkspace: () => 'deny', observer: work });
    const storage = join(root, 'storage');
    this.windows = new StorageWindows(storage);
    this.texts = new ProposalTexts({ storage, windows: this.windows, troubles: untold });
    const pool = { sessions: [harness.session], onDidChangeSessions: new Emitter<void>().event };
    const review = {
      applying: async (_session: Session, uri: { fsPath: string }, write: () => Promise<void>) => {
        this.applied.push(uri.fsPath);
        await write();
      },
    };
    const report = (error: unknown) => void this.errors.push(error);
    this.changes = new EditedChanges({ pool, texts: this.texts, review, report });
    work.join(this.changes);
  }

  get session(): Session {
    return this.harness.session;
  }

  get path(): string {
    return join(this.root, 'a.txt');
  }

  get file(): string {
    return readFileSync(this.path, 'utf8');
  }

  get request(): RequestKey {
    const { permission } = this.call;
    return permission.state === 'asked' ? permission.request : assert.fail(permission.state);
  }

  get call() {
    return this.harness.all('tool_call').at(-1) ?? assert.fail('no call');
  }

  /** What the agent was told besides its first prompt. */
  get told(): readonly string[] {
    return this.harness.agent.heard.slice(1).filter((line) => line.startsWith('prompt'));
  }

  ask(oldText: string | null = before, newText = agents): void {
    this.harness.open();
    this.session.sendPrompt('begin');
    const content = [{ type: 'diff', path: this.path, newText, ...(oldText === null ? {} : { oldText }) }];
    this.answer = this.harness.ask({ toolCallId: 'c1', title: 'Edit a.txt', kind: 'edit', content });
  }

  /** Types into the editable side, as the user does. */
  async edit(text: string): Promise<void> {
    await this.changes.edit(this.session, this.request);
    this.type(text);
  }

  /** `isDirty` is false if the editor brings back what was saved, as when the user closes it without saving. */
  type(text: string, isDirty = true): void {
    const [one] = this.texts.all;
    if (!one) assert.fail('nothing is proposed');
    const document = { uri: this.texts.uriOf(one, 'mine'), getText: () => text, isClosed: false, isDirty };
    editor.fire('workspace.onDidChangeTextDocument', { document });
  }

  async allow(): Promise<void> {
    await this.changes.allow(this.session, this.request);
    await this.answer;
  }

  /** The agent writes through the editor. */
  write(content: string, path = this.path): Promise<void> {
    const { key, agentName, cwd } = { ...this.session.context, key: this.session.key };
    const context = { session: key, agentName, cwd, ask: () => Promise.resolve(undefined) };
    return this.bridge.writeTextFile(context, { path, content }, new AbortController().signal);
  }

  /** Does something once, right before the editor saves a document. */
  beforeSave(act: () => void): void {
    const { onWillSaveTextDocument } = workspace as unknown as { onWillSaveTextDocument: Event<unknown> };
    const listener = onWillSaveTextDocument(() => {
      listener.dispose();
      act();
    });
  }

  /** The agent reports the end of its call; resolves when the window has looked at the file. */
  async completes(status = 'completed'): Promise<void> {
    this.harness.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status });
    await this.rest();
  }

  /** Ends the window as a reload does. */
  async close(): Promise<void> {
    this.changes.dispose();
    this.texts.dispose();
    await this.texts.flush();
    this.windows.leave();
  }

  /** Resolves once nothing is left to do. */
  async rest(): Promise<void> {
    await this.changes.settled();
    await settle();
    assert.deepEqual(this.errors, []);
  }
}

function desk(context: TestContext, text: string | null = before): Desk {
  let remove: () => Promise<void> = () => Promise.resolve();
  const root = tempFolder({ after: (end) => (remove = end) });
  if (text !== null) writeFileSync(join(root, 'a.txt'), text);
  const window = new Desk(root);
  context.after(async () => {
    await window.close();
    await remove();
  });
  return window;
}

const diff = '```diff\n@@ -1,3 +1,3 @@\n one\n-agent\n+mine\n three\n```';

test('an agent that writes through the editor writes the user’s version', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  assert.equal(window.call.permission.state === 'asked' && window.call.permission.isEdited, true);
  await window.allow();
  assert.deepEqual(await window.answer, { outcome: { outcome: 'selected', optionId: 'yes' } });
  await window.write(agents);
  assert.equal(window.file, mine);
  await window.completes();
  await window.harness.agent.end();
  assert.equal(window.told.length, 1);
  assert.ok(window.told[0]?.includes(diff), window.told[0]);
  assert.deepEqual(window.texts.all, []);
  assert.equal(window.call.permission.state === 'answered' && window.call.permission.isEdited, true);
});

test('the next edit of such an agent keeps the user’s lines', async (context) => {
  const window = desk(context);
  window.ask();
  const client = window.session.context;
  await window.bridge.readTextFile(client, { path: window.path }, new AbortController().signal);
  await window.edit(mine);
  await window.allow();
  await window.write(agents);
  await window.completes();
  await window.write('one\nagent\nthree\nfour\n');
  assert.equal(window.file, 'one\nmine\nthree\nfour\n');
});

test('the user’s version follows a write that an agent does itself', async (context) => {
  const window = desk(context);
  window.ask('two', 'agent');
  await window.edit(mine);
  await window.allow();
  writeFileSync(window.path, agents);
  await window.completes();
  assert.equal(window.file, mine);
  assert.deepEqual(window.applied, [window.path]);
  await window.harness.agent.end();
  assert.ok(window.told[0]?.includes(diff), window.told[0]);
});

/** Some agents, such as opencode, write through the editor and also by themselves, at any time around it. */
const moments = {
  before: async (window: Desk) => {
    writeFileSync(window.path, agents);
    await window.write(agents);
  },
  during: async (window: Desk) => {
    window.beforeSave(() => writeFileSync(window.path, agents));
    await window.write(agents);
  },
  after: async (window: Desk) => {
    await window.write(agents);
    writeFileSync(window.path, agents);
    window.documents.all.forEach((document) => document.follow());
  },
};

for (const [when, write] of Object.entries(moments)) {
  test(`the user’s version stays if the agent writes ${when} the editor`, async (context) => {
    const window = desk(context);
    window.ask();
    await window.bridge.readTextFile(window.session.context, { path: window.path }, new AbortController().signal);
    await window.edit(mine);
    await window.allow();
    await write(window);
    await window.completes();
    assert.equal(window.file, mine);
    assert.ok(window.documents.all.every(({ isDirty }) => !isDirty));
    await window.harness.agent.end();
    assert.ok(window.told[0]?.includes(diff), window.told[0]);
    assert.deepEqual(window.texts.all, []);
  });
}

test('a line that the user took out stays out', async (context) => {
  const window = desk(context);
  const both = 'one of the agent\ntwo\nthree of the agent\n';
  const half = 'one\ntwo\nthree of the agent\n';
  window.ask(before, both);
  await window.bridge.readTextFile(window.session.context, { path: window.path }, new AbortController().signal);
  await window.edit(half);
  await window.allow();
  writeFileSync(window.path, both);
  await window.write(both);
  await window.completes();
  assert.equal(window.file, half);
});

test('an unsaved version of the user’s is saved over the agent’s', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.allow();
  // The disk has only a part of the agent's text while the editor saves.
  window.beforeSave(() => writeFileSync(window.path, 'one\nage'));
  await assert.rejects(window.write(agents), /couldn't be saved/);
  assert.equal(window.documents.open(window.path).isDirty, true);
  writeFileSync(window.path, agents);
  await window.completes();
  assert.equal(window.file, mine);
  assert.equal(window.documents.open(window.path).isDirty, false);
  await window.harness.agent.end();
  assert.equal(window.told.length, 1);
});

test('an unsaved version isn’t saved over another text', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.allow();
  window.beforeSave(() => writeFileSync(window.path, 'something else\n'));
  await assert.rejects(window.write(agents), /couldn't be saved/);
  await window.completes();
  assert.equal(window.file, 'something else\n');
  assert.equal(window.documents.open(window.path).getText(), mine);
  assert.match(editor.shown[0]?.message ?? '', /wrote something else to a\.txt\. Your version is kept\./);
  await window.harness.agent.end();
  assert.deepEqual(window.told, []);
});

test('what the user types on isn’t lost to the agent’s write', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.allow();
  await window.write(agents);
  window.documents.open(window.path).type(`${mine}typed\n`);
  writeFileSync(window.path, agents);
  await window.completes();
  assert.equal(window.file, agents);
  assert.equal(window.documents.open(window.path).getText(), `${mine}typed\n`);
  assert.match(editor.shown[0]?.message ?? '', /Your version is kept\./);
  assert.equal(window.texts.all[0]?.mine, mine);
});

test('a write through the editor that fails is told with its reason', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.allow();
  const { applyEdit } = workspace as unknown as { applyEdit: unknown };
  (workspace as unknown as { applyEdit: unknown }).applyEdit = () => Promise.resolve(false);
  await assert.rejects(window.write(agents), /The editor couldn't change/);
  (workspace as unknown as { applyEdit: unknown }).applyEdit = applyEdit;
  await window.completes('failed');
  assert.equal(window.file, before);
  const notice = window.harness.all('notice').at(-1);
  assert.equal(notice?.title, 'Couldn’t write your version of a.txt');
  assert.match(notice.description ?? '', /Nothing was written\. Your version is kept and wasn’t used\./);
  assert.equal(window.texts.all[0]?.mine, mine);
});

test('a new file gets the user’s version', async (context) => {
  const window = desk(context, null);
  window.ask(null, 'agent\n');
  await window.edit('mine\n');
  await window.allow();
  assert.ok(!existsSync(window.path));
  await window.write('agent\n');
  assert.equal(window.file, 'mine\n');
});

test('a write that wasn’t asked about keeps the user’s version aside', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.allow();
  await window.write('something else\n');
  await window.completes();
  assert.equal(window.file, 'something else\n');
  assert.equal(window.texts.all[0]?.mine, mine);
  assert.match(editor.shown[0]?.message ?? '', /wrote something else to a\.txt\. Your version is kept\./);
  assert.match(window.harness.all('notice').at(-1)?.title ?? '', /wrote something else/);
  await window.harness.agent.end();
  assert.deepEqual(window.told, []);
});

test('the user’s version that was kept can be used', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.allow();
  await window.write('something else\n');
  await window.completes();
  await window.changes.useText(window.texts.uriOf(window.texts.all[0]!, 'mine'));
  assert.equal(window.file, mine);
  assert.deepEqual(window.texts.all, []);
});

test('an allowed change that is never made is offered at the end', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.allow();
  await window.completes();
  assert.equal(editor.shown.length, 0);
  await window.harness.agent.end();
  await window.rest();
  assert.match(editor.shown[0]?.message ?? '', /didn’t make the change to a\.txt/);
  assert.equal(window.file, before);
});

/** The turn ends without the write, so the user's version is kept aside. */
async function endsWithoutWrite(window: Desk): Promise<void> {
  window.ask();
  await window.edit(mine);
  await window.allow();
  await window.completes();
  await window.harness.agent.end();
  await window.rest();
  assert.equal(window.texts.all[0]?.mine, mine);
}

test('a write after the turn’s end has the user’s version', async (context) => {
  const window = desk(context);
  await endsWithoutWrite(window);
  await window.write(agents);
  await window.rest();
  assert.equal(window.file, mine);
  // It isn't offered any more, the notice is right again, and the agent knows.
  assert.deepEqual(window.changes.kept, []);
  assert.deepEqual(window.texts.all, []);
  const notice = window.harness.all('notice').at(-1);
  assert.equal(notice?.title, 'Claude made the change to a.txt after its turn ended');
  assert.equal(window.told.length, 1);
  assert.ok(window.told[0]?.includes(diff), window.told[0]);
});

test('a late write has what the user typed since', async (context) => {
  const window = desk(context);
  await endsWithoutWrite(window);
  window.type('one\nmine at last\nthree\n');
  await window.write(agents);
  await window.rest();
  assert.equal(window.file, 'one\nmine at last\nthree\n');
  assert.ok(window.told[0]?.includes('+mine at last'), window.told[0]);
});

test('a late write comes while the next turn runs', async (context) => {
  const window = desk(context);
  await endsWithoutWrite(window);
  window.session.sendPrompt('Well?');
  await window.write(agents);
  await window.rest();
  assert.equal(window.file, mine);
});

test('a write two turns later is another one', async (context) => {
  const window = desk(context);
  await endsWithoutWrite(window);
  window.session.sendPrompt('Well?');
  await window.harness.agent.end();
  await window.write(agents);
  await window.rest();
  assert.equal(window.file, agents);
  assert.equal(window.texts.all[0]?.mine, mine);
});

test('a late write doesn’t replace a version that was used', async (context) => {
  const window = desk(context);
  await endsWithoutWrite(window);
  await window.changes.useText(window.texts.uriOf(window.texts.all[0]!, 'mine'));
  assert.equal(window.file, mine);
  await window.write(agents);
  await window.rest();
  assert.equal(window.file, mine);
});

test('the agent’s version is written if it is allowed after all', async (context) => {
  const window = desk(context);
  await endsWithoutWrite(window);
  window.session.sendPrompt('Make your change');
  const content = [{ type: 'diff', path: window.path, newText: agents, oldText: before }];
  const answer = window.harness.ask({ toolCallId: 'c2', title: 'Edit a.txt', kind: 'edit', content });
  window.session.answerPermission(window.request, 'yes');
  await answer;
  await window.write(agents);
  await window.rest();
  assert.equal(window.file, agents);
  assert.equal(window.texts.all[0]?.mine, mine);
});

test('another text after the turn leaves the user’s version kept', async (context) => {
  const window = desk(context);
  await endsWithoutWrite(window);
  await window.write('something else\n');
  await window.rest();
  assert.equal(window.file, 'something else\n');
  assert.equal(window.changes.kept.length, 1);
});

test('allowing the agent’s version keeps the user’s and says so', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  window.session.answerPermission(window.request, 'yes');
  await window.write(agents);
  await window.completes();
  assert.equal(window.file, agents);
  assert.match(editor.shown[0]?.message ?? '', /You allowed Claude’s version of a\.txt\. Yours is kept\./);
  assert.equal(window.texts.all[0]?.mine, mine);
});

test('an unchanged proposal is only allowed, and forgotten', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  window.type(agents);
  assert.equal(window.call.permission.state === 'asked' && window.call.permission.isEdited, false);
  await window.allow();
  assert.deepEqual(window.texts.all, []);
  await window.write(agents);
  await window.completes();
  await window.harness.agent.end();
  assert.equal(window.file, agents);
  assert.deepEqual(window.told, []);
});

test('what the user typed survives a reload', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  const [text] = window.texts.all;
  await window.close();
  const next = new Desk(window.root);
  context.after(() => next.close());
  await next.texts.loaded;
  await next.rest();
  const uri = next.texts.uriOf(text!, 'mine');
  // The editor shows its path above the text.
  assert.deepEqual([uri.scheme, uri.path], [proposalScheme, '/a.txt']);
  assert.equal(next.texts.get(text!.id)?.mine, mine);
  // The editor has what it saved last, and restores what wasn't saved by itself.
  assert.equal(Buffer.from(await next.texts.readFile(uri as never)).toString(), agents);
  await next.changes.useText(undefined);
  assert.equal(next.file, before);
  await next.changes.useText(uri);
  assert.equal(next.file, mine);
});

test('a version that is closed without saving can be reopened', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  window.type(agents, false);
  const { permission } = window.call;
  assert.deepEqual(permission.state === 'asked' && [permission.isEdited, permission.hasUnsaved], [false, true]);
  await window.changes.edit(window.session, window.request, true);
  const again = window.call.permission;
  assert.deepEqual(again.state === 'asked' && [again.isEdited, again.hasUnsaved], [true, false]);
  const [text] = window.texts.all;
  const shown = await window.texts.readFile(window.texts.uriOf(text!, 'mine'));
  assert.equal(Buffer.from(shown).toString(), mine);
  await window.allow();
  await window.write(agents);
  assert.equal(window.file, mine);
});

test('a version that was closed is kept after another answer', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  window.type(agents, false);
  window.session.answerPermission(window.request, 'no');
  await window.rest();
  assert.equal(editor.shown.length, 0);
  assert.deepEqual(
    window.changes.kept.map(({ path }) => path),
    [window.path],
  );
  assert.equal(window.texts.all[0]?.mine, mine);
});

test('a change that is asked about again keeps the edit', async (context) => {
  const window = desk(context);
  window.ask();
  await window.edit(mine);
  await window.close();
  const next = new Desk(window.root);
  next.ask();
  await next.changes.edit(next.session, next.request);
  assert.equal(next.texts.all.length, 1);
  await next.allow();
  await next.write(agents);
  assert.equal(next.file, mine);
  await next.close();
});

test('a change without a known place isn’t opened', async (context) => {
  const window = desk(context, 'x\nx\n');
  window.ask('x', 'y');
  await window.changes.edit(window.session, window.request);
  assert.match(editor.shown[0]?.message ?? '', /Couldn’t find where this change belongs in a\.txt/);
  assert.deepEqual(window.texts.all, []);
});

test('a request can’t be edited without a diff', () => {
  const harness = new SessionHarness();
  harness.open();
  harness.session.sendPrompt('begin');
  void harness.ask({ toolCallId: 'c1', title: 'npm test', kind: 'execute' });
  const { permission } = harness.all('tool_call')[0]!;
  assert.equal(permission.state === 'asked' && permission.takesEdit, undefined);
});
