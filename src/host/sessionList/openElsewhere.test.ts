import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import type { SessionKey } from '../../shared/values/ids';
import type { WindowBoard } from '../sessions/stored/windowBoard';
import { openElsewhere, ownWorkspace } from './openElsewhere';

beforeEach(() => editor.reset());

const key = 'a' as SessionKey;

/** A board with one other window, which has the session. */
function board(window: { readonly name: string; readonly place: string }) {
  const asked: unknown[] = [];
  const others: unknown[] = [];
  const fake = {
    others,
    look: () => Promise.resolve(void others.splice(0, 1, { id: 'w', ...window, rows: [{ session: key }] })),
    ask: (...ask: unknown[]) => Promise.resolve(void asked.push(ask)),
  };
  return { board: fake as unknown as WindowBoard, asked };
}

const harbor = { name: 'harbor', place: 'file:///work/harbor' };
const told = () => editor.shown.map(({ message }) => message);

test('focuses the window of the session by its folder', async () => {
  const { board: other, asked } = board(harbor);
  await openElsewhere(other, key);
  assert.deepEqual(asked, [['w', 'a']]);
  const [opened] = editor.executed;
  assert.deepEqual([opened?.id, String(opened?.args[0])], ['vscode.openFolder', 'file:///work/harbor']);
  assert.deepEqual(opened?.args[1], { forceNewWindow: true });
  assert.deepEqual(told(), []);
});

test('names the window where opening its folder would open it twice', async () => {
  editor.isDesktop = false;
  const { board: other, asked } = board(harbor);
  await openElsewhere(other, key);
  assert.deepEqual([asked.length, editor.executed], [1, []]);
  assert.deepEqual(told(), ['This session is open in the window of “harbor”, which shows it now.']);
});

test('names another window of the same folder', async () => {
  editor.folders = ['/work/harbor'];
  await openElsewhere(board(harbor).board, key);
  assert.deepEqual(editor.executed, []);
  assert.deepEqual(told(), ['This session is open in the window of “harbor”, which shows it now.']);
});

test('says that a window has no folder', async () => {
  await openElsewhere(board({ name: '', place: '' }).board, key);
  assert.deepEqual(editor.executed, []);
  assert.deepEqual(told(), ['This session is open in a window without a folder, which shows it now.']);
});

test('says how to open a session of a window that isn’t found', async () => {
  await openElsewhere(board(harbor).board, 'b' as SessionKey);
  assert.deepEqual(told(), ['This session is open in another window. Close it there to open it here.']);
});

test('a window is found by its first folder', () => {
  editor.folders = ['/work/harbor', '/work/quay'];
  assert.deepEqual(ownWorkspace(), harbor);
});
