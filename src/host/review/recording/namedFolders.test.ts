// Tool calls whose locations are folders, as those of opencode and Kilo are for each command.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';

beforeEach(() => editor.reset());

test('lists no folder of a tool call as a changed file', async (context) => {
  const window = reviewFolder(context, { 'a.txt': 'one\n' }).open();
  mkdirSync(window.path('src'));
  writeFileSync(window.path('src/b.txt'), 'two\n');
  const session = window.session();
  await window.begin(session);
  const folders = [window.folder, window.path('src'), tmpdir()];
  for (const folder of folders) session.names(folder);
  writeFileSync(window.path('a.txt'), 'agent\n');
  mkdirSync(window.path('made'));
  writeFileSync(window.path('made/c.txt'), 'agent\n');
  for (const folder of folders) session.names(folder, 'completed');
  await window.end(session);
  const listed = window.listed(session).map(({ path }) => path);
  assert.deepEqual(listed.sort(), ['a.txt', join('made', 'c.txt')]);
  assert.deepEqual(window.errors, []);
});
