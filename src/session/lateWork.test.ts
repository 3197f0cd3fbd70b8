import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionHarness } from '../../test/unit-support/fakeSession';
import { call, Subagents } from '../../test/unit-support/fakeSubagents';
import { isAtWork, lateWorkOf } from '../shared/transcript/lateWork';
import type { SessionId, TerminalId } from '../shared/values/ids';
import type { ServedTerminal } from './services';
import { closeStored, toStored } from './transcript/storedSession';
import { backgroundMs, quietMs } from './turn/unprompted';

const command = { terminalId: 't1' as TerminalId, driver: 'pty', command: 'npm run dev', cwd: '/workspace' } as const;
const starts = {
  ...call('c1', { kind: 'execute' }),
  content: [{ type: 'terminal', terminalId: 'c1' }],
  _meta: { terminal_info: { terminal_id: 'c1', cwd: '/workspace' } },
};
const output = (data: string) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'c1',
  _meta: { terminal_output: { terminal_id: 'c1', data } },
});
const exit = {
  sessionUpdate: 'tool_call_update',
  toolCallId: 'c1',
  _meta: { terminal_exit: { terminal_id: 'c1', exit_code: 0, signal: null } },
};

const kinds = ({ view }: SessionHarness) => lateWorkOf(view).map(({ kind }) => kind);
const turns = ({ view }: SessionHarness) => lateWorkOf(view).map(({ turn }) => turn);

/** A session in its first turn. */
function begun(): SessionHarness {
  const test = new SessionHarness().open();
  test.session.sendPrompt('Go');
  return test;
}

/** Adds a command that Parley runs for the agent, and that exits when it is killed. */
function runCommand({ session }: SessionHarness): void {
  const kill = () => {
    session.terminals.exited(command.terminalId, { signal: 'SIGTERM' });
    return Promise.resolve();
  };
  session.terminals.created({ ...command, kill } as unknown as ServedTerminal);
}

