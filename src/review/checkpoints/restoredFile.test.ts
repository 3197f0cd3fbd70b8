import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import type { Author } from '../hunks/hunk';
import { ReviewLog } from '../log/reviewLog';
import { hasReview, restoredReview } from './restoredFile';

const author = (turn: number): Author => ({ kind: 'agent', agentName: 'Told', session: 's' as SessionKey, turn });
const text = (value: string) => ({ kind: 'text', text: value }) as const;

/** Returns a file that two turns changed, with its review data before the second turn. */
function twoTurns() {
  const log = new ReviewLog();
  log.track('a', text('one\ntwo\nthree\n'));
  log.agentEdit('a', text('ONE\ntwo\nthree\n'), author(1));
  const earlier = log.file('a')?.snapshot;
  log.agentEdit('a', text('ONE\ntwo\nTHREE\n'), author(2));
  assert.ok(earlier);
  return { log, earlier, present: () => log.file('a')?.snapshot ?? assert.fail() };
}

test('restoring a file brings back its pending changes and their authors', () => {
  const { log, earlier, present } = twoTurns();
  const before = present();
  const data = restoredReview(before, earlier, text('ONE\ntwo\nthree\n'));
  assert.ok(data);
  log.putBack('a', data);
  assert.deepEqual(
    log.file('a')?.hunks.map(({ start, authors }) => [start, authors]),
    [[0, [author(1)]]],
  );
  log.putBack('a', before);
  assert.deepEqual(log.file('a')?.hunks, before.text.hunks);
});

test('changes kept in the meantime are not pending again', () => {
  const { log, earlier, present } = twoTurns();
  log.keep('a');
  assert.equal(restoredReview(present(), earlier, text('ONE\ntwo\nthree\n')), undefined);
  log.userEdit('a', text('ONE\ntwo\nthree\n'));
  assert.deepEqual(log.file('a')?.hunks, []);
});

test('a file with other content than then has no pending changes', () => {
  const { earlier, present } = twoTurns();
  assert.equal(restoredReview(present(), earlier, text('mine\n')), undefined);
});

test('a file without pending changes then has none after restoring', () => {
  const { log, present } = twoTurns();
  assert.equal(hasReview(present()), true);
  const data = restoredReview(present(), undefined, text('one\ntwo\nthree\n'));
  assert.ok(data);
  log.putBack('a', data);
  assert.equal(log.file('a')?.status, undefined);
  assert.equal(hasReview(present()), false);
  assert.deepEqual(log.file('a')?.base, text('one\ntwo\nthree\n'));
  // Content that differs from the base can't have been free of pending changes.
  assert.equal(restoredReview(present(), undefined, text('mine\n')), undefined);
});
