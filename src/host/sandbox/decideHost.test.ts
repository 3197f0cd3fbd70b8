import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { decideHost } from './decideHost';

const asking = { answer: () => undefined };
const { signal } = new AbortController();
const trusted = { rules: asking, isTrusted: () => true };

test('asks in the session that works, and gives the user’s answer', async () => {
  const [idle, working] = [new SessionHarness().open(), new SessionHarness().open()];
  working.session.sendPrompt('go');
  const decision = decideHost(trusted, [idle.session, working.session], { host: 'EXAMPLE.com.', port: 443 }, signal);
  await settle();
  assert.equal(idle.all('tool_call').length, 0);
  assert.equal(working.all('tool_call')[0]?.title, 'Connect to example.com:443');
  working.answer(0, 'reject');
  assert.deepEqual(await decision, { allow: false, reason: 'The user rejected the connection to example.com:443.' });
});

test('asks before the first turn, also while the session opens', async () => {
  for (const harness of [new SessionHarness().open(), new SessionHarness()]) {
    const decision = decideHost(trusted, [harness.session], { host: 'models.example', port: 8443 }, signal);
    await settle();
    assert.equal(harness.all('tool_call')[0]?.title, 'Connect to models.example:8443');
    harness.answer(0, 'allow');
    assert.deepEqual(await decision, { allow: true });
  }
});

test('says which rule of the user decided', async () => {
  const { session } = new SessionHarness().open();
  const option = { optionId: 'reject', name: 'Reject', kind: 'reject_once' } as const;
  const rules = { answer: () => ({ option, rule: '' }) };
  const decision = await decideHost({ ...trusted, rules }, [session], { host: 'a.example', port: 1 }, signal);
  assert.deepEqual(decision, { allow: false, reason: 'A rule of the user rejects connections to a.example:1.' });
});

test('denies without a question in a folder that isn’t trusted', async () => {
  const harness = new SessionHarness().open();
  const untrusted = { rules: { answer: () => assert.fail() }, isTrusted: () => false };
  const decision = await decideHost(untrusted, [harness.session], { host: 'a.example', port: 1 }, signal);
  assert.equal(decision.allow, false);
  assert.equal(harness.all('tool_call').length, 0);
});

test('denies what isn’t a host, and everything once the session is closed', async () => {
  const harness = new SessionHarness().open();
  for (const host of ['a b', '', 'a\u202e.example', 'x/../y'])
    assert.equal((await decideHost(trusted, [harness.session], { host, port: 443 }, signal)).allow, false);
  assert.equal(harness.all('tool_call').length, 0);
  harness.session.close();
  assert.deepEqual(await decideHost(trusted, [harness.session], { host: 'a.example', port: 1 }, signal), {
    allow: false,
    reason: 'The session is closed, so nothing can connect to a.example:1.',
  });
  assert.equal((await decideHost(trusted, [], { host: 'a.example', port: 1 }, signal)).allow, false);
});

test('an update check asks nobody, and what a command needs is asked', async () => {
  const harness = new SessionHarness().open();
  const needs = { ...trusted, updateHosts: ['api.github.com:443'] };
  const decide = (rules = needs.rules) =>
    decideHost({ ...needs, rules }, [harness.session], { host: 'api.github.com', port: 443 }, signal);
  const denied = {
    allow: false,
    reason: "Updates can't be installed in the sandbox, so api.github.com:443 isn't needed.",
  };
  assert.deepEqual(await decide(), denied);
  harness.session.sendPrompt('go');
  assert.deepEqual(await decide(), denied);
  const option = { optionId: 'allow', name: 'Allow', kind: 'allow_once' } as const;
  assert.deepEqual(await decide({ answer: () => ({ option, rule: '' }) } as never), { allow: true });
  assert.equal(harness.all('tool_call').length, 0);
  harness.update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'gh pr list', kind: 'execute' });
  const decision = decide();
  await settle();
  assert.equal(harness.all('tool_call').at(-1)?.title, 'Connect to api.github.com:443');
  harness.answer(1, 'allow');
  assert.deepEqual(await decision, { allow: true });
});