void describe('work that continues after its turn', () => {
  void it("includes a command in Parley's terminal until it exits, across turns", async () => {
    const test = begun();
    runCommand(test);
    assert.deepEqual(kinds(test), [], 'it is part of the running turn');
    let states = 0;
    test.session.onDidChangeState(() => states++);
    await test.agent.end();
    assert.deepEqual([kinds(test), turns(test)], [['command'], [1]]);
    assert.deepEqual([test.view.activity.state, isAtWork(test.view)], ['idle', true]);
    test.session.sendPrompt('Next');
    assert.deepEqual(test.agent.heard, ['prompt Go', 'prompt Next'], 'nothing waits for it');
    assert.deepEqual(turns(test), [1]);
    await test.agent.end();
    const before = states;
    test.session.terminals.exited(command.terminalId, { exitCode: 0 });
    assert.deepEqual([kinds(test), isAtWork(test.view), states], [[], false, before + 1]);
  });

  void it('includes a command that the agent runs itself and reports as running', async () => {
    const test = begun().update(starts, output('one\n'));
    await test.agent.end();
    assert.equal(test.all('tool_call')[0]?.status, 'in_progress');
    assert.deepEqual(kinds(test), ['toolCall']);
    test.update(output('two\n'));
    assert.deepEqual(kinds(test), ['toolCall'], 'its output is not work of its own');
    test.session.sendPrompt('Next');
    await test.agent.end();
    test.session.sendPrompt('Stop this one');
    test.session.cancel();
    await test.agent.end('cancelled');
    assert.deepEqual([test.all('tool_call')[0]?.status, turns(test)], ['in_progress', [1]]);
    test.update(exit);
    assert.deepEqual([test.all('tool_call')[0]?.status, kinds(test)], ['completed', []]);
    assert.equal(test.session.transcript.terminals.get('c1' as TerminalId)?.output, 'one\ntwo\n');
  });

  void it('excludes forgotten, rejected, and stopped calls', async () => {
    const test = begun().update(call('c2'));
    await test.agent.end();
    assert.deepEqual([test.all('tool_call')[0]?.status, kinds(test)], ['completed', []]);
    test.session.sendPrompt('Again');
    void test.ask({ ...starts, sessionUpdate: undefined, status: 'pending' });
    test.update(output(''));
    test.answer(1, 'no');
    await test.agent.end();
    assert.deepEqual([test.all('tool_call')[1]?.status, kinds(test)], ['cancelled', []]);
    test.session.sendPrompt('And again');
    test.update({ ...starts, toolCallId: 'c3' });
    test.session.cancel();
    await test.agent.end('cancelled');
    assert.deepEqual([test.all('tool_call')[2]?.status, kinds(test)], ['cancelled', []]);
  });

  void it('includes a subagent reported as running, but not its own subagents', async () => {
    const test = await new Subagents().begin('a');
    test.announce('deep', {}, 'a').from('a', call('t'));
    await test.agent.end();
    assert.deepEqual(kinds(test), ['subagent']);
    test.tell('a', { state: { state: 'idle', stopReason: 'end_turn' } });
    test.tell('deep', { state: { state: 'idle', stopReason: 'end_turn' } });
    assert.deepEqual(kinds(test), []);
  });

  void it('includes unprompted updates from the agent until it is quiet', async () => {
    const test = begun();
    await test.agent.end();
    test.update({ sessionUpdate: 'session_info_update', title: 'Late title' });
    assert.deepEqual(kinds(test), []);
    test.say('The subagent is back.');
    test.clock.pass(quietMs - 1);
    test.say('It found something.');
    test.clock.pass(quietMs - 1);
    assert.deepEqual([kinds(test), turns(test)], [['agent'], [1]]);
    test.update(call('c9', { kind: 'edit' }));
    test.clock.pass(quietMs);
    assert.deepEqual(kinds(test), ['toolCall'], 'a running call lasts as long as it does');
    test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c9', status: 'completed' });
    assert.deepEqual(kinds(test), []);
    test.say('More.');
    test.session.sendPrompt('Next');
    assert.deepEqual(kinds(test), [], 'from now on, all of it belongs to the turn');
  });

  void it('includes a command left in the background for a limited time', async () => {
    const test = begun();
    // What each agent really sends is in recordedHabits.test.ts.
    for (const [id, rawInput] of Object.entries({
      claude: { command: 'npm run dev', run_in_background: true },
      waits: { command: 'npm test', run_in_background: false },
    })) {
      test.update(call(id, { kind: 'execute', rawInput }));
      test.update({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed' });
    }
    test.clock.pass(backgroundMs);
    await test.agent.end();
    assert.deepEqual(kinds(test), ['background']);
    test.session.work.stopLate();
    assert.deepEqual(test.agent.heard, ['prompt Go'], 'only the agent can stop it');
    test.clock.pass(backgroundMs);
    assert.deepEqual(kinds(test), []);
    test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'claude', title: 'Later' });
    assert.equal(kinds(test).includes('background'), false);
  });

  void it("includes Claude's background commands until their exit is reported", async () => {
    const test = begun();
    test.update({ ...starts, rawInput: { command: 'npm run build', run_in_background: true } });
    test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
    await test.agent.end();
    test.clock.pass(backgroundMs + 1);
    assert.deepEqual(kinds(test), ['background']);
    test.update(exit);
    assert.deepEqual(kinds(test), []);
  });

  void it('never comes from a replay', async () => {
    const test = new SessionHarness().open();
    test.update(call('old', { status: 'pending' })).say('As I said');
    assert.deepEqual(kinds(test), []);
    test.session.sendPrompt('Go');
    await test.agent.end();
    test.session.agentSide.disconnected(undefined);
    test.open().say('As I said before');
    assert.deepEqual(kinds(test), []);
  });

  void it("ends with its agent and isn't restored with a stored session", async () => {
    const test = begun().update(starts, output('one\n'));
    await test.agent.end();
    const stored = toStored(test.session.key, test.session.transcript);
    const restored = closeStored(JSON.parse(JSON.stringify(stored)) as typeof stored, 99);
    assert.equal(isAtWork(restored.view), false);
    test.session.agentSide.disconnected(undefined);
    assert.deepEqual(kinds(test), []);
  });
});

void describe('Stop after a turn', () => {
  void it("kills commands, cancels the agent's work, and closes its calls", async () => {
    const test = begun().update(starts, output('one\n'));
    runCommand(test);
    await test.agent.end();
    test.session.work.stopLate();
    assert.equal(test.agent.heard.at(-1), 'cancel');
    assert.equal(test.all('tool_call')[0]?.status, 'cancelled');
    assert.equal(test.all('notice').at(-1)?.title, 'Asked Codex to stop');
    assert.deepEqual(kinds(test), []);
  });

  void it('stops a subagent in its own session, and never a running turn', async () => {
    const test = await new Subagents().begin('a');
    test.announce('b', { capabilities: null });
    await test.agent.end();
    test.session.sendPrompt('Next');
    test.session.work.stopLate();
    assert.deepEqual(test.agent.heard.slice(-2), ['prompt Next', 'cancel a']);
    await test.agent.end();
    test.session.work.stopSubagent('a' as SessionId);
    test.session.work.stopLate();
    assert.equal(test.agent.heard.at(-1), 'cancel');
    assert.deepEqual(test.row('b').stopReason, 'cancelled');
  });

  void it('shows if the agent continues nevertheless', async () => {
    const test = begun();
    await test.agent.end();
    test.say('By the way');
    test.session.work.stopLate();
    test.clock.pass(500);
    test.say(', this was already on its way');
    assert.deepEqual(kinds(test), []);
    test.clock.pass(3000);
    test.say('I continue.');
    assert.deepEqual(
      lateWorkOf(test.view).map((work) => work.kind === 'agent' && work.ignoredStop),
      [true],
    );
    test.session.sendPrompt('Stop it');
    await test.agent.end();
    test.say('Now I may.');
    assert.deepEqual(
      lateWorkOf(test.view).map((work) => work.kind === 'agent' && work.ignoredStop),
      [undefined],
    );
  });
});
