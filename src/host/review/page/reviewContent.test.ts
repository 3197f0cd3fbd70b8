import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileState } from '../../../review/files/fileState';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { BaseBytes } from '../stored/baseBytes';
import { reviewContent } from './reviewContent';

/** What the page says of a file that has no lines to compare. */
async function words(base: FileState, current: FileState): Promise<string> {
  const log = { file: () => ({ base, current }) } as unknown as ReviewLog;
  const content = await reviewContent(log, {} as BaseBytes, 'file:///a', [], []);
  return content.kind === 'words' ? content.words : assert.fail(content.kind);
}

test('names the target of a link before and after', async () => {
  const [link, text] = [{ kind: 'link', target: '../b' } as const, { kind: 'text', text: 'a' } as const];
  assert.equal(await words(text, link), 'Symbolic link to ../b');
  assert.equal(await words(link, text), 'Was a symbolic link to ../b');
  assert.equal(await words({ kind: 'link', target: '../a' }, link), 'Symbolic link to ../b');
});

test('says what has no lines', async () => {
  const [folder, text] = [{ kind: 'folder' } as const, { kind: 'text', text: 'a' } as const];
  assert.deepEqual([await words(folder, text), await words(text, folder)], ['Folder', 'Folder']);
  assert.equal(await words(text, { kind: 'binary', hash: 'h', size: 1 }), 'Binary file');
});
