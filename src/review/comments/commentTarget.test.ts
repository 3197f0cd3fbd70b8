import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { commentTarget, otherAuthor } from './commentTarget';
import { user } from '../hunks/hunk';

const open = (key: string, agentName: string) => ({ key: key as SessionKey, agentName });
const by = (session: string, agentName: string) =>
  ({ kind: 'agent', agentName, session: session as SessionKey, turn: 1 }) as const;
const target = (sessions: ReturnType<typeof open>[], ...authors: ReturnType<typeof by>[]) => {
  const found = commentTarget(sessions, [...authors, user]);
  return found.kind === 'session' ? found.session.key : (found.agentName ?? 'nobody');
};

test("sends a comment to its session or the agent's newest session", () => {
  const sessions = [open('1', 'Ann'), open('2', 'Ann'), open('3', 'Bob')];
  assert.equal(target(sessions, by('1', 'Ann')), '1');
  assert.equal(target(sessions, by('gone', 'Ann')), '2');
  assert.equal(target(sessions, by('1', 'Ann'), by('gone', 'Bob')), '1', 'who is still there knows of it');
  assert.equal(target(sessions, by('gone', 'Cid')), 'Cid');
  assert.equal(target(sessions), 'nobody');
});

test('names the author only to sessions that did not contribute', () => {
  const authors = [by('1', 'Ann'), by('3', 'Bob'), user];
  assert.equal(otherAuthor(authors, '1' as SessionKey), undefined);
  assert.equal(otherAuthor(authors, '2' as SessionKey), 'Bob');
  assert.equal(otherAuthor(authors, undefined), 'Bob');
});
