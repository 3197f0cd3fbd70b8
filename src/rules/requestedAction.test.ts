import assert from 'node:assert/strict';
import test from 'node:test';
import { assertLinear } from '../../test/unit-support/growth';
import { commandLineOf, requestedAction } from './requestedAction';
import type { ToolKind } from '../shared/transcript/transcript';

const action = (rawInput: unknown, toolKind: ToolKind = 'execute') =>
  requestedAction({ toolKind, content: [], locations: [], rawInput });

test('shows a common shell beside its line and others as the program', () => {
  assert.deepEqual(action({ command: ['bash', '-lc', 'a && b'] }).commands, [{ line: 'a && b', shell: 'bash -lc' }]);
  assert.deepEqual(action({ command: 'ls', shell: '/bin/zsh' }).commands, [{ line: 'ls', shell: '/bin/zsh' }]);
  assert.deepEqual(action({ command: ['cmd.exe', '/d', '/s', '/c', 'dir'] }).commands, [
    { line: 'dir', shell: 'cmd.exe /d /s /c' },
  ]);
  assert.deepEqual(action({ command: ['C:\\Program Files\\PowerShell\\7\\pwsh.exe', '-Command', 'ls'] }).commands, [
    { line: 'ls', shell: 'C:\\Program Files\\PowerShell\\7\\pwsh.exe -Command' },
  ]);
  assert.deepEqual(action({ command: ['/tmp/evil/sh', '-c', 'ls -l'] }).commands, [
    { line: "/tmp/evil/sh -c 'ls -l'" },
  ]);
  assert.deepEqual(action({ command: 'ls', shell: './sh' }).commands, [{ line: 'ls', shell: './sh' }]);
  assert.equal(action({ command: 'ls', shell: './sh' }).isComplete, false);
});

test("reads the call's folder and environment", () => {
  const { folders, environment, paths, isComplete } = action({ command: 'ls', cwd: '/x', env: { A: 'b', N: 1 } });
  assert.deepEqual([folders, paths, isComplete], [['/x'], ['/x'], true]);
  assert.deepEqual(environment, [
    { name: 'A', value: 'b' },
    { name: 'N', value: '1' },
  ]);
  assert.deepEqual(action({ command: 'ls', env: [{ name: 'A', value: 'b' }, 'C=d=e'] }).environment, [
    { name: 'A', value: 'b' },
    { name: 'C', value: 'd=e' },
  ]);
});

test('is incomplete if arguments belong to no command or to several', () => {
  assert.equal(action({ command: 'ls', args: ['-l'] }).isComplete, true);
  assert.equal(action({ command: 'ls', args: ['-l'], argv: ['-a'] }).isComplete, false);
  assert.equal(action({ args: ['-l'] }).isComplete, false);
  assert.equal(action({ command: 'ls', args: 7 }).isComplete, false);
});

test('reads one edit or a list of edits', () => {
  const paths = (edits: unknown) => action({ edits }, 'edit').paths;
  assert.deepEqual(paths([{ path: '/a' }, { path: '/b' }]), ['/a', '/b']);
  assert.deepEqual(paths({ path: '/a' }), ['/a']);
  assert.equal(action({ edits: [{ path: '/a' }, 'odd'] }, 'edit').isComplete, false);
});

test('turns a command into one line, whatever its form', () => {
  assert.equal(commandLineOf({ command: ['git', 'commit', '-m', "it's done"] }), "git commit -m 'it'\\''s done'");
  assert.equal(commandLineOf({ command: 'npm', args: ['test', 'a b'] }), "npm test 'a b'");
  assert.equal(commandLineOf({ cmd: 'ls' }), 'ls');
  assert.equal(commandLineOf({ command: ' ' }), undefined);
  assert.equal(commandLineOf({ command: 'str_replace', path: 'a' }, 'edit'), undefined);
  assert.equal(commandLineOf(undefined), undefined);
});

test('custom tools may have any input if everything in it is known', () => {
  assert.equal(action({ text: 'from the model' }, 'other').isComplete, true);
  assert.deepEqual(action({ table: 'orders', into: '/etc/x', list: [{ key: '../y' }] }, 'other').paths, [
    '/etc/x',
    '../y',
  ]);
  assert.equal(action({ pattern: 'a', '-i': true, head_limit: 5, output_mode: 'content' }, 'search').isComplete, true);
  assert.equal(action({ url: 'https://a.example', prompt: 'Read' }, 'fetch').isComplete, true);
  assert.equal(action({ url: 'https://a.example', method: 'POST', body: 'x' }, 'fetch').isComplete, false);
});

test('handles endless input quickly and marks it incomplete', () => {
  let deep: unknown = '/etc/x';
  for (let level = 0; level < 50; level++) deep = { in: [deep] };
  const wide = (length: number) =>
    Object.fromEntries(Array.from({ length: length / 10 }, (_, at) => [`k${String(at)}`, { a: [1, '../x'] }]));
  assertLinear((length) => {
    for (const input of [wide(length), { command: 'a '.repeat(length) }, { patch: '--- a\n'.repeat(length / 5) }]) {
      for (const kind of ['execute', 'edit', 'other'] as const) action(input, kind);
    }
  }, 1_000_000);
  assert.equal(action(deep, 'other').isComplete, false);
  assert.equal(action(wide(1_000_000), 'other').isComplete, false);
});
