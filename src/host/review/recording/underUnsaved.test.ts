// What an agent writes to a file while the user has unsaved text in it.
import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { beforeEach, test, type TestContext } from 'node:test';
import { reviewFolder, type ReviewWindow } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { hashOf } from '../../../baseline/blobStore';
import type { AgentTouch } from './diskChanges';
import { clockSlackMs } from '../moves/noticed';

const before = 'one\ntwo\nthree\n';

beforeEach(() => editor.reset());

function newWindow(context: TestContext): ReviewWindow {
  return reviewFolder(context, { 'a.txt': before, 'b.txt': before }).open();
}

test('a plain write is listed and undone', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path }) => path),
    ['a.txt'],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.deepEqual(window.errors, []);
});

test('lists and undoes a write under unsaved text without touching it', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  document.type('mine\none\ntwo\nthree\n');
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  writeFileSync(window.path('b.txt'), 'b of the agent\n');
  await window.look('a.txt');
  const shown = window
    .listed(session)
    .map(({ path, isUnderUnsaved, session: { added } }) => [path, isUnderUnsaved, added]);
  assert.deepEqual(shown, [['a.txt', true, 1]]);
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path }) => path),
    ['a.txt', 'b.txt'],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.equal(readFileSync(window.path('b.txt'), 'utf8'), before);
  assert.equal(document.getText(), 'mine\none\ntwo\nthree\n');
  assert.equal(document.isDirty, true);
  await window.look('a.txt');
  assert.deepEqual(window.listed(session), []);
  // The file is as the editor knows it, so it saves without a conflict.
  assert.equal(await document.save(), true);
  await window.look('a.txt');
  assert.deepEqual([window.listed(session), window.errors], [[], []]);
});

test('reviews a write in the file once unsaved text is discarded', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  await window.begin(session);
  document.type('mine\none\ntwo\nthree\n');
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  document.revert();
  await window.look('a.txt');
  assert.deepEqual(
    window.listed(session).map(({ path, isUnderUnsaved }) => [path, isUnderUnsaved]),
    [['a.txt', undefined]],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
});

test('lists nothing once the user’s text has replaced a write', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  await window.begin(session);
  document.type('mine\none\ntwo\nthree\n');
  writeFileSync(window.path('a.txt'), 'one\nagent, longer\nthree\n');
  await window.look('a.txt');
  assert.equal(window.listed(session).length, 1);
  // Auto save meets a newer file.
  assert.equal(await document.save(), false);
  assert.equal(window.listed(session).length, 1);
  writeFileSync(window.path('a.txt'), before);
  assert.equal(await document.save(), true);
  await window.end(session);
  assert.deepEqual(window.listed(session), []);
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'mine\none\ntwo\nthree\n');
});

test('a write that is kept under unsaved text is not listed again', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  await window.begin(session);
  document.type('mine\none\ntwo\nthree\n');
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.end(session);
  window.review.log.keepAll();
  document.revert();
  await window.look('a.txt');
  assert.deepEqual(window.listed(session), []);
});

/** What happens next is too late to belong to a turn that has ended. */
function timePasses({ review }: ReviewWindow): void {
  for (const turn of review.turns.current) if (turn.endedAt !== undefined) turn.endedAt -= 2 * clockSlackMs;
}

/** A file with a pending change of an earlier turn, and unsaved text above it. */
async function underReview(context: TestContext) {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  const change = 'one\nagent\nthree\n';
  await window.begin(session);
  writeFileSync(window.path('a.txt'), change);
  await window.look('a.txt');
  await window.end(session);
  timePasses(window);
  document.type(`typed\n${change}`);
  await window.look('a.txt');
  const read = () => readFileSync(window.path('a.txt'), 'utf8');
  return { window, session, document, change, read };
}

test('what the user changed on disk before a turn stays theirs', async (context) => {
  const { window, session, document, change, read } = await underReview(context);
  writeFileSync(window.path('a.txt'), `${change}mine\n`);
  await window.begin(session);
  writeFileSync(window.path('a.txt'), `new\n${change}mine\n`);
  await window.end(session);
  const [, side] = window.listed(session);
  assert.deepEqual([side?.isUnderUnsaved, side?.session.added, side?.session.removed], [true, 1, 0]);
  document.revert();
  await window.look('a.txt');
  await window.undoAll();
  assert.equal(read(), `${before}mine\n`);
});

