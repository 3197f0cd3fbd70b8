import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { errorCodes, isAcpError } from '../../acp/base/errors';
import { AcpDoor } from './acpDoor';
import { toolsFor } from './mcpHandler';
import type { Language } from '../editor/languages';
import { ToolProblem, type EditorTool, type ToolServices, type ToolSession } from './tool';

const never = new AbortController().signal;
const key = (name: string) => `io.modelcontextprotocol/${name}`;
const _meta = {
  [key('protocolVersion')]: '2026-07-28',
  [key('clientCapabilities')]: {},
  [key('clientInfo')]: { name: 'test', version: '1' },
};

void describe('the MCP connection over ACP', () => {
  const door = new AcpDoor();
  /** Resolves with the signal of the call that waits. */
  let running: Promise<AbortSignal>;
  let run: (signal: AbortSignal) => void;
  const tools: EditorTool[] = [
    {
      name: 'echo',
      description: 'Repeats a text.',
      properties: { text: { type: 'string' } },
      required: ['text'],
      effect: 'none',
      run: async ({ args }) => ({ text: String(args['text']), data: { text: args['text'] } }),
    },
    {
      name: 'wait für immer',
      description: 'Never ends by itself.',
      properties: {},
      required: [],
      effect: 'runs',
      run: ({ signal }) =>
        new Promise((_, reject) => {
          run(signal);
          signal.addEventListener('abort', () => reject(new ToolProblem('Cancelled.')));
        }),
    },
  ];
  const guest = () => toolsFor({} as ToolSession, () => tools, {} as ToolServices, {} as Language, '1.0.0');
  const send = (serverId: string, method: string, params: object = {}, signal = never) =>
    door.message({ serverId, method, params: { ...params, _meta } }, () => undefined, signal);

  beforeEach(() => {
    running = new Promise((resolve) => (run = resolve));
  });

  void it('answers with a result, or with the server’s own error', async () => {
    const { serverId } = door.admit(guest());
    const listed = await send(serverId, 'tools/list');
    assert.ok('result' in listed);
    assert.deepEqual(
      (listed.result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name),
      ['echo', 'wait für immer'],
    );
    const called = await send(serverId, 'tools/call', { name: 'echo', arguments: { text: 'Grüße' } });
    assert.ok('result' in called);
    assert.deepEqual((called.result as { readonly structuredContent: unknown }).structuredContent, { text: 'Grüße' });
    const unknown = await send(serverId, 'no/such');
    assert.ok('error' in unknown);
    assert.equal(unknown.error.code, errorCodes.methodNotFound);
  });

  void it('refuses unknown and closed servers', async () => {
    const one = door.admit(guest());
    const other = door.admit(guest());
    assert.notEqual(one.serverId, other.serverId);
    one.dispose();
    for (const serverId of ['', 'editor', one.serverId, `${other.serverId}x`]) {
      await assert.rejects(send(serverId, 'tools/list'), (error) => isAcpError(error) && error.code === -32602);
    }
    assert.ok('result' in (await send(other.serverId, 'tools/list')));
  });

  void it('passes a cancellation to the tool, whose name needs no header', async () => {
    const { serverId } = door.admit(guest());
    const cancel = new AbortController();
    const call = send(serverId, 'tools/call', { name: 'wait für immer', arguments: {} }, cancel.signal);
    const signal = await running;
    cancel.abort();
    await assert.rejects(call);
    assert.ok(signal.aborted);
  });

  void it('ends open requests when access is revoked', async () => {
    const admission = door.admit(guest());
    const { serverId } = admission;
    const call = send(serverId, 'tools/call', { name: 'wait für immer', arguments: {} });
    const signal = await running;
    admission.dispose();
    await assert.rejects(call);
    assert.ok(signal.aborted);
  });
});
