import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, SessionKey, TerminalId, ToolCallId } from '../../shared/values/ids';
import { createTranscript } from '../../shared/transcript/ops';
import type { Entry } from '../../shared/transcript/transcript';
import { emptyView } from '../../../test/unit-support/emptyView';
import { closeStored, lastPrompt, lastTurn, toStored, usedIds } from './storedSession';
import { hasStoredShape } from './storedShape';

const key = 'window:1' as SessionKey;

function busy() {
  const transcript = createTranscript({
    ...emptyView,
    agentName: 'Agent',
    connection: { state: 'ready' },
    activity: { state: 'requires_action', since: 5 },
    queue: [{ id: 'queued:4', text: 'and then' }],
  });
  const add = (entry: Entry) => {
    transcript.order.push(entry.id);
    transcript.entries.set(entry.id, entry);
  };
  const id = (text: string) => text as EntryId;
  const said = (turn: number, text: string): Entry => ({
    kind: 'user_message',
    id: id(`prompt:${turn}`),
    turn,
    state: 'sent',
    content: [{ type: 'text', text }],
  });
  add(said(1, 'first'));
  add({ kind: 'agent_message', id: id('agent_message:m1'), turn: 1, content: [{ type: 'text', text: 'done' }] });
  add(said(2, 'second'));
  add({
    kind: 'tool_call',
    id: id('tool_call:c1'),
    turn: 2,
    toolCallId: 'c1' as ToolCallId,
    title: 'Run',
    toolKind: 'execute',
    status: 'in_progress',
    locations: [],
    startedAt: 5,
    content: [{ type: 'terminal', terminalId: 't1' as TerminalId }],
    permission: { state: 'asked', request: 'r1' as never, options: [] },
  });
  transcript.terminals.set('t1' as TerminalId, {
    terminalId: 't1' as TerminalId,
    driver: 'pty',
    command: 'sleep',
    cwd: '/',
    hidden: 3,
    startedAt: 5,
    output: 'x'.repeat(70_000),
    exit: { state: 'running' },
  });
  return transcript;
}

test('restores a cut-off session as idle with all entries closed', () => {
  const stored = JSON.parse(JSON.stringify(toStored(key, busy()))) as ReturnType<typeof toStored>;
  const back = closeStored(stored, 99);
  assert.equal(back.view.activity.state, 'idle');
  assert.equal(back.view.connection.state, 'closed');
  assert.deepEqual(
    back.view.queue.map(({ text }) => text),
    ['and then'],
  );
  const call = back.entries.get('tool_call:c1' as EntryId);
  assert.ok(call?.kind === 'tool_call');
  assert.equal(call.status, 'cancelled');
  assert.equal(call.permission.state, 'cancelled');
  const terminal = back.terminals.get('t1' as TerminalId);
  assert.ok(terminal);
  assert.equal(terminal.exit.state, 'exited');
  assert.equal(terminal.output.length + terminal.hidden, 70_003);
  const last = back.entries.get(back.order.at(-1) ?? ('' as EntryId));
  assert.equal(last?.kind === 'notice' && last.title, 'The window closed while Agent was working');
  assert.equal(last?.turnSummary?.brokenBy, 'cutOff');
  assert.equal(last.turnSummary.endedAt, undefined);
  assert.ok(hasStoredShape(JSON.parse(JSON.stringify(toStored(key, back)))));
  assert.equal(lastTurn(back), 2);
  assert.deepEqual(lastPrompt(back), { text: 'second' });
  assert.deepEqual(
    [...usedIds(back)],
    [
      ['agent_message', 'm1'],
      ['tool_call', 'c1'],
      ['terminal', 't1'],
    ],
  );
});

test('keeps the agent’s options, as far as they can be shown', () => {
  const option = { configId: 'm', name: 'Model', via: 'models', type: 'select', currentValue: 'm1' } as const;
  const whole = { ...option, choices: [{ value: 'm1', name: 'M1' }] };
  const flag = { configId: 'w', name: 'Web', via: 'configOptions', type: 'boolean', currentValue: true } as const;
  const damaged = [option, { ...whole, currentValue: 1 }, { ...flag, currentValue: 'yes' }, { ...flag, type: 'x' }];
  const configOptions = [...damaged, whole, flag] as never;
  const transcript = createTranscript({ ...emptyView, connection: { state: 'ready' }, configOptions });
  assert.deepEqual(closeStored(toStored(key, transcript), 99).view.configOptions, [whole, flag]);
});

test('restores an idle session without a notice', () => {
  const quiet = createTranscript({ ...emptyView, connection: { state: 'ready' } });
  const back = closeStored(toStored(key, quiet), 99);
  assert.deepEqual(back.order, []);
});