test('a user’s change on disk between two turns stays theirs', async (context) => {
  const { window, session, document, change, read } = await underReview(context);
  await window.begin(session);
  writeFileSync(window.path('a.txt'), `new\n${change}`);
  await window.end(session);
  timePasses(window);
  writeFileSync(window.path('a.txt'), `new\n${change}mine\n`);
  await window.begin(session);
  writeFileSync(window.path('a.txt'), `new\n${change}mine\nlast\n`);
  await window.end(session);
  document.revert();
  await window.look('a.txt');
  await window.undoAll();
  assert.equal(read(), `${before}mine\n`);
});

test('discarding unsaved text is not the agent’s change', async (context) => {
  const { window, session, document, change, read } = await underReview(context);
  await window.begin(session);
  document.type(`typed again\n${change}`);
  writeFileSync(window.path('a.txt'), `${change}new\n`);
  await window.end(session);
  document.revert();
  await window.look('a.txt');
  const [file] = window.listed(session);
  assert.deepEqual([file?.session.added, file?.session.removed], [2, 1]);
  await window.undoAll();
  assert.equal(read(), before);
});

test('a write kept under unsaved text stays kept in a reviewed file', async (context) => {
  const { window, session, document, change } = await underReview(context);
  await window.begin(session);
  writeFileSync(window.path('a.txt'), `${change}new\n`);
  await window.end(session);
  const [, side] = window.listed(session);
  assert.ok(side);
  await window.review.commands['parley.review.keepFile'](side.uri);
  document.revert();
  await window.look('a.txt');
  const [file] = window.listed(session);
  assert.deepEqual([file?.session.added, file?.session.removed], [1, 1]);
});

test('text that an agent’s write through the editor saves stays the user’s', async (context) => {
  const { window, session, document, change, read } = await underReview(context);
  await window.begin(session);
  writeFileSync(window.path('a.txt'), `${change}new\n`);
  await window.look('a.txt');
  const author = { session: session.key, agentName: 'Told', cwd: window.folder } as never;
  await window.review.writing(author, window.uri('a.txt'), async () => {
    writeFileSync(window.path('a.txt'), change);
    document.type(`typed\n${change}last\n`);
    assert.equal(await document.save(), true);
  });
  writeFileSync(window.path('a.txt'), `${read()}later\n`);
  await window.look('a.txt');
  await window.end(session);
  await window.undoAll();
  assert.equal(read(), `typed\n${before}`);
});

test('what an undo brought back is not the later turn’s', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  document.type('mine\none\ntwo\nthree\n');
  await window.begin(session);
  rmSync(window.path('a.txt'));
  await window.end(session);
  await window.begin(session);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  await window.end(session);
  document.revert();
  await window.look('a.txt');
  await window.look('a.txt');
  assert.deepEqual(window.listed(session), []);
});

test('the user’s own save during a turn is not the agent’s', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  await window.begin(session);
  document.type('mine\none\ntwo\nthree\n');
  await document.save();
  document.type('mine\none\ntwo\nthree\nmore');
  await window.look('a.txt');
  await window.end(session);
  assert.deepEqual(window.listed(session), []);
});

test('a second write under unsaved text is undone to the first', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  await window.begin(session);
  const first = 'one\nagent\nthree\n';
  writeFileSync(window.path('a.txt'), first);
  await window.look('a.txt');
  document.type(`mine\n${first}`);
  writeFileSync(window.path('a.txt'), 'one\nagent\nagain\n');
  await window.end(session);
  const [, side] = window.listed(session);
  assert.equal(side?.isUnderUnsaved, true);
  await window.review.commands['parley.review.undoFile'](side.uri);
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), first);
  assert.equal(document.getText(), `mine\n${first}`);
});

test('reviews a write although the user typed and saved before the check', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const document = window.documents.open(window.path('a.txt'));
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  document.follow();
  document.type('one\nagent\nthree\nmine\n');
  await document.save();
  await window.end(session);
  assert.deepEqual(
    window
      .listed(session)
      .map(({ path, hasUserText, session: { added, removed } }) => [path, hasUserText, added, removed]),
    [['a.txt', false, 1, 1]],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'one\ntwo\nthree\nmine\n');
});

