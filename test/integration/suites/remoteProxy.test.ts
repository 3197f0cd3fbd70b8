import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AcpConnection } from '../../../src/acp/wire/connection';
import { agentMethods } from '../../../src/acp/wire/methods';
import { CookieJar } from '../../../src/agent/remote/cookieJar';
import { HttpLink } from '../../../src/agent/remote/httpLink';
import type { LinkOptions } from '../../../src/agent/remote/link';
import { WebSocketLink } from '../../../src/agent/remote/webSocketLink';
import { suite, test, type TestContext } from '../api';
import { setting } from '../filesSupport';

const options: LinkOptions = {
  schedule: (ms, action) => {
    const timer = setTimeout(action, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Starts a proxy that lets nothing through, and resolves to its URL and to what it is asked for. */
async function proxy(context: TestContext): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(503).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
  });
  server.on('upgrade', (request, socket) => {
    asked.push(`UPGRADE ${request.url}`);
    socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

suite('agents on other machines', () => {
  for (const protocol of ['http', 'https', 'ws', 'wss']) {
    test(`are reached through the proxy of VS Code's settings (${protocol})`, async (context) => {
      const { url, asked } = await proxy(context);
      await setting(context, 'http.proxy', url);
      const target = { url: `${protocol}://agent.invalid/acp`, headers: {}, cookies: new CookieJar() };
      const link = protocol.startsWith('http') ? new HttpLink(target, options) : new WebSocketLink(target, options);
      const connection = new AcpConnection(link.transport);
      context.after(() => connection.dispose());
      connection.listen();
      await assert.rejects(connection.request(agentMethods.initialize, {}));
      await link.lost;
      assert.match(asked.join(), /agent\.invalid/);
    });
  }
});
