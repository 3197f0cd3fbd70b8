import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { commentsPrompt, hunkOf, seenLines, updatedComment, type DraftComment } from './draftComment';
import { ReviewLog } from '../log/reviewLog';

const session = 's' as SessionKey;
const by = (turn: number) => ({ kind: 'agent', agentName: 'Agent', session, turn }) as const;

/** A log with a change of line 2, and a comment on it. */
function commented(sentTo?: string) {
  const log = new ReviewLog();
  log.track('a', { kind: 'text', text: 'one\ntwo\nthree\n' });
  log.agentEdit('a', { kind: 'text', text: 'one\nTWO\nthree\n' }, by(1));
  const file = log.file('a');
  const hunk = file?.hunks[0] ?? assert.fail('no change');
  const seen = seenLines(file, hunk.id);
  const place = { id: 'c', uri: 'a', hunk: hunk.id, line: hunk.start, authors: hunk.authors, text: 'Why?' };
  const comment: DraftComment = { ...place, seen, ...(sentTo === undefined ? {} : { sentTo }) };
  return { log, comment, update: () => updatedComment(comment, log.file('a')) };
}

test('a comment stays as it is while its change does', () => {
  const { comment, update } = commented('Agent');
  assert.equal(update(), comment);
});

test('a later turn at its place marks a comment', () => {
  const { log, update } = commented('Agent');
  log.agentEdit('a', { kind: 'text', text: 'one\n2\nthree\n' }, by(2));
  assert.equal(update()?.isOutdated, true);
});

test('a change elsewhere moves a comment and doesn’t mark it', () => {
  const { log, update } = commented();
  log.agentEdit('a', { kind: 'text', text: 'zero\n0\none\nTWO\nthree\n' }, by(2));
  assert.equal(update()?.line, 3);
  assert.equal(update()?.isOutdated, false);
});

test('the user’s own edit doesn’t mark a comment', () => {
  const { log, update } = commented('Agent');
  log.userEdit('a', { kind: 'text', text: 'one\nTWO!\nthree\n' });
  assert.notEqual(update()?.isOutdated, true);
});

test('a decided change ends a sent comment, never a draft', () => {
  const sent = commented('Agent');
  sent.log.keepAll();
  assert.equal(sent.update(), undefined);
  const draft = commented();
  draft.log.keepAll();
  assert.equal(draft.update()?.text, 'Why?');
});

test('sends several comments as one message with their places', () => {
  const { log, comment } = commented();
  const file = log.file('a');
  const one = { text: 'Why?', path: 'a.ts', line: 1, file, hunk: hunkOf(comment, file) };
  const other = { text: 'And this?', path: 'b.ts', line: 4, file: undefined, hunk: undefined };
  const prompt = commentsPrompt([one, other]);
  assert.match(
    prompt,
    /^I have 2 comments on your changes\.\n\nComment 1: Why\?\n\nThis is about your change in a\.ts, line 2:/,
  );
  assert.match(prompt, /\n\nComment 2: And this\?\n\nThis is about b\.ts, line 5\.$/);
  assert.ok(commentsPrompt([one]).startsWith('Why?\n\nThis is about'));
});
