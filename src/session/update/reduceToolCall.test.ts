import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TerminalId } from '../../shared/values/ids';
import { applyOps } from '../../shared/transcript/ops';
import type { TerminalView } from '../../shared/transcript/transcript';
import { chunk, Player } from '../../../test/unit-support/playUpdates';
import { reduceDiffLine } from './reduceToolCall';

const call = (fields: object = {}) => ({
  sessionUpdate: 'tool_call',
  toolCallId: 'c1',
  title: 'Read notes',
  ...fields,
});
const update = (fields: object = {}) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', ...fields });
const text = (value: string) => ({ type: 'content', content: { type: 'text', text: value } });

void describe('tool calls', () => {
  void it('fills in the missing fields of a tool call', () => {
    const [entry] = new Player().play(call()).all('tool_call');
    assert.deepEqual(entry, {
      kind: 'tool_call',
      id: 'tool_call:c1',
      turn: 0,
      toolCallId: 'c1',
      title: 'Read notes',
      toolKind: 'other',
      status: 'pending',
      content: [],
      locations: [],
      startedAt: 1000,
      permission: { state: 'none' },
    });
  });

  void it("changes only an update's fields, ignores null, and replaces lists", () => {
    const player = new Player().play(
      call({ kind: 'read', content: [text('a'), text('b')], locations: [{ path: '/a' }], rawInput: { x: 1 } }),
      update({ title: null, kind: null, status: 'in_progress', content: null, locations: null, rawInput: null }),
      update({ content: [text('c')], locations: [{ path: '/b', line: 3 }, { path: '/c', line: 0 }, { line: 4 }] }),
      update({ status: 'completed', rawOutput: 'done' }),
    );
    const entry = player.all('tool_call')[0]!;
    assert.deepEqual(
      [entry.title, entry.toolKind, entry.status, entry.endedAt],
      ['Read notes', 'read', 'completed', 1003],
    );
    assert.deepEqual(entry.content, [text('c')]);
    assert.deepEqual(entry.locations, [{ path: '/b', line: 3 }, { path: '/c' }]);
    assert.deepEqual([entry.rawInput, entry.rawOutput], [{ x: 1 }, 'done']);
  });

  void it('keeps the known line of a diff that is sent again', () => {
    const diff = { type: 'diff', path: '/a', oldText: 'a', newText: 'b' } as const;
    const other = { ...diff, path: '/b' };
    const player = new Player().play(call({ content: [diff, other] }));
    const { transcript } = player;
    const { id } = player.all('tool_call')[0]!;
    applyOps(transcript, reduceDiffLine(transcript, id, diff, 7));
    const content = () => player.all('tool_call')[0]?.content;
    assert.deepEqual(content(), [{ ...diff, line: 7 }, other]);
    player.play(update({ content: [other, diff] }));
    assert.deepEqual(content(), [other, { ...diff, line: 7 }]);
    player.play(update({ content: [{ ...diff, newText: 'c' }] }));
    assert.deepEqual(content(), [{ ...diff, newText: 'c' }]);
  });

  void it('creates a call from an update that mentions it first', () => {
    const player = new Player().play(update({ title: 'Edit', kind: 'edit', status: 'completed' }));
    assert.match(player.text, /^Tool call \(edit, completed\): Edit$/m);
  });

  void it('never moves backward, even when the call is announced again', () => {
    const player = new Player().play(
      update({ status: 'pending', title: 'a' }),
      update({ status: 'in_progress' }),
      call({ status: 'pending' }),
      update({ status: 'completed' }),
      update({ status: 'in_progress' }),
      update({ status: 'pending' }),
    );
    assert.equal(player.all('tool_call').length, 1);
    assert.equal(player.all('tool_call')[0]!.status, 'completed');
    player.play(update({ status: 'failed' }));
    assert.equal(player.all('tool_call')[0]!.status, 'failed');
  });

  void it('survives unknown kinds, statuses and content', () => {
    const player = new Player().play(
      call({ kind: 'teleport', status: 'running', content: [{ type: 'hologram' }, text('a'), 7, { type: 'diff' }] }),
    );
    const entry = player.all('tool_call')[0]!;
    assert.deepEqual([entry.toolKind, entry.status], ['other', 'pending']);
    assert.deepEqual(entry.content, [{ type: 'unknown', raw: { type: 'hologram' } }, text('a')]);
    player.play(update({ status: 'running' }));
    assert.equal(player.all('tool_call')[0]!.status, 'pending');
  });

  void it('distinguishes a new file from a changed one', () => {
    const diff = { type: 'diff', path: '/a', newText: 'x' };
    const player = new Player().play(call({ content: [diff, { ...diff, oldText: null }, { ...diff, oldText: '' }] }));
    assert.deepEqual(player.all('tool_call')[0]!.content, [diff, diff, { ...diff, oldText: '' }]);
  });

  void it('treats an id reused in a later turn as a new call', () => {
    const player = new Player();
    player.beginTurn();
    player.play(call({ status: 'completed' }));
    player.endTurn();
    player.beginTurn();
    player.play(call({ title: 'Second' }), update({ status: 'failed' }));
    assert.deepEqual(
      player.all('tool_call').map(({ title, status }) => [title, status]),
      [
        ['Read notes', 'completed'],
        ['Second', 'failed'],
      ],
    );
  });

  void it("finds the parent call of a subagent's call", () => {
    const player = new Player().play(
      call({ title: 'Task', status: 'in_progress' }),
      { ...call({ toolCallId: 'c2' }), _meta: { claudeCode: { toolName: 'Read', parentToolUseId: 'c1' } } },
      { ...call({ toolCallId: 'c3' }), _meta: { 'github.com/copilot': { agentId: 'some-uuid' } } },
      { ...call({ toolCallId: 'c4', status: 'in_progress' }) },
      {
        ...update({ toolCallId: 'c3', status: 'completed' }),
        _meta: { 'github.com/copilot': { agentId: 'some-uuid' } },
      },
    );
    assert.deepEqual(
      player.all('tool_call').map(({ toolCallId, parent }) => [toolCallId, parent]),
      [
        ['c1', undefined],
        ['c2', 'c1'],
        ['c3', 'c1'],
        ['c4', undefined],
      ],
    );
    assert.equal(player.all('tool_call')[1]!.name, 'Read');
  });

  void it('keeps chunks without ids together while a call is running', () => {
    const player = new Player().play(
      call(),
      chunk('agent', 'wait'),
      update({ status: 'in_progress' }),
      chunk('agent', 'ing'),
    );
    assert.match(player.text, /^ {2}waiting$/m);
  });
});

