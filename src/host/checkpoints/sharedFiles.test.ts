// Restores in one session of files that another session has written, too.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { beforeEach, test, type TestContext } from 'node:test';
import { CheckpointRecorder } from './checkpointRecorder';
import { planNow } from './restorePlan';
import { reviewFolder, type FakeTurns } from '../../../test/unit-support/reviewWindow';
import { editor } from '../../../test/unit-support/vscode';

const before = 'one\ntwo\nthree\n';

beforeEach(() => editor.reset());

function setUp(context: TestContext) {
  const window = reviewFolder(context, { 'a.txt': before }).open();
  const { review } = window;
  const recorder = new CheckpointRecorder(review.onDidTouch, review.contents, (error) => window.errors.push(error));
  context.after(() => recorder.dispose());
  const conflicts = async (session: FakeTurns) => {
    await recorder.idle();
    const { steps } = await planNow(recorder.of(session.key), 1, review.contents);
    return steps.map(({ conflict }) => conflict);
  };
  const write = (text: string) => writeFileSync(window.path('a.txt'), text);
  return { window, conflicts, write };
}

test('a session’s own writes are restored without a question', async (context) => {
  const { window, conflicts, write } = setUp(context);
  const session = window.session('A');
  await window.begin(session);
  write('A\n');
  await window.look('a.txt');
  write('A again\n');
  await window.end(session);
  assert.deepEqual(await conflicts(session), [undefined]);
});

test('a later write of another session is a conflict', async (context) => {
  const { window, conflicts, write } = setUp(context);
  const [first, second] = [window.session('A'), window.session('B')];
  await window.begin(first);
  write('A\n');
  await window.end(first);
  await window.begin(second);
  write('B\n');
  await window.end(second);
  assert.deepEqual(await conflicts(first), ['editedSince']);
  assert.deepEqual(await conflicts(second), [undefined]);
});

test('another session’s write between two of a turn is a conflict', async (context) => {
  const { window, conflicts, write } = setUp(context);
  const [first, second] = [window.session('A'), window.session('B')];
  await window.begin(first);
  first.names(window.path('a.txt'), 'completed');
  write('A\n');
  await window.look('a.txt');
  await window.begin(second);
  second.names(window.path('a.txt'));
  write('B\n');
  await window.look('a.txt');
  await window.end(second);
  write('A again\n');
  await window.end(first);
  assert.deepEqual(await conflicts(first), ['editedBetween']);
});

test('a write right after another session’s is not taken for it', async (context) => {
  const { window, conflicts, write } = setUp(context);
  const session = window.session('A');
  await window.begin(session);
  write('A\n');
  const touched = new Promise((resolve) => window.review.onDidTouch(resolve));
  const looked = window.look('a.txt');
  await touched;
  write('of somebody else\n');
  await looked;
  assert.deepEqual(await conflicts(session), ['editedSince']);
});

test('a write of an uncertain session is a conflict in both', async (context) => {
  const { window, conflicts, write } = setUp(context);
  const [first, second] = [window.session('A'), window.session('B')];
  await window.begin(first);
  await window.begin(second);
  first.names(window.path('a.txt'), 'completed');
  second.names(window.path('a.txt'));
  write('A or B\n');
  await window.end(first);
  await window.end(second);
  const all = [...(await conflicts(first)), ...(await conflicts(second))];
  assert.ok(all.length > 0 && all.every((one) => one === 'editedBetween'), String(all));
});
