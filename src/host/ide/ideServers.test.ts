import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { settingsWith } from '../../../test/unit-support/settings';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import { IdeServers, type IdeServersOptions } from './ideServers';
import type { Language } from '../editor/languages';
import type { ToolServices } from './tool';

const never = new AbortController().signal;
const spec: AgentSpec = { id: 'settings:A' as AgentId, name: 'A', command: 'a', args: [], env: {}, source: 'settings' };
const session = (key: string) => ({
  context: { session: key as SessionKey, agentName: 'A', cwd: '/folder', ask: () => Promise.resolve(undefined) },
  folders: [],
});

void describe('the server for editor tools', () => {
  let ide: IdeServers;
  const reported: unknown[] = [];
  const offer = (key = 's', can = { mcpHttp: true, mcpAcp: true }, signal = never) =>
    ide.offer(spec, can, session(key), [], signal);

  beforeEach(() => {
    editor.reset();
    reported.length = 0;
    const options: IdeServersOptions = {
      ...({} as ToolServices),
      settings: { ...settingsWith({}), editorToolsOf: () => undefined },
      version: '1.0.0',
      language: () => ({}) as Language,
      now: () => 0,
      report: (error) => void reported.push(error),
    };
    ide = new IdeServers(options);
  });
  afterEach(() => ide.dispose());

  void it('is offered only in a trusted workspace', async () => {
    editor.isTrusted = false;
    assert.deepEqual(await offer(), { servers: [], skipped: [], secrets: [] });
    editor.isTrusted = true;
    assert.equal((await offer()).servers.length, 1);
  });

  void it('gives a reopened session a new token and a cancelled one none', async () => {
    const [{ secrets: first }, { secrets: second }] = [await offer(), await offer()];
    const status = async (secret: string | undefined) => {
      const { servers } = await offer('other');
      const [server] = servers;
      assert.ok(server && 'url' in server);
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(server.url, { method: 'POST', headers, body: '{}' })).status;
    };
    assert.equal(await status(first[0]), 401);
    assert.notEqual(await status(second[0]), 401);
    assert.deepEqual((await offer('third', undefined, AbortSignal.abort())).servers, []);
    assert.deepEqual(reported, []);
  });

  void it('stops with the window', async () => {
    const { servers, secrets } = await offer();
    const [server] = servers;
    assert.ok(server && 'url' in server);
    ide.dispose();
    await assert.rejects(
      fetch(server.url, { method: 'POST', headers: { authorization: secrets[1] ?? '' }, body: '{}' }),
    );
  });

  void it('has no servers before a session gets one', () => {
    assert.equal(
      ide.message({ serverId: 'x', method: 'tools/list' }, () => undefined, never),
      undefined,
    );
  });
});
