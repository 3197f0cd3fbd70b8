import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect, createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { AcpConnection } from '../../acp/wire/connection';
import { agentMethods } from '../../acp/wire/methods';
import { CookieJar } from './cookieJar';
import { silenceLimit } from './eventStream';
import { HttpLink } from './httpLink';
import { networkLoss, statusLoss } from './linkWords';
import type { AgentSpec } from '../spec/agentSpec';
import { remoteNotices } from './remoteFolder';
import { isExposed, isPassing } from './remoteTarget';
import { secretsOfTarget } from './secretsOfTarget';
import { pingInterval, WebSocketLink } from './webSocketLink';

test('reports only unencrypted connections to other machines as exposed', () => {
  for (const url of ['http://agent.example', 'ws://10.0.0.7/acp', 'http://127.0.0.1.evil.example', 'http://[::2]/']) {
    assert.equal(isExposed(url), true, url);
  }
  for (const url of ['https://a.example', 'wss://a.example', 'http://localhost:1', 'ws://127.9.9.9', 'http://[::1]/']) {
    assert.equal(isExposed(url), false, url);
  }
});

test("lists a remote agent's limits and warns of unencrypted connections", () => {
  const titles = (spec: Partial<AgentSpec>, embeddedContext: boolean) =>
    remoteNotices({ name: 'Far', ...spec } as AgentSpec, { embeddedContext }).map(({ title }) => title);
  assert.deepEqual(titles({ command: 'here' }, false), []);
  assert.deepEqual(titles({ url: 'https://a.example', sharesFiles: true }, false), []);
  assert.deepEqual(titles({ url: 'http://a.example', sharesFiles: true }, true), [
    'The connection to Far isn’t encrypted',
  ]);
  assert.deepEqual(titles({ url: 'https://a.example' }, false), [
    'Far works with files on another machine',
    'Far can’t receive files',
  ]);
});

test('treats headers, tokens in URLs, and bearer tokens as secrets', () => {
  const secrets = secretsOfTarget({
    url: 'https://user:pass%20word@a.example/acp?token=query-token&v=1&key=50%&other=a%2Fbcd',
    headers: { Authorization: 'Bearer abc-def', 'X-Key': 'plain-key' },
  });
  const hidden = [
    'Bearer abc-def',
    'abc-def',
    'plain-key',
    'query-token',
    'pass%20word',
    'pass word',
    'a/bcd',
    'a%2Fbcd',
  ];
  for (const secret of hidden) {
    assert.ok(secrets.includes(secret), secret);
  }
  assert.equal(secrets.includes('1'), false);
});

test('replaces and expires cookies, and respects path and encryption', () => {
  let now = 1_000_000;
  const jar = new CookieJar(() => now);
  const url = new URL('http://a.example/acp');
  jar.store(url, ['a=1; Max-Age=10', 'b=2', 'c=3; Path=/other', 'd=4; Secure', 'broken', '=x', 'e=x=y; HttpOnly']);
  assert.equal(jar.header(url), 'a=1; b=2; e=x=y');
  assert.equal(jar.header(new URL('https://a.example/acp')), 'a=1; b=2; d=4; e=x=y');
  jar.store(url, ['b=5', 'e=; Max-Age=0']);
  now += 10_001;
  assert.equal(jar.header(url), 'b=5');
});

test('a cookie goes only to URLs under its path', () => {
  const jar = new CookieJar();
  const url = (path: string) => new URL(`http://a.example${path}`);
  jar.store(url('/acp'), ['a=1; Path=/acp', 'b=2; Path=/']);
  assert.equal(jar.header(url('/acp/more')), 'a=1; b=2');
  for (const path of ['/', '/acpx', '/other']) assert.equal(jar.header(url(path)), 'b=2');
  jar.store(url('/other'), ['c=3; Path=/acp']);
  assert.equal(jar.header(url('/acp')), 'a=1; b=2');
});

test('retries only losses that can end by themselves', () => {
  const of = (code: string) => isPassing(networkLoss('http://x', Object.assign(new Error(code), { code })));
  assert.deepEqual(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND'].map(of), [true, true, true, true]);
  assert.deepEqual(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT'].map(of), [false, false]);
  const statuses = [301, 400, 401, 403, 404, 500, 502, 503].map((status) => isPassing(statusLoss('http://x', status)));
  assert.deepEqual(statuses, [false, false, false, false, false, true, true, true]);
});

/** Timers that a test fires, by their delay. */
function heldTimers() {
  const held = new Map<number, () => void>();
  const added = new Map<number, () => void>();
  return {
    held,
    schedule: (ms: number, action: () => void) => {
      held.set(ms, action);
      added.get(ms)?.();
      const dispose = () => {
        if (held.get(ms) === action) held.delete(ms);
      };
      return { dispose };
    },
    until: (ms: number) =>
      held.has(ms)
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            added.set(ms, resolve);
          }),
  };
}

test('treats a WebSocket that answers no ping as lost', { timeout: 20_000 }, async () => {
  const web = createServer();
  const sockets = new WebSocketServer({ server: web });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  // Half-open: the network forwards until `isDead`, and then nothing, without an end.
  let isDead = false;
  const ends: Socket[] = [];
  const proxy = createSocketServer((client) => {
    const server = connect((web.address() as AddressInfo).port, '127.0.0.1');
    ends.push(client, server);
    for (const end of [client, server]) end.on('error', () => undefined);
    client.on('data', (piece) => isDead || server.write(piece));
    server.on('data', (piece) => isDead || client.write(piece));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  after(() => {
    for (const end of ends) end.destroy();
    sockets.close();
    web.close();
    proxy.close();
  });
  const timers = heldTimers();
  const url = `ws://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
  const link = new WebSocketLink({ url, headers: {}, cookies: new CookieJar() }, timers);
  await timers.until(pingInterval);
  const server = [...sockets.clients][0]!;
  const pinged = new Promise((resolve) => server.once('ping', resolve));
  timers.held.get(pingInterval)!();
  await pinged;
  isDead = true;
  // The first check may find the answer to the first ping; without one since then, the next check ends it.
  for (let check = 0; check < 3; check += 1) timers.held.get(pingInterval)?.();
  const { kind, reason } = await link.lost;
  assert.equal(kind, 'network');
  assert.match(reason, /no longer answers/);
});

test('treats a silent event stream as lost', { timeout: 20_000 }, async () => {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(':\n\n');
      response.write(':\n\n:\n\n');
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json', 'Acp-Connection-Id': 'c' });
    response.end('{"jsonrpc":"2.0","id":0,"result":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const timers = heldTimers();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const link = new HttpLink({ url, headers: {}, cookies: new CookieJar() }, timers);
  const connection = new AcpConnection(link.transport);
  connection.listen();
  const answered = connection.request(agentMethods.initialize, {});
  await timers.until(silenceLimit);
  await answered;
  timers.held.get(silenceLimit)!();
  assert.equal((await link.lost).kind, 'network');
});
