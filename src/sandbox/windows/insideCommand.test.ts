import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchArguments } from '../../process/batchArguments';
import { insideCommand, withEnvironment } from './insideCommand';

const node = String.raw`C:\Program Files\nodejs\node.exe`;
const cmd = String.raw`C:\Windows\System32\cmd.exe`;

test('a program takes the place of the shell inside', () => {
  assert.deepEqual(insideCommand({ file: node, args: ['agent.js', '--say', 'a "b" & c'] }), {
    shell: { exe: node, args: ['agent.js', '--say'] },
    last: 'a "b" & c',
  });
  assert.deepEqual(insideCommand({ file: node, args: [] }), { last: `"${node}"` });
  assert.equal(insideCommand({ file: 'node.exe', args: ['a'] }), undefined);
  assert.equal(insideCommand({ file: node, args: 'a b' }), undefined);
});

test('lines for cmd.exe stay lines, without the outer quotes', () => {
  assert.deepEqual(insideCommand({ file: cmd, args: '/d /s /c "dir "a b" & echo "c""' }), {
    last: 'dir "a b" & echo "c"',
  });
  assert.deepEqual(insideCommand({ file: cmd, args: batchArguments(String.raw`C:\a b\agent.cmd`, ['--acp']) }), {
    last: String.raw`"C:\a b\agent.cmd" "--acp"`,
  });
});

test('the environment goes inside, except what the account has itself', () => {
  const argv = [
    'srt-win.exe',
    'exec',
    '--env',
    'Path=C:\\Windows',
    '--env',
    'http_proxy=http://127.0.0.1:60080',
    '--',
    node,
    'x',
  ];
  const env = {
    PATH: 'C:\\tools',
    USERPROFILE: 'C:\\Users\\ann',
    LocalAppData: 'C:\\Users\\ann\\AppData\\Local',
    Temp: 'C:\\Temp',
    HTTP_PROXY: 'http://proxy.example:8080',
    NO_PROXY: '*',
    API_KEY: 'a=b c',
    '=C:': 'C:\\work',
  };
  assert.deepEqual(withEnvironment(argv, env), [
    'srt-win.exe',
    'exec',
    '--env',
    'PATH=C:\\tools',
    '--env',
    'http_proxy=http://127.0.0.1:60080',
    '--env',
    'API_KEY=a=b c',
    '--',
    node,
    'x',
  ]);
  assert.throws(() => withEnvironment(argv, { BIG: 'x'.repeat(32_000) }), /too long/);
});
