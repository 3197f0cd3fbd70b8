import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEntry } from './describeEntry';

test('shows program, arguments, folder, variables, environment file, URL, and headers', () => {
  const program = { command: 'node', args: ['a b', '--x'], env: { A: '1', B: '2' }, envFile: '.env', cwd: '/tmp' };
  assert.deepEqual(describeEntry(program, 'short'), [
    'Command: node "a b" --x',
    'Folder: /tmp',
    'Environment variable: A=1',
    'Environment variable: B=2',
    'Environment file: .env',
  ]);
  assert.deepEqual(describeEntry({ type: 'http', url: 'https://a.example', headers: { Key: 'k' } }, 'short'), [
    'URL: https://a.example',
    'Header: Key: k',
    'type: "http"',
  ]);
});

test('shows everything in a definition, whatever its form', () => {
  for (const entry of [
    { command: 'npx', args: 'evil' },
    { command: ['evil'] },
    { command: 'a', env: [{ name: 'evil', value: '1' }] },
    { command: 'a', cwd: { evil: 1 } },
    { command: 'a', other: { deep: ['evil'] } },
    { url: 7, headers: 'evil' },
    'evil',
    ['evil'],
  ]) {
    assert.match(describeEntry(entry, 'short').join('\n'), /evil/, JSON.stringify(entry));
  }
});

test('spells out invisible characters and keeps line breaks on one line', () => {
  const hidden = 'a\u202eb\u200bc\u{e0041}d\u00a0e\nCommand: safe';
  const entry = {
    command: hidden,
    args: [hidden],
    env: { [hidden]: hidden },
    cwd: hidden,
    envFile: hidden,
    [hidden]: 1,
  };
  const lines = describeEntry(entry, 'whole');
  const text = lines.join('\n');
  assert.doesNotMatch(text, /[\u202e\u200b\u{e0041}\u00a0]/u);
  assert.equal(lines.length, 5);
  assert.match(text, /\\u\{202e\}.*\\u\{200b\}.*\\u\{e0041\}.*\\u\{a0\}/);
});

test('shows the rest beside long or numerous arguments', () => {
  const padding = 'x'.repeat(50_000);
  const short = describeEntry({ command: 'node', args: [`${padding}--evil`], env: { A: `${padding}tail` } }, 'short');
  assert.ok(short.join('\n').length < 1000);
  assert.match(short.join('\n'), /--evil[^]*tail/);
  const many = Array.from({ length: 5000 }, (_, index) => `--argument-${String(index)}`);
  const lines = describeEntry({ command: 'node', args: [...many, '--evil'], cwd: '/tmp' }, 'short');
  assert.ok(lines.length < 30);
  assert.match(lines.join('\n'), /--argument-0\n[^]*… 4981 more …[^]*--evil\nFolder: \/tmp/);
  assert.equal(describeEntry({ command: 'node', args: many }, 'whole').length, 5001);
});

test('reports a package without a version', () => {
  const [, told] = describeEntry({ command: 'npx', args: ['-y', 'server'] }, 'short');
  assert.equal(told, '“server” has no version. Each start can run a newer one.');
  assert.equal(describeEntry({ command: 'npx', args: ['-y', 'server@1.0.0'] }, 'short').length, 1);
});
