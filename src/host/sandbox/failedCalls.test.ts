import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { Emitter } from '../../shared/values/event';
import type { Sandbox, SandboxPolicy } from '../../shared/limits/sandbox';
import { FailedCalls } from './failedCalls';

const policy: SandboxPolicy = {
  mode: 'filesAndNetwork',
  folders: ['/work'],
  state: [],
  shared: [],
  readOnly: [],
  unreadable: ['/etc/passwd', '/etc/nothing'],
  hosts: [],
  localPorts: [],
};

/** A session whose agent is at work in a sandbox, or without one. */
function working(isHeld = true, held: SandboxPolicy = policy) {
  const harness = new SessionHarness();
  const sandbox = { policy: held } as unknown as Sandbox;
  const pool = {
    sessions: [harness.session],
    onDidChangeSessions: new Emitter<void>().event,
    sandboxOf: () => (isHeld ? sandbox : undefined),
  } as unknown as Pick<AgentPool, 'sandboxOf'> & { sessions: Session[]; onDidChangeSessions: Emitter<void>['event'] };
  const watch = new FailedCalls({ pool });
  harness.open();
  harness.session.sendPrompt('go');
  const call = (status: string, output: string, more: object = {}, toolCallId = 'c') => {
    const content = [{ type: 'content', content: { type: 'text', text: output } }];
    harness.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: 'Run',
      kind: 'execute',
      status: 'in_progress',
    });
    harness.update({ sessionUpdate: 'tool_call_update', toolCallId, status, content, ...more });
    return harness.all('tool_call').at(-1)?.blocked ?? [];
  };
  return { harness, call, watch };
}

const socket = 'Error: connect EPERM /run/db.sock';

test('a failed call says what its sandbox probably blocked', posixOnly, () => {
  for (const [status, output, more] of [
    ['failed', socket, {}],
    ['completed', `${socket}\nExit Code: 1`, {}],
    ['completed', '', { rawOutput: { exit_code: 1, stderr: `\u001b[31m${socket}\u001b[0m` } }],
  ] as const)
    assert.deepEqual(working().call(status, output, more), [{ kind: 'socket', path: '/run/db.sock' }]);
});

test('a call that worked, and one without a sandbox, say nothing', posixOnly, () => {
  assert.deepEqual(working().call('completed', socket), []);
  assert.deepEqual(working(false).call('failed', socket), []);
});

test('the agent is told once, with the next message', posixOnly, async () => {
  const { harness, call } = working();
  call('failed', socket);
  call('failed', socket);
  const { agent, session } = harness;
  for (const text of ['and now', 'and then']) {
    await agent.end();
    session.sendPrompt(text);
    await settle();
  }
  assert.deepEqual(agent.heard, ['prompt go', 'prompt and now + resource', 'prompt and then']);
  const [, told] = harness.all('user_message').map(({ content }) => content[1]);
  assert.ok(told?.type === 'resource');
  assert.match(
    told.text,
    /^The editor's sandbox.*\n- Unix sockets, such as "\/run\/db\.sock", are blocked .*terminal\.\n$/,
  );
});

test('an agent doesn’t learn which hidden files there are', posixOnly, async () => {
  const { harness, call } = working();
  const none = ['/etc/passwd', '/etc/nothing'].map((path) => `cat: ${path}: No such file or directory`);
  assert.deepEqual(call('failed', none.join('\n')), [{ kind: 'read', path: '/etc/passwd' }]);
  await harness.agent.end();
  harness.session.sendPrompt('and now');
  const told = harness.all('user_message').at(-1)?.content[1];
  assert.ok(told?.type === 'resource');
  assert.match(told.text, /"\/etc\/passwd" is hidden[^]*"\/etc\/nothing" is hidden/);
});

test('what a replay brings isn’t told again', posixOnly, async () => {
  const { harness, call } = working();
  await harness.agent.end();
  assert.deepEqual(call('failed', socket), []);
});

test('a commit without a hidden file’s change says so once', posixOnly, async (t) => {
  const folder = tempFolder(t);
  const path = join(folder, '.env');
  writeFileSync(path, 'A=1\n');
  const committed = [{ path, base64: Buffer.from('A=1\n').toString('base64'), isProgram: false }];
  const { harness, call } = working(true, { ...policy, committed });
  const notices = () => harness.all('notice').map(({ title }) => title);
  const commit = { rawInput: { command: "git add -A && git commit -m 'two'" } };
  call('completed', '', commit);
  assert.deepEqual(notices(), []);
  writeFileSync(path, 'A=2\n');
  call('completed', '', { rawInput: { command: 'git status' } }, 'd');
  assert.deepEqual(notices(), []);
  for (const id of ['e', 'f']) call('completed', '', commit, id);
  assert.equal(notices().length, 1);
  assert.match(notices()[0] ?? '', /^Commits made in the sandbox don’t have your changes to .*\.env$/);
  await harness.agent.end();
  harness.session.sendPrompt('and now');
  const told = harness.all('user_message').at(-1)?.content[1];
  assert.ok(told?.type === 'resource');
  assert.match(told.text, /\.env" shows its committed content/);
  assert.doesNotMatch(told.text, /A=/);
});
