import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpeningSetup, OpenMethod } from '../shape/openingSetup';
import { openSession } from './openSession';

const setup = (fields: object = {}): OpeningSetup => ({
  cwd: '/work',
  additionalDirectories: ['/other'],
  mcpServers: [],
  ...fields,
});

async function sent(how: object, given = setup(), can: object = {}): Promise<readonly [string, unknown]> {
  let request: readonly [string, unknown] = ['', undefined];
  const connection = {
    request: ({ method }: { readonly method: string }, params: unknown) => {
      request = [method, params];
      return Promise.resolve({ sessionId: 's' });
    },
  };
  await openSession(connection as never, can as never, how as OpenMethod, given, new AbortController().signal);
  return request;
}

test('opens each kind of session with its method', async () => {
  const existing = { cwd: '/work', mcpServers: [], sessionId: 's' };
  assert.deepEqual(await sent({ method: 'new' }), ['session/new', { cwd: '/work', mcpServers: [] }]);
  assert.deepEqual(await sent({ method: 'resume', sessionId: 's' }), ['session/resume', existing]);
  const replayed = { ...existing, replayFrom: { type: 'start' } };
  assert.deepEqual(await sent({ method: 'load', sessionId: 's' }), ['session/resume', replayed]);
  assert.deepEqual(await sent({ method: 'fork', sessionId: 's' }), ['session/fork', existing]);
});

test('sends more folders only to agents that support them', async () => {
  const folders = async (can: object, given = setup()) =>
    ((await sent({ method: 'new' }, given, can))[1] as { additionalDirectories?: unknown }).additionalDirectories;
  assert.equal(await folders({}), undefined);
  assert.deepEqual(await folders({ additionalDirectories: true }), ['/other']);
  assert.equal(await folders({ additionalDirectories: true }, setup({ additionalDirectories: [] })), undefined);
});

test('sends programs and HTTP servers with their type, and no other transport', async () => {
  const mcpServers = [
    { name: 'program', command: '/bin/x', args: ['a'], env: [] },
    { type: 'http', name: 'web', url: 'https://h.example', headers: [] },
    { type: 'sse', name: 'old', url: 'https://h.example', headers: [] },
    { type: 'acp', name: 'editor', serverId: 'e' },
  ];
  const [, params] = await sent({ method: 'new' }, setup({ mcpServers }));
  assert.deepEqual((params as { mcpServers: unknown }).mcpServers, [
    { type: 'stdio', name: 'program', command: '/bin/x', args: ['a'], env: [] },
    mcpServers[1],
    mcpServers[3],
  ]);
});

test('sends first values of options with their types', async () => {
  const initialOptions = [
    { configId: 'model', value: 'large' },
    { configId: 'web', value: true },
  ];
  const [, params] = await sent({ method: 'new' }, setup({ initialOptions }));
  assert.deepEqual((params as { configOptions?: unknown }).configOptions, [
    { configId: 'model', type: 'id', value: 'large' },
    { configId: 'web', type: 'boolean', value: true },
  ]);
});