void describe('terminals of the agent', () => {
  const info = { terminal_info: { terminal_id: 'c1', cwd: '/tmp' } };
  const output = (data: string) => ({ terminal_output: { terminal_id: 'c1', data } });
  const exit = { terminal_exit: { terminal_id: 'c1', exit_code: 3, signal: null } };
  const terminal = (player: Player) => [...player.transcript.terminals.values()][0]!;

  void it('stream the output and exit that a call reports', () => {
    const player = new Player().play(
      call({ title: 'Terminal', kind: 'execute', content: [{ type: 'terminal', terminalId: 'c1' }], _meta: info }),
      update({ title: 'make', rawInput: { command: 'make all' } }),
      update({ _meta: output('one\n') }),
      update({ _meta: { terminal_output_delta: { terminal_id: 'c1', data: 'two\n' } } }),
      update({ status: 'failed', _meta: exit }),
    );
    assert.deepEqual(terminal(player), {
      terminalId: 'c1',
      driver: 'agent',
      command: 'make all',
      cwd: '/tmp',
      output: 'one\ntwo\n',
      hidden: 0,
      startedAt: 1000,
      exit: { state: 'exited', exitCode: 3, endedAt: 1004 },
    });
    assert.equal(player.all('tool_call')[0]!.content.length, 1);
  });

  void it('show output before any other information and appear in their call', () => {
    const player = new Player().play(update({ _meta: output('early') }), call({ title: '`ls`' }));
    assert.equal(terminal(player).output, 'early');
    assert.equal(terminal(player).command, 'ls');
    assert.deepEqual(player.all('tool_call')[0]!.content, [{ type: 'terminal', terminalId: 'c1' }]);
  });

  void it('show the command line inside a shell wrapper', () => {
    const player = new Player().play(call({ rawInput: { command: ['/bin/bash', '-lc', 'npm test'] }, _meta: info }));
    assert.equal(terminal(player).command, 'npm test');
  });

  void it('never affect a terminal that Parley runs', () => {
    const player = new Player();
    player.transcript.terminals.set(terminalOfOurs.terminalId, terminalOfOurs);
    player.play(
      call({ content: [{ type: 'terminal', terminalId: 't1' }], _meta: { terminal_exit: { terminal_id: 't1' } } }),
      update({ _meta: { terminal_output: { terminal_id: 't1', data: 'fake' } } }),
    );
    assert.deepEqual(terminal(player), terminalOfOurs);
  });

  void it('ignore content of unknown terminals', () => {
    const player = new Player().play(call({ content: [{ type: 'terminal', terminalId: 'ghost' }] }));
    assert.match(player.text, /terminal ghost: unknown/);
  });
});

const terminalOfOurs: TerminalView = {
  terminalId: 't1' as TerminalId,
  driver: 'pty',
  command: 'x',
  cwd: '/',
  output: 'real',
  hidden: 0,
  startedAt: 1,
  exit: { state: 'running' },
};
