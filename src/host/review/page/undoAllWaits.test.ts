import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, test, type TestContext } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { writeSteps } from '../../checkpoints/writeSteps';
import { BlobStore, hashOf } from '../../../baseline/blobStore';
import { carryOutIntent } from './reviewMessages';
import { fileOnDisk } from '../../workspaceFiles/presentFile';

const before = 'one\ntwo\nthree\n';

beforeEach(() => editor.reset());

test('Undo All right after a turn undoes what isn’t listed yet', async (context) => {
  const names = Array.from({ length: 40 }, (_, at) => `${at}.txt`);
  const window = reviewFolder(context, Object.fromEntries(names.map((name) => [name, before]))).open();
  const session = window.session();
  await window.begin(session);
  for (const name of names) writeFileSync(window.path(name), 'one\nagent\nthree\n');
  session.end();
  assert.deepEqual(window.review.log.pending, []);
  await window.undoAll();
  for (const name of names) assert.equal(readFileSync(window.path(name), 'utf8'), before, name);
  assert.deepEqual(window.review.log.pending, []);
});

test('Undo in the chat waits for what isn’t listed yet', async (context) => {
  const window = reviewFolder(context, { 'a.txt': before, 'b.txt': before }).open();
  const session = window.session();
  await window.begin(session);
  for (const name of ['a.txt', 'b.txt']) writeFileSync(window.path(name), 'one\nagent\nthree\n');
  session.end();
  assert.deepEqual(window.review.log.pending, []);
  const intent = { type: 'reviewChanges', action: 'undo', scope: 'session', session: session.key } as const;
  await carryOutIntent(window.review, intent);
  for (const name of ['a.txt', 'b.txt']) assert.equal(readFileSync(window.path(name), 'utf8'), before, name);
});

/** A turn that has ended, and whose changes aren’t read before the test says so. */
async function slowTurn(context: TestContext) {
  const names = ['a.txt', 'b.txt'];
  const window = reviewFolder(context, Object.fromEntries(names.map((name) => [name, before]))).open(1);
  const session = window.session();
  await window.begin(session);
  for (const name of names) writeFileSync(window.path(name), 'one\nagent\nthree\n');
  const { asked, open } = await window.holdBaseline(session);
  session.end();
  await asked;
  const told = () => new Promise<void>((resolve) => editor.subscribe('progress', () => resolve()));
  const contents = () => names.map((name) => readFileSync(window.path(name), 'utf8'));
  return { window, session, open, told, contents };
}

test('Undo All waits for large files, and says so', async (context) => {
  const { window, open, told, contents } = await slowTurn(context);
  const isTold = told();
  const undone = window.undoAll();
  await isTold;
  assert.equal(contents().includes(before), false);
  open();
  await undone;
  assert.deepEqual(contents(), [before, before]);
  assert.deepEqual(window.review.log.pending, []);
});

test('Undo that is canceled while it waits undoes nothing', async (context) => {
  const { window, session, open, told, contents } = await slowTurn(context);
  const intent = { type: 'reviewChanges', action: 'undo', scope: 'session', session: session.key } as const;
  for (const undo of [() => window.undoAll(), () => carryOutIntent(window.review, intent)]) {
    const isTold = told();
    const undone = undo();
    await isTold;
    editor.fire('progress.cancel');
    await undone;
  }
  assert.equal(contents().includes(before), false);
  open();
  await window.review.turns.settled(session.key);
  assert.equal(window.review.log.pending.length, 2);
});

test('Undo All undoes files that an earlier act is still writing', async (context) => {
  const window = reviewFolder(context, { 'a.txt': before, 'b.txt': before }).open();
  const { review } = window;
  const session = window.session();
  const contents = new BlobStore(window.path('../contents'));
  const after = Buffer.from('one\nagent\nthree\n');
  await contents.save(after);
  await window.begin(session);
  for (const name of ['a.txt', 'b.txt']) writeFileSync(window.path(name), after);
  await window.end(session);
  const snapshots = new Map(review.log.pending.map((uri) => [uri, review.log.file(uri)?.snapshot]));
  await window.undoAll();
  const steps = ['a.txt', 'b.txt'].map(async (name) => {
    const uri = window.uri(name).toString();
    const ref = { kind: 'stored', hash: hashOf(after), size: after.byteLength } as const;
    const { ref: expected } = await fileOnDisk(window.uri(name));
    return { step: { uri, action: 'write', ref } as const, expected, review: () => snapshots.get(uri) };
  });
  const restored = writeSteps({ contents, disk: review.disk, log: review.log }, await Promise.all(steps));
  await window.undoAll();
  assert.equal((await restored).done.length, 2);
  for (const name of ['a.txt', 'b.txt']) assert.equal(readFileSync(window.path(name), 'utf8'), before, name);
});
