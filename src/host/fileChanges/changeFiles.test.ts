// The door to the user's files, trap by trap, with real files. Undo, restore, and bringing changes here go through it.
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import * as vscode from 'vscode';
import { FakeDocuments } from '../../../test/unit-support/fakeDocuments';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import { compact } from '../../shared/values/decodeValue';
import { presentFile } from '../workspaceFiles/presentFile';
import { changeFile, changeFiles } from './changeFiles';
import { ChangeRefused, type ChangeSteps, type FileChange, type NextContent, type NextFile } from './fileChange';

beforeEach(() => editor.reset());

const both = async ({ check, apply }: ChangeSteps) => {
  await check();
  await apply();
};

function setUp(context: TestContext, files: Readonly<Record<string, string>> = {}) {
  const folder = tempFolder(context);
  editor.folders = [folder];
  const path = (name: string) => join(folder, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  const text = (name: string) => readFileSync(path(name), 'utf8');
  /** A change of a file as it is now. `meanwhile` happens after the plan is made. */
  const change = async (name: string, next: NextFile, then?: FileChange): Promise<FileChange> => {
    const uri = vscode.Uri.file(path(name));
    return { uri: uri.toString(), expected: await presentFile(uri), next, record: both, ...compact({ then }) };
  };
  return { path, text, change, documents: new FakeDocuments() };
}

function content(text: string | Uint8Array, more: Partial<NextContent> = {}): NextContent {
  return { kind: 'file', bytes: () => Promise.resolve(Buffer.from(text)), unsaved: 'edited', ...more };
}

const isRefused = (reason: string) => (error: unknown) => error instanceof ChangeRefused && error.reason === reason;

test('leaves a file that isn’t what the plan was made for', async (context) => {
  const { path, text, change } = setUp(context, { a: 'planned', b: 'planned' });
  const plan = [await change('a', content('next')), await change('b', { kind: 'absent' })];
  for (const name of ['a', 'b']) writeFileSync(path(name), 'later');
  const { done, left } = await changeFiles(plan, { stops: true });
  assert.deepEqual([done, left.map(({ refused }) => refused.reason)], [[], ['changed', 'changed']]);
  assert.deepEqual(['a', 'b'].map(text), ['later', 'later']);
});

test('a removal makes room, and a failure ends the plan', async (context) => {
  const { path, text, change } = setUp(context, { a: 'gone' });
  mkdirSync(path('full'));
  writeFileSync(path('full/x'), 'x');
  const plan = [
    await change('full', content('in a folder’s place')),
    await change('b', content('not tried')),
    await change('a', { kind: 'absent' }),
  ];
  const stopped = await changeFiles(plan, { stops: true });
  assert.deepEqual(
    stopped.done.map(({ uri }) => uri),
    [plan[2]?.uri],
  );
  assert.deepEqual(
    stopped.failed.map(({ change: { uri } }) => uri),
    [plan[0]?.uri],
  );
  assert.deepEqual(
    stopped.notTried.map(({ uri }) => uri),
    [plan[1]?.uri],
  );
  assert.deepEqual([existsSync(path('a')), existsSync(path('b')), text('full/x')], [false, false, 'x']);
});

test('a file leaves its old place once the new one has it', async (context) => {
  const { path, text, change } = setUp(context, { old: 'kept' });
  const gone = await change('old', { kind: 'absent' });
  const moved = await change('new', content('kept'), gone);
  writeFileSync(path('new'), 'in the way');
  await assert.rejects(changeFile(moved), isRefused('changed'));
  assert.deepEqual([text('old'), text('new')], ['kept', 'in the way']);
  await changeFile(await change('new', content('kept'), gone));
  assert.deepEqual([existsSync(path('old')), text('new')], [false, 'kept']);
});

test('replaces a link and never writes through it', posixOnly, async (context) => {
  const { path, text, change, documents } = setUp(context, { target: 'the user’s' });
  symlinkSync(path('target'), path('a'));
  const document = documents.open(path('a'));
  document.type('typed');
  await changeFile(await change('a', content('next')));
  assert.deepEqual([text('target'), text('a'), lstatSync(path('a')).isSymbolicLink()], ['the user’s', 'next', false]);
  assert.deepEqual([document.getText(), document.isDirty], ['typed', true]);
  await changeFile(await change('b', { kind: 'link', target: 'target' }));
  assert.equal(readlinkSync(path('b')), 'target');
});

test('keeps other names of a file, and its mode', posixOnly, async (context) => {
  const { path, text, change } = setUp(context, { a: 'before' });
  chmodSync(path('a'), 0o640);
  linkSync(path('a'), path('b'));
  await changeFile(await change('a', content('next')));
  assert.deepEqual([text('b'), statSync(path('a')).mode & 0o777], ['next', 0o640]);
});

test('writes a file whose permission to write was taken', posixOnly, async (context) => {
  const { path, text, change } = setUp(context, { a: 'before' });
  chmodSync(path('a'), 0o444);
  for (const unsaved of ['edited', 'replaced'] as const) {
    await changeFile(await change('a', content(unsaved, { unsaved, permissions: { mode: 0o644 } })));
    assert.deepEqual([text('a'), statSync(path('a')).mode & 0o777], [unsaved, 0o644]);
    chmodSync(path('a'), 0o444);
  }
});

test('unsaved text gets the change, is replaced, or stays', async (context) => {
  const { path, text, change, documents } = setUp(context, { a: 'one\ntwo\n' });
  const document = documents.open(path('a'));
  document.type('mine\ntwo\n');
  await changeFile(await change('a', content('mine\nTWO\n')));
  assert.deepEqual([document.getText(), document.isDirty, text('a')], ['mine\nTWO\n', true, 'one\ntwo\n']);
  await changeFile(await change('a', content('beside\n', { unsaved: 'kept' })));
  assert.deepEqual([document.getText(), document.isDirty, text('a')], ['mine\nTWO\n', true, 'beside\n']);
  // As the editor does, once nothing is unsaved.
  const following = setInterval(() => document.follow(), 1);
  context.after(() => clearInterval(following));
  await changeFile(await change('a', content('over\n', { unsaved: 'replaced' })));
  assert.deepEqual([document.getText(), document.isDirty, text('a')], ['over\n', false, 'over\n']);
});

test('an executable bit is set under text that isn’t saved', posixOnly, async (context) => {
  const { path, change, documents } = setUp(context, { a: 'one\n' });
  documents.open(path('a')).type('mine\n');
  await changeFile(await change('a', content('mine, too\n', { permissions: { isExecutable: true } })));
  assert.equal(statSync(path('a')).mode & 0o111, 0o111);
});

test('leaves text that was typed after the check', async (context) => {
  const { path, change, documents } = setUp(context, { a: 'one\n' });
  const document = documents.open(path('a'));
  document.type('mine\n');
  const planned = await change('a', content('next\n'));
  const record = async ({ check, apply }: ChangeSteps) => {
    await check();
    document.type('typed\n');
    await apply();
  };
  await assert.rejects(changeFile({ ...planned, record }), isRefused('changed'));
  assert.equal(document.getText(), 'typed\n');
});

test('a step of the editor leaves the line breaks and the mark', async (context) => {
  const marked = '\uFEFFone\r\ntwo\nthree\r\n';
  const { path, text, change, documents } = setUp(context, { a: marked.replace('two', 'agent') });
  const document = documents.open(path('a'));
  const edits = [{ start: 1, end: 2, lines: ['two'] }];
  const step = { edits, before: document.getText(), exact: Buffer.from(marked), breaks: undefined };
  await changeFile(await change('a', content(marked, { step })));
  assert.deepEqual([text('a'), document.isDirty], [marked, false]);
  const mark = { mark: 'none' as const, isAll: true, encode: (all: string) => Promise.resolve(Buffer.from(all)) };
  document.type('typed\n');
  await assert.rejects(changeFile(await change('a', { kind: 'traits', mark })), isRefused('unsavedMark'));
  assert.equal(text('a'), marked);
});

test('a step leaves unsaved text that it isn’t for', async (context) => {
  const { path, text, change, documents } = setUp(context, { a: 'one\n' });
  const document = documents.open(path('a'));
  document.type('typed\n');
  const step = { edits: [{ start: 0, end: 1, lines: ['next'] }], before: 'one\n', exact: undefined, breaks: undefined };
  await assert.rejects(changeFile(await change('a', content('next\n', { step }))), isRefused('otherText'));
  assert.deepEqual([document.getText(), text('a')], ['typed\n', 'one\n']);
});

test('leaves a file whose notebook has unsaved changes', async (context) => {
  const { path, text, change } = setUp(context, { 'a.ipynb': '{}' });
  const uri = vscode.Uri.file(path('a.ipynb'));
  const open = vscode.workspace.notebookDocuments as unknown[];
  open.push({ uri, isDirty: true, isClosed: false });
  context.after(() => open.pop());
  await assert.rejects(changeFile(await change('a.ipynb', content('next'))), isRefused('notebook'));
  assert.equal(text('a.ipynb'), '{}');
});

test('removes an empty folder, and leaves one with other files', async (context) => {
  const { path, change } = setUp(context);
  for (const name of ['empty', 'full']) mkdirSync(path(name));
  writeFileSync(path('full/x'), 'x');
  for (const name of ['empty', 'full']) await changeFile(await change(name, { kind: 'absent', folder: 'empty' }));
  assert.deepEqual([existsSync(path('empty')), existsSync(path('full/x'))], [false, true]);
});
