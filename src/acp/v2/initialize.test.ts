import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeInitialize, initializeParams } from './initialize';

void describe('initialize in version 2', () => {
  void it('offers terminal logins only to agents on this machine', () => {
    const { capabilities } = initializeParams('1.0.0', { isRemote: false } as never);
    assert.deepEqual(capabilities?.auth, { terminal: {}, _meta: { gateway: true } });
    assert.deepEqual((capabilities as { session?: unknown }).session, { promptSuggestions: {} });
    assert.deepEqual(capabilities._meta, { 'terminal-auth': true });
    const remote = initializeParams('1.0.0', { isRemote: true } as never).capabilities;
    assert.deepEqual(remote?.auth, { _meta: { gateway: true } });
    assert.deepEqual(remote._meta, { 'terminal-auth': false });
  });

  void it('reads capabilities, and none that is missing or malformed', () => {
    const { can } = decodeInitialize({
      capabilities: { session: { fork: {}, delete: true, title: 'yes', mcp: { http: {} }, prompt: { image: {} } } },
    });
    assert.deepEqual(
      [can.loadSession, can.resume, can.fork, can.delete, can.setTitle, can.mcpHttp, can.image, can.audio],
      [true, true, true, true, false, true, true, false],
    );
    const none = decodeInitialize(undefined);
    assert.deepEqual([none.can.loadSession, none.can.logout, none.agentName], [false, false, '']);
  });

  void it('reads login methods and skips those without a type', () => {
    const { authMethods, can } = decodeInitialize({
      authMethods: [
        { type: 'agent', methodId: 'web', name: 'With a browser' },
        { methodId: 'untyped', name: 'Untyped' },
        'odd',
      ],
    });
    assert.deepEqual(
      authMethods.map(({ id }) => id),
      ['web'],
    );
    assert.equal(can.logout, true);
  });
});