test('reviews a write in a file typed in before the check', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('draft'), 'one\nagent\nthree\n');
  renameSync(window.path('draft'), window.path('a.txt'));
  const document = window.documents.open(window.path('a.txt'));
  document.type('one\nagent\nthree\nmine\n');
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, isUnderUnsaved, hasUserText }) => [path, isUnderUnsaved, hasUserText]),
    [['a.txt', undefined, false]],
  );
  await window.undoAll();
  assert.equal(document.getText(), 'one\ntwo\nthree\nmine\n');
  assert.deepEqual(window.errors, []);
});

test('reviews a second write in a file typed in before the check', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  await window.look('a.txt');
  writeFileSync(window.path('a.txt'), 'one\nagent\nagain\n');
  const document = window.documents.open(window.path('a.txt'));
  document.type('one\nagent\nagain\nmine\n');
  await window.end(session);
  await window.undoAll();
  assert.equal(document.getText(), 'one\ntwo\nthree\nmine\n');
});

test('reviews a write in a file opened and saved before the check', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  const touched: AgentTouch[] = [];
  window.review.onDidTouch((touch) => touched.push(touch));
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  const document = window.documents.open(window.path('a.txt'));
  document.type('one\nagent\nthree\nmine\n');
  await document.save();
  await window.end(session);
  // A restore asks before it takes what the user saved since.
  assert.deepEqual(
    touched.map(({ uri, after }) => [uri.fsPath, after?.kind === 'stored' && after.hash]),
    [[window.path('a.txt'), hashOf(Buffer.from('one\nagent\nthree\n'))]],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'one\ntwo\nthree\nmine\n');
});

/** Writes at the end of a turn. The next one begins before anybody looks, within one tick of the file system's clock. */
async function writeAtTheEnd(window: ReviewWindow, text: string) {
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), text);
  session.end();
  session.begin();
  const [, next] = window.review.turns.current;
  assert.ok(next);
  Object.assign(next, { startedAt: statSync(window.path('a.txt')).ctimeMs + 1 });
  return session;
}

test('reviews a write under unsaved text that the next turn finds', async (context) => {
  const window = newWindow(context);
  const document = window.documents.open(window.path('a.txt'));
  document.type('mine\none\ntwo\nthree\n');
  const session = await writeAtTheEnd(window, 'agent\n');
  await window.look('a.txt');
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, isUnderUnsaved }) => [path, isUnderUnsaved]),
    [['a.txt', true]],
  );
  document.revert();
  await window.look('a.txt');
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
});

test('reviews a write that the next turn finds under typing', async (context) => {
  const window = newWindow(context);
  const session = await writeAtTheEnd(window, 'one\nagent\nthree\n');
  const document = window.documents.open(window.path('a.txt'));
  document.type('one\nagent\nthree\nmine\n');
  await window.end(session);
  await window.undoAll();
  assert.equal(document.getText(), 'one\ntwo\nthree\nmine\n');
});

test('reviews a write that the user opened and saved during the check', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  await window.begin(session);
  const { asked, open } = await window.holdBaseline(session);
  writeFileSync(window.path('a.txt'), 'one\nagent\nthree\n');
  const looked = window.look('a.txt');
  await asked;
  const document = window.documents.open(window.path('a.txt'));
  document.type('one\nagent\nthree\nmine\n');
  await document.save();
  open();
  await looked;
  await window.end(session);
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'one\ntwo\nthree\nmine\n');
});

test('an undo asks about lines saved a moment before', async (context) => {
  const window = newWindow(context);
  const session = window.session();
  await window.begin(session);
  const agents = 'one\r\ntwo\r\nthree\r\n';
  writeFileSync(window.path('a.txt'), agents);
  await window.look('a.txt');
  const { asked, open } = await window.holdBaseline(session);
  const document = window.documents.open(window.path('a.txt'));
  document.type('one\nmine\ntwo\nthree\n');
  await document.save();
  const undone = window.undoAll();
  await asked;
  open();
  await undone;
  assert.match(editor.shown[0]?.message ?? '', /^You edited a\.txt after/);
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), agents.replace('two', 'mine\r\ntwo'));
});
