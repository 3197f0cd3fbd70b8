import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeParts, printOfParts, userValue, wholeValue, workspaceParts } from './scopedSettings';

const user = { Claude: { command: 'claude', args: ['--acp'], env: { A: '1' } }, Own: { command: 'own' } };

test('without the workspace, a user setting overrides the default', () => {
  const values = { defaultValue: {}, globalValue: user, workspaceValue: { Evil: { command: 'evil' } } };
  assert.deepEqual(userValue(values), user);
  assert.deepEqual(userValue({ defaultValue: 'ask', workspaceValue: 'allow', workspaceFolderValue: 'allow' }), 'ask');
  assert.deepEqual(userValue({ defaultValue: [], workspaceValue: [{ answer: 'allow_once' }] }), []);
});

test('with the workspace, objects are merged by key and other values replaced', () => {
  const workspaceValue = { Claude: { env: { B: '2' }, args: ['x'] } };
  const whole = { command: 'claude', args: ['x'], env: { A: '1', B: '2' } };
  assert.deepEqual(wholeValue({ defaultValue: {}, globalValue: user, workspaceValue }), { ...user, Claude: whole });
  assert.equal(wholeValue({ globalValue: 'ask', workspaceValue: 'deny', workspaceFolderValue: 'allow' }), 'allow');
  const odd = JSON.parse('{"__proto__":{"x":1}}') as unknown;
  assert.deepEqual(wholeValue({ globalValue: {}, workspaceValue: odd }), odd);
  assert.equal(({} as { x?: number }).x, undefined);
});

test("the fingerprint changes only with the workspace's settings or their effect", () => {
  const print = (workspaceValue: unknown, globalValue: unknown = user) =>
    printOfParts(workspaceParts('agents', { defaultValue: {}, globalValue, workspaceValue }));
  assert.equal(print(undefined), '');
  const one = print({ Claude: { env: { B: '2' } } });
  assert.equal(print({ Claude: { env: { B: '2' } } }), one);
  assert.equal(print({ Claude: { env: { B: '2' } } }, { ...user, Own: { command: 'other' } }), one, 'not its business');
  const others = [
    print({ Claude: { env: { B: '3' } } }),
    print({ Claude: { env: { B: '2' }, cwd: '/tmp' } }),
    print({ Claude: { env: { B: '2' } }, More: { command: 'x' } }),
    print({ Claude: { env: { B: '2' } } }, { Claude: { command: 'other' } }),
    printOfParts(workspaceParts('mcpServers', { workspaceValue: { Claude: { env: { B: '2' } } } })),
    printOfParts(workspaceParts('agents', { workspaceFolderValue: { Claude: { env: { B: '2' } } } }, '/w')),
  ];
  assert.equal(new Set([one, ...others]).size, others.length + 1);
});

test('lists a folder that is the whole workspace once', () => {
  const servers = { near: { command: 'node' } };
  const values = { workspaceValue: servers, workspaceFolderValue: servers };
  const parts = [...workspaceParts('mcpServers', values), ...workspaceParts('mcpServers', values, '/w')];
  assert.deepEqual(describeParts(parts, 'short'), ['parley.mcpServers: near', '    Command: node']);
});

test('shows all workspace settings, and agents with the merged result', () => {
  const parts = [
    ...workspaceParts('agents', { globalValue: user, workspaceValue: { Claude: { env: { B: '2' }, cwd: '/tmp' } } }),
    ...workspaceParts('permissions', { workspaceValue: [{ kind: 'execute', command: '*', answer: 'allow_once' }] }),
    ...workspaceParts('files.outsideWorkspace', { defaultValue: 'ask', workspaceValue: 'allow' }),
    ...workspaceParts('mcpServers', { workspaceFolderValue: { web: { url: 'https://a.example' } } }, '/w/b'),
  ];
  assert.deepEqual(describeParts(parts, 'short'), [
    'parley.agents: Claude',
    '    Command: claude --acp',
    '    Folder: /tmp',
    '    Environment variable: A=1',
    '    Environment variable: B=2',
    '',
    'parley.permissions:',
    '    {"kind":"execute","command":"*","answer":"allow_once"}',
    '',
    'parley.files.outsideWorkspace: allow',
    '',
    'parley.mcpServers in the folder /w/b: web',
    '    URL: https://a.example',
  ]);
});

test('shows values of any type, with hidden characters by name', () => {
  for (const value of ['evil', 7, null, true, ['evil'], { evil: 1 }, { a: ['evil'] }]) {
    const told = describeParts(workspaceParts('agents', { workspaceValue: value }), 'short').join('\n');
    assert.ok(told.includes(typeof value === 'object' && value !== null ? 'evil' : String(value)), told);
  }
  const hidden = { 'a\u202eb': { command: 'x\u200b', env: { 'A\n': 'b' } } };
  const told = describeParts(workspaceParts('agents', { workspaceValue: hidden }), 'whole').join('\n');
  assert.match(told, /a\\u\{202e\}b[^]*x\\u\{200b\}[^]*A\\n=b/);
});
