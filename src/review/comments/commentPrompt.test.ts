import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { commentPrompt } from './commentPrompt';
import { ReviewLog } from '../log/reviewLog';

const author = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 1 } as const;

function changed(before: string, after: string) {
  const log = new ReviewLog();
  const file = log.track('a', { kind: 'text', text: before });
  log.agentEdit('a', { kind: 'text', text: after }, author);
  return file;
}

test('includes the file, the lines, and the diff with a comment', () => {
  const file = changed('one\r\ntwo\r\nthree\r\n', 'one\r\nTWO\r\nand more\r\nthree\r\n');
  assert.equal(
    commentPrompt('  Why two lines?\n', 'src/a.ts', 1, file, file.hunks[0]),
    [
      'Why two lines?',
      '',
      'This is about your change in src/a.ts, lines 2 to 3:',
      '',
      '```diff',
      '@@ -2,1 +2,2 @@',
      '-two',
      '+TWO',
      '+and more',
      '```',
    ].join('\n'),
  );
});

test('handles removed lines and code fences in a change', () => {
  const file = changed('one\n````\nthree\n', 'one\nthree\n');
  const prompt = commentPrompt('Keep it', 'a.md', 1, file, file.hunks[0]);
  assert.match(prompt, /where lines were removed after line 1/);
  assert.match(prompt, /\n`{5}diff\n@@ -2,1 \+1,0 @@\n-````\n`{5}$/);
});

test('names the author of a change to another agent', () => {
  const file = changed('one\n', 'ONE\n');
  const prompt = commentPrompt('Hm', 'a.ts', 0, file, file.hunks[0], 'Agent');
  assert.match(prompt, /about a change by Agent, made in another session, in a\.ts, line 1:/);
  assert.doesNotMatch(prompt, /your change/);
});

test('names only the place of a very long or missing change', () => {
  assert.equal(commentPrompt('Hm', 'a.ts', 4, undefined, undefined), 'Hm\n\nThis is about a.ts, line 5.');
  const file = changed('', 'line\n'.repeat(500));
  assert.match(commentPrompt('Hm', 'a.ts', 0, file, file.hunks[0]), /your change in a\.ts, lines 1 to 50\d\.$/);
});
