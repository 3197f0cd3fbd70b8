import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import { ReviewLog } from '../../review/log/reviewLog';
import type { SessionKey } from '../../shared/values/ids';
import type { CodeAction } from '../../shared/pages/messages';
import type { Session } from '../../session/session';
import { useCode } from './useCode';

const session = { key: 's', transcript: { view: { cwd: '/work', agentName: 'Test' } } } as unknown as Session;
const review = { log: new ReviewLog(), applying: () => Promise.reject(new Error('Nothing may be written.')) };

async function use(action: CodeAction, text: string, info: string): Promise<readonly string[]> {
  await useCode(review, session, { type: 'useCode', session: 's' as SessionKey, action, text, info, hints: [] });
  return editor.shown.map(({ message }) => message);
}

suite('a code block from a page', () => {
  beforeEach(() => editor.reset());

  test('is neither run nor written in an untrusted folder', async () => {
    editor.isTrusted = false;
    editor.answers.push('Manage Trust');
    for (const action of ['run', 'apply', 'create'] as const) await use(action, 'npm test', 'bash a.sh');
    assert.equal(editor.shown.length, 3);
    for (const { message } of editor.shown) assert.match(message, /^This folder isn’t trusted/);
    assert.deepEqual(
      editor.executed.map(({ id }) => id),
      ['workbench.trust.manage'],
    );
  });

  test('runs only if it is shell code and the user confirms', async () => {
    assert.deepEqual(await use('run', 'rm -r x', 'ts'), []);
    assert.deepEqual(await use('run', 'npm ci\nnpm test', 'sh'), ['Run these 2 lines from Test?']);
    assert.deepEqual(
      editor.made.filter(({ what }) => /terminal/i.test(what)),
      [],
    );
  });

  test('is ignored if it is empty', async () => {
    assert.deepEqual(await use('apply', ' \n', 'ts'), ['The code block is empty.']);
  });
});
