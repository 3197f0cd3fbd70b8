import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeOpened } from '../decode/decodeAgent';
import { isAbsolutePath } from '../decode/decodeClient';
import { answeredVersion, dialectOf } from '../dialects';
import { ResponseError } from '../base/errors';
import { decodeCreateTerminal, decodeReadTextFile, decodeTerminalId, decodeWriteTextFile } from './decodeEditor';
import { decodePromptResult } from './channel';
import { decodeInitialize } from './initialize';
import { decodePermission } from './permission';

const isInvalid = (error: unknown) => error instanceof ResponseError && error.code === -32602;

void describe('the answer to initialize', () => {
  void it('treats missing fields as unsupported', () => {
    for (const answer of [{ protocolVersion: 1 }, { protocolVersion: 1, agentCapabilities: null, authMethods: 'x' }]) {
      const { can, agentTitle, agentVersion, authMethods } = decodeInitialize(answer);
      assert.deepEqual([answeredVersion(answer), agentTitle, agentVersion, authMethods], [1, '', '', []]);
      assert.deepEqual(
        Object.entries(can).filter(([, value]) => value),
        [['mcpStdio', true]],
      );
    }
  });

  void it('reads booleans, markers, and a true in place of a marker', () => {
    const { can } = decodeInitialize({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { resume: {}, close: true, list: null, delete: false },
        auth: { logout: {} },
      },
      _meta: { steering: { supported: true } },
    });
    const on = Object.entries(can).flatMap(([name, value]) => (value ? [name] : []));
    assert.deepEqual(on.sort(), [
      'close',
      'embeddedContext',
      'image',
      'loadSession',
      'logout',
      'mcpHttp',
      'mcpStdio',
      'resume',
      'steering',
    ]);
  });

  void it('skips malformed login methods and keeps the others', () => {
    const methods = [{ id: 'a', name: 'A' }, { name: 'no id' }, 3, { id: 'b', type: 'terminal', description: 'B' }];
    assert.deepEqual(decodeInitialize({ authMethods: methods }).authMethods, [
      { id: 'a', name: 'A', type: 'agent' },
      { id: 'b', name: 'b', type: 'terminal', description: 'B', args: [], env: {} },
    ]);
  });

  void it('accepts only a whole number as version', () => {
    for (const protocolVersion of ['1', 1.5, null]) {
      assert.equal(answeredVersion({ protocolVersion }), undefined);
    }
    assert.equal(answeredVersion(null), undefined);
    assert.deepEqual(
      [1, 3, undefined].map((version) => dialectOf(version)?.version),
      [1, undefined, undefined],
    );
  });
});

void describe('other responses', () => {
  void it('may be null', () => {
    assert.deepEqual(decodeOpened(null), { sessionId: undefined, configOptions: [] });
    assert.deepEqual(decodePromptResult(null), { stopReason: 'end_turn' });
    assert.equal(decodePromptResult({ stopReason: 'new_reason' }).stopReason, 'new_reason');
  });

  void it('contain the tokens of a turn, and invalid counts are skipped', () => {
    const tell = (usage: unknown) => decodePromptResult({ stopReason: 'end_turn', usage }).usage;
    const whole = { totalTokens: 30, inputTokens: 20, outputTokens: 5, thoughtTokens: 3, cachedReadTokens: 15 };
    assert.deepEqual(tell(whole), { total: 30, input: 20, output: 5, thought: 3, cachedRead: 15 });
    const partly = { totalTokens: 'many', inputTokens: 20, outputTokens: -1, cachedWriteTokens: null };
    assert.deepEqual(tell(partly), { total: 20, input: 20, output: 0 });
    for (const none of [null, undefined, [], 'x', {}, { totalTokens: 0 }]) assert.equal(tell(none), undefined);
  });
});

void describe('requests of an agent', () => {
  void it('require absolute paths', () => {
    for (const path of ['/a', 'C:\\a', 'c:/a', '\\\\host\\share']) assert.ok(isAbsolutePath(path), path);
    for (const path of ['a', './a', '', 'file:///a', '~/a', 'C:a']) assert.ok(!isAbsolutePath(path), path);
    assert.throws(() => decodeReadTextFile({ path: 'a' }), isInvalid);
    assert.throws(() => decodeWriteTextFile({ path: '../a', content: '' }), isInvalid);
    assert.throws(() => decodeCreateTerminal({ command: 'x', cwd: 'a' }), isInvalid);
  });

  void it('allow only optional fields to be missing or null', () => {
    assert.deepEqual(decodeReadTextFile({ path: '/a', line: null }), { path: '/a' });
    assert.deepEqual(decodeReadTextFile({ path: '/a', line: 0, limit: 4294967295 }), {
      path: '/a',
      line: 0,
      limit: 4294967295,
    });
    assert.deepEqual(decodeCreateTerminal({ command: 'x', args: null, env: null, cwd: null, outputByteLimit: 0 }), {
      command: 'x',
      args: [],
      env: {},
      outputByteLimit: 0,
    });
    const bad: readonly object[] = [
      {},
      { path: 7 },
      { path: '/a', line: 'x' },
      { path: '/a', limit: -1 },
      { path: '/a', line: 1.5 },
    ];
    for (const params of bad) assert.throws(() => decodeReadTextFile(params), isInvalid, JSON.stringify(params));
    for (const content of [undefined, null, 3])
      assert.throws(() => decodeWriteTextFile({ path: '/a', content }), isInvalid);
    for (const args of ['x', [1]]) assert.throws(() => decodeCreateTerminal({ command: 'x', args }), isInvalid);
    for (const env of [{ A: 'b' }, [{ name: 'A' }], [3]])
      assert.throws(() => decodeCreateTerminal({ command: 'x', env }), isInvalid);
    for (const command of [undefined, ' ']) assert.throws(() => decodeCreateTerminal({ command }), isInvalid);
    assert.throws(() => decodeTerminalId({}), isInvalid);
    assert.throws(() => decodePermission({ options: null }), isInvalid);
  });

  void it('never repeat a secret of the environment in an error', () => {
    try {
      decodeCreateTerminal({ command: 'x', env: [{ name: 'KEY', value: 5, secret: 'hunter2' }] });
      assert.fail('not refused');
    } catch (error) {
      assert.doesNotMatch(JSON.stringify(error), /hunter2/);
    }
  });

  void it('use the last of duplicate variables', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: '__proto__', value: 'x' },
      { name: 'A', value: '2' },
    ];
    const decoded = decodeCreateTerminal({ command: 'x', env }).env;
    assert.deepEqual(Object.entries(decoded), [
      ['A', '2'],
      ['__proto__', 'x'],
    ]);
  });
});
