import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import { messageLimit } from '../../acp/wire/messageTransport';
import { CookieJar } from './cookieJar';
import { WebSocketLink } from './webSocketLink';

const schedule = (ms: number, action: () => void) => {
  const timer = setTimeout(action, ms);
  return { dispose: () => clearTimeout(timer) };
};

/** A server that notes who asks for a WebSocket. Without `answer`, it accepts. */
async function server(context: TestContext, answer?: string) {
  const asked: IncomingMessage[] = [];
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  const web = createServer();
  web.on('upgrade', (request, socket, head) => {
    asked.push(request);
    if (answer !== undefined) socket.end(answer);
    else sockets.handleUpgrade(request, socket, head, (one) => sockets.emit('connection', one));
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    for (const one of sockets.clients) one.terminate();
    web.close();
  });
  return { asked, sockets, url: `ws://127.0.0.1:${(web.address() as AddressInfo).port}/acp` };
}

const open = (url: string) =>
  new WebSocketLink({ url, headers: { Authorization: 'Bearer s3cret' }, cookies: new CookieJar() }, { schedule });

test('a WebSocket follows no redirect with the token', async (context) => {
  const other = await server(context);
  other.sockets.once('connection', (socket) => socket.terminate());
  const lines = ['HTTP/1.1 302 Found', `Location: ${other.url}`, 'Content-Length: 0', 'Connection: close', '', ''];
  const first = await server(context, lines.join('\r\n'));
  assert.equal((await open(first.url).lost).kind, 'refused');
  assert.deepEqual([first.asked.length, other.asked.length], [1, 0]);
});

test('a WebSocket offers no compression', async (context) => {
  const { asked, sockets, url } = await server(context);
  const connected = new Promise((resolve) => sockets.once('connection', resolve));
  const link = open(url);
  await connected;
  assert.equal(asked[0]?.headers['sec-websocket-extensions'], undefined);
  await link.close();
});

test('a WebSocket ends with a message over the limit', async (context) => {
  const { sockets, url } = await server(context);
  sockets.once('connection', (socket) => socket.send('x'.repeat(messageLimit + 1)));
  const link = open(url);
  const received: string[] = [];
  link.transport.receive = (text) => {
    received.push(text);
    link.detach();
  };
  assert.equal((await link.lost).kind, 'network');
  assert.deepEqual(received, []);
});
