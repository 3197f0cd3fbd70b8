import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitChoices, messagePrompt, subjectOf } from './commitChoices';
import type { UncommittedFile } from './gitCommit';

const file = (path: string): UncommittedFile => ({ path, status: 'modified', isUntracked: false, print: path });
const paths = (files: readonly UncommittedFile[]) => files.map(({ path }) => path);

test('selects what the agent changed and the user has reviewed', () => {
  const named = new Set(['kept.ts', 'pending.ts']);
  const { kept, others, pending } = commitChoices(
    [file('kept.ts'), file('mine.ts'), file('pending.ts'), file('shell.ts')],
    (path) => named.has(path),
    (path) => path === 'pending.ts' || path === 'shell.ts',
  );
  assert.deepEqual(
    [paths(kept), paths(others), paths(pending)],
    [['kept.ts'], ['mine.ts'], ['pending.ts', 'shell.ts']],
  );
});

test('reads the subject from an agent’s answer', () => {
  assert.equal(subjectOf('Retry flaky uploads'), 'Retry flaky uploads');
  assert.equal(subjectOf('Here is one:\n\n```\nRetry flaky uploads\n\nWith jitter.\n```'), 'Retry flaky uploads');
  assert.equal(subjectOf('**Retry flaky uploads**'), 'Retry flaky uploads');
  assert.equal(subjectOf('“Retry flaky uploads”'), 'Retry flaky uploads');
  assert.equal(subjectOf('Use `retry` twice'), 'Use `retry` twice');
  assert.equal(subjectOf(''), '');
});

test('names the files in the prompt', () => {
  assert.match(messagePrompt([file('src/a.ts')]), /subject line only[\s\S]*- src\/a\.ts \(modified\)/);
});
