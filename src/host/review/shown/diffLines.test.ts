import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness, settle } from '../../../../test/unit-support/fakeSession';
import type { FileState } from '../../../review/files/fileState';
import { Emitter } from '../../../shared/values/event';
import { DiffLines } from './diffLines';

const path = '/workspace/notes.md';
const snippet = [{ type: 'diff', path, oldText: 'Hello wrld', newText: 'Hello world' }];

function setUp() {
  const test = new SessionHarness().open();
  const files = new Map<string, FileState>([[path, { kind: 'text', text: '# Notes\n\nHello wrld\n' }]]);
  const bases = new Map<string, FileState>();
  const present = (name: string) => Promise.resolve(files.get(name) ?? ({ kind: 'absent' } as const));
  const pool = { sessions: [test.session], onDidChangeSessions: new Emitter<void>().event };
  const lines = new DiffLines(pool, { present, base: (name) => bases.get(name) });
  const shown = () =>
    test
      .all('tool_call')
      .flatMap(({ content }) => content.flatMap((item) => (item.type === 'diff' ? [item.line] : [])));
  return { test, files, bases, lines, shown };
}

test("a snippet has its file's line numbers, also when sent again", async () => {
  const { test, files, shown } = setUp();
  test.update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', status: 'pending', content: snippet });
  await settle();
  assert.deepEqual(shown(), [3]);
  files.set(path, { kind: 'text', text: 'new\n# Notes\n\nHello world\n' });
  test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed', content: snippet });
  assert.deepEqual(shown(), [3]);
});

test('finds a late snippet in the current or the earlier text', async () => {
  const { test, files, bases, shown } = setUp();
  const call = { sessionUpdate: 'tool_call', title: 'Edit', status: 'completed', content: snippet };
  files.set(path, { kind: 'text', text: '\n\n\n\nHello world\n' });
  test.update({ ...call, toolCallId: 'a' });
  await settle();
  files.set(path, { kind: 'absent' });
  bases.set(path, { kind: 'text', text: '\nHello wrld\n' });
  test.update({ ...call, toolCallId: 'b' });
  await settle();
  bases.clear();
  test.update({ ...call, toolCallId: 'c' });
  await settle();
  assert.deepEqual(shown(), [5, 2, 0]);
});

test('finds a snippet based on an unfinished change when its call ends', async () => {
  const { test, files, shown } = setUp();
  const content = [{ type: 'diff', path, oldText: 'Hello world', newText: 'Hello, world' }];
  test.update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', status: 'pending', content });
  await settle();
  assert.deepEqual(shown(), [0]);
  files.set(path, { kind: 'text', text: '# Notes\n\nHello, world\n' });
  test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'in_progress' });
  await settle();
  assert.deepEqual(shown(), [0]);
  test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
  await settle();
  assert.deepEqual(shown(), [3]);
});

test('looks up nothing once the window closes', async () => {
  const { test, lines, shown } = setUp();
  lines.dispose();
  test.update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', status: 'pending', content: snippet });
  await settle();
  assert.deepEqual(shown(), [undefined]);
});

test('finding the lines of a snippet does not change the permission request', async () => {
  const { test, shown } = setUp();
  void test.ask({ toolCallId: 'c', title: 'Edit', status: 'pending', content: snippet });
  await settle();
  assert.deepEqual(shown(), [3]);
  test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'in_progress', content: snippet });
  const [call] = test.all('tool_call');
  assert.deepEqual([call?.permission.state, call && 'changed' in call.permission, shown()], ['asked', false, [3]]);
});
