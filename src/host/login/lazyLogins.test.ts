import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import type { AgentSpec } from '../../agent/agentSpec';
import type { Logins } from '../../agent/logins';
import type { Session } from '../../session/session';
import { LazyLogins } from './lazyLogins';

/** Logins that write down what they hear, and come when the test lets them. */
function lazy() {
  const heard: string[] = [];
  const write = (word: string) => (_session: Session, id?: string) =>
    void heard.push([word, id].filter(Boolean).join(' '));
  const logins = {
    login: async (session: Session, id: string) => write('login')(session, id),
    cancel: write('cancel'),
    logout: async ({ name }: AgentSpec) => void heard.push(`logout ${name}`),
    dispose: () => void heard.push('dispose'),
  } as unknown as Logins;
  const waiting: { readonly resolve: (logins: Logins) => void; readonly reject: (error: Error) => void }[] = [];
  const all = new LazyLogins(() => new Promise((resolve, reject) => waiting.push({ resolve, reject })));
  const { session } = new SessionHarness().open({});
  return { all, heard, waiting, logins, session, come: () => waiting.at(-1)!.resolve(logins) };
}

test('the first login waits for its code, and what the user does meanwhile comes after it, in its order', async () => {
  const { all, heard, waiting, session, come } = lazy();
  const first = all.login(session, 'key');
  all.cancel(session);
  const second = all.login(session, 'browser');
  await settle();
  assert.deepEqual(heard, []);
  come();
  await Promise.all([first, second]);
  assert.deepEqual(heard, ['login key', 'cancel', 'login browser']);
  await all.logout({ name: 'Codex' } as AgentSpec);
  all.dispose();
  assert.deepEqual(heard.slice(3), ['logout Codex', 'dispose']);
  assert.equal(waiting.length, 1);
});

test('cancelling loads nothing when no login was begun', async () => {
  const { all, waiting, session } = lazy();
  all.cancel(session);
  await settle();
  assert.equal(waiting.length, 0);
});

test('a window that closes meanwhile begins no login', async () => {
  const { all, heard, session, come } = lazy();
  const login = all.login(session, 'key');
  all.dispose();
  come();
  await login;
  assert.deepEqual(heard, ['dispose']);
});

test('where the code cannot be loaded the card says why, and the next try works', async () => {
  const { all, heard, waiting, session, come } = lazy();
  session.askLogin();
  const first = all.login(session, 'key');
  waiting[0]!.reject(new Error('A part of Parley could not be loaded: it is gone.'));
  await first;
  const card = [...session.transcript.entries.values()].find((entry) => entry.kind === 'login')!;
  assert.ok(card.progress.state === 'failed');
  assert.equal(card.progress.title, 'The login with “key” did not work.');
  assert.match(card.progress.cause, /^A part of Parley could not be loaded: it is gone\. Try again/);
  const second = all.login(session, 'key');
  come();
  await second;
  assert.deepEqual(heard, ['login key']);
});
