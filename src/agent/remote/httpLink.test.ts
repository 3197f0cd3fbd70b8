import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { AcpConnection } from '../../acp/wire/connection';
import { agentMethods, clientMethods } from '../../acp/wire/methods';
import { CookieJar } from './cookieJar';
import { HttpLink } from './httpLink';

interface Seen {
  readonly method: string;
  readonly session: string | undefined;
  readonly connection: string | undefined;
  readonly message: Record<string, unknown> | undefined;
}

/** A server that behaves exactly as a test says. */
class StrangeServer {
  readonly seen: Seen[] = [];
  readonly streams = new Map<string, ServerResponse>();
  /** Returns a status for a stream; 200 opens it. */
  onStream: (session: string) => number = () => 200;
  /** Handles a message after the first; by default it is accepted. */
  onMessage: (message: Record<string, unknown>, response: ServerResponse) => void = (_message, response) => {
    response.writeHead(202).end();
  };
  connectionId: string | undefined = 'c1';
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async start(): Promise<{ link: HttpLink; connection: AcpConnection; updates: unknown[]; lost: string[] }> {
    const lost: string[] = [];
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    after(() => {
      this.server.closeAllConnections();
      this.server.close();
    });
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/acp`;
    const link = new HttpLink(
      { url, headers: {}, cookies: new CookieJar() },
      {
        schedule: (ms, action) => {
          const timer = setTimeout(action, ms);
          return { dispose: () => clearTimeout(timer) };
        },
        onSessionLost: (session) => lost.push(session),
      },
    );
    const connection = new AcpConnection(link.transport);
    const updates: unknown[] = [];
    connection.onNotification(clientMethods.sessionUpdate, (params) => updates.push(params));
    connection.onRequest(clientMethods.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }));
    connection.listen();
    after(() => {
      connection.dispose();
      return link.close();
    });
    return { link, connection, updates, lost };
  }

  /** Sends an event on the stream of a session, or of the connection if it is empty. */
  send(session: string, message: object): void {
    this.streams.get(session)?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = request.headers['acp-session-id'] as string | undefined;
    const connection = request.headers['acp-connection-id'] as string | undefined;
    let body = '';
    for await (const part of request as AsyncIterable<Buffer>) body += part.toString();
    const message = body === '' ? undefined : (JSON.parse(body) as Record<string, unknown>);
    this.seen.push({ method: request.method ?? '', session, connection, message });
    if (request.method === 'GET') {
      assert.equal(request.headers.accept, 'text/event-stream');
      const status = this.onStream(session ?? '');
      response.writeHead(status, { 'Content-Type': 'text/event-stream' });
      if (status !== 200) response.end();
      else {
        response.flushHeaders();
        this.streams.set(session ?? '', response);
      }
    } else if (request.method === 'DELETE') {
      response.writeHead(202).end();
    } else if (connection === undefined) {
      const headers = this.connectionId === undefined ? {} : { 'Acp-Connection-Id': this.connectionId };
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message?.['id'], result: { protocolVersion: 1 } }));
    } else {
      this.onMessage(message ?? {}, response);
    }
  }
}

const setup = { cwd: '/w', mcpServers: [] };

void describe('Streamable HTTP', { timeout: 30_000 }, () => {
  void it("opens the connection's stream first, and a session's before its messages", async () => {
    const server = new StrangeServer();
    server.onMessage = ({ id, method }, response) => {
      response.writeHead(202).end();
      if (method === 'session/prompt') server.send('s1', { id, result: { stopReason: 'end_turn' } });
    };
    const { connection, link } = await server.start();
    await connection.request(agentMethods.initialize, {});
    await connection.request(agentMethods.prompt, { sessionId: 's1', prompt: [] });
    await link.close();
    assert.deepEqual(
      server.seen.map(({ method, connection: id, session }) => [method, id, session]),
      [
        ['POST', undefined, undefined],
        ['GET', 'c1', undefined],
        ['GET', 'c1', 's1'],
        ['POST', 'c1', 's1'],
        ['DELETE', 'c1', undefined],
      ],
    );
  });

  void it("accepts an answer on either stream and in a post's body", async () => {
    for (const place of ['', 's1', 'body']) {
      const server = new StrangeServer();
      server.onMessage = ({ id }, response) => {
        if (place === 'body') {
          response.writeHead(200, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { stopReason: 'refusal' } }));
          return;
        }
        response.writeHead(202).end();
        server.send(place, { id, result: { stopReason: 'refusal' } });
      };
      const { connection } = await server.start();
      await connection.request(agentMethods.initialize, {});
      const answer = await connection.request(agentMethods.prompt, { sessionId: 's1', prompt: [] });
      assert.equal(answer.stopReason, 'refusal', place);
    }
  });

  void it('requests a refused session stream again after loading the session', async () => {
    for (const status of [403, 404]) {
      const server = new StrangeServer();
      let isLoaded = false;
      server.onStream = (session) => (session === '' || isLoaded ? 200 : status);
      server.onMessage = ({ id }, response) => {
        isLoaded = true;
        response.writeHead(202).end();
        server.send('', { id, result: {} });
      };
      const { connection } = await server.start();
      await connection.request(agentMethods.initialize, {});
      await connection.request(agentMethods.loadSession, { ...setup, sessionId: 's1' });
      assert.ok(server.streams.has('s1'));
    }
  });

  void it('names the session in requests about a closed session', async () => {
    for (const status of [200, 404]) {
      const server = new StrangeServer();
      server.onStream = (session) => (session === 's1' ? status : 200);
      server.onMessage = ({ id, method }, response) => {
        response.writeHead(202).end();
        if (method === 'session/delete') server.send(status === 200 ? 's1' : '', { id, result: {} });
        else server.send('s2', { id, result: { stopReason: 'end_turn' } });
      };
      const { connection } = await server.start();
      await connection.request(agentMethods.initialize, {});
      await connection.request(agentMethods.deleteSession, { sessionId: 's1' });
      assert.equal(server.seen.at(-1)?.session, 's1');
      server.streams.get('s1')?.end();
      await connection.request(agentMethods.prompt, { sessionId: 's2', prompt: [] });
    }
  });

  void it("answers a session's request with its header and original id", async () => {
    for (const id of ['_perm_1', 0, 7]) {
      const server = new StrangeServer();
      const answered = new Promise<Seen>((resolve) => {
        server.onMessage = (message, response) => {
          response.writeHead(202).end();
          if (message['method'] === undefined) resolve(server.seen.at(-1)!);
          else server.send('s1', { id, method: 'session/request_permission', params: { sessionId: 's1' } });
        };
      });
      const { connection } = await server.start();
      await connection.request(agentMethods.initialize, {});
      connection.request(agentMethods.prompt, { sessionId: 's1', prompt: [] }).catch(() => undefined);
      const { session, message } = await answered;
      assert.equal(session, 's1');
      assert.equal(message?.['id'], id);
    }
  });

  void it('reads events in any format', async () => {
    const server = new StrangeServer();
    const { connection, updates } = await server.start();
    await connection.request(agentMethods.initialize, {});
    const update = (text: string) => JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { text } });
    const stream = server.streams.get('')!;
    stream.write(': comment\r\nevent: message\r\nid: 1\r\nretry: 5\r\ndata:' + update('one') + '\r\n\r\n');
    stream.write(`data: ${update('two').replace(',', ',\ndata: ')}\n\n`);
    stream.write(
      `data: ${update('three')}\r\rdata: 17\n\ndata: [1]\n\ndata: {broken\n\nid: 1\ndata: ${update('one')}\n\n`,
    );
    for (const byte of Buffer.from(`data: ${update('vier ü')}\n\n`)) stream.write(Buffer.from([byte]));
    connection.request(agentMethods.newSession, setup).catch(() => undefined);
    server.send('', { id: 1, result: { sessionId: 's2' } });
    await new Promise<void>((resolve) => {
      connection.onNotification({ method: 'last' }, () => resolve());
      server.send('', { method: 'last', params: {} });
    });
    assert.deepEqual(
      updates.map((params) => (params as { text: string }).text),
      ['one', 'two', 'three', 'vier ü'],
    );
  });

  void it('reports a missing connection id as a failure', async () => {
    const server = new StrangeServer();
    server.connectionId = undefined;
    const { connection, link } = await server.start();
    await assert.rejects(connection.request(agentMethods.initialize, {}));
    assert.match((await link.lost).reason, /no connection ID/);
  });

  void it('fails one session when another client has its stream', async () => {
    const server = new StrangeServer();
    server.onStream = (session) => (session === 's1' ? 409 : 200);
    server.onMessage = ({ id }, response) => {
      response.writeHead(202).end();
      server.send('s2', { id, result: { stopReason: 'end_turn' } });
    };
    const { connection } = await server.start();
    await connection.request(agentMethods.initialize, {});
    await assert.rejects(
      connection.request(agentMethods.prompt, { sessionId: 's1', prompt: [] }),
      /Another client is connected to this session/,
    );
    await connection.request(agentMethods.prompt, { sessionId: 's2', prompt: [] });
  });

  void it('ends a session’s stream with its closing, and opens it again', async () => {
    const server = new StrangeServer();
    let refusals = 0;
    let isOpen = false;
    server.onStream = (session) => {
      if (session !== 's1') return 200;
      // A server may notice the end of a stream late.
      if (refusals > 0) {
        refusals -= 1;
        return 409;
      }
      if (isOpen) return 409;
      isOpen = true;
      return 200;
    };
    server.onMessage = ({ id, method }, response) => {
      response.writeHead(202).end();
      if (method === 'session/close') {
        server.streams.get('s1')!.once('close', () => (isOpen = false));
        refusals = 2;
      }
      server.send('s1', { id, result: {} });
    };
    const { connection } = await server.start();
    await connection.request(agentMethods.initialize, {});
    await connection.request(agentMethods.loadSession, { ...setup, sessionId: 's1' });
    const closing = connection.request(agentMethods.closeSession, { sessionId: 's1' });
    const opening = connection.request(agentMethods.loadSession, { ...setup, sessionId: 's1' });
    await closing;
    await opening;
    const streams = server.seen.filter(({ method, session }) => method === 'GET' && session === 's1');
    assert.equal(streams.length, 4);
  });

  void it('ends the stream of a session that the agent can’t close', async () => {
    const server = new StrangeServer();
    let isOpen = false;
    server.onStream = (session) => {
      if (session !== 's1') return 200;
      if (isOpen) return 409;
      isOpen = true;
      return 200;
    };
    server.onMessage = ({ id, method }, response) => {
      response.writeHead(202).end();
      if (method === 'session/load') server.send('s1', { id, result: {} });
    };
    const { connection, link, lost } = await server.start();
    await connection.request(agentMethods.initialize, {});
    await connection.request(agentMethods.loadSession, { ...setup, sessionId: 's1' });
    const ended = new Promise<void>((resolve) => server.streams.get('s1')!.once('close', resolve));
    void ended.then(() => (isOpen = false));
    const turn = assert.rejects(connection.request(agentMethods.prompt, { sessionId: 's1', prompt: [] }));
    void connection.notify(agentMethods.cancel, { sessionId: 's1' });
    link.releaseSession('s1');
    const opening = connection.request(agentMethods.loadSession, { ...setup, sessionId: 's1' });
    await Promise.all([ended, turn, opening]);
    assert.deepEqual(
      server.seen.flatMap(({ message, session }) => (session === 's1' && message ? [message['method']] : [])),
      ['session/load', 'session/prompt', 'session/cancel', 'session/load'],
    );
    assert.deepEqual(lost, []);
  });

  void it('loses one session, not the connection, when its stream ends', async () => {
    for (const end of ['end', 'destroy'] as const) {
      const server = new StrangeServer();
      server.onMessage = ({ id, params }, response) => {
        response.writeHead(202).end();
        const { sessionId } = params as { sessionId: string };
        if (sessionId === 's2') server.send('s2', { id, result: { stopReason: 'end_turn' } });
        else server.streams.get('s1')![end]();
      };
      const { connection, lost } = await server.start();
      await connection.request(agentMethods.initialize, {});
      await assert.rejects(connection.request(agentMethods.prompt, { sessionId: 's1', prompt: [] }));
      await connection.request(agentMethods.prompt, { sessionId: 's2', prompt: [] });
      assert.deepEqual(lost, ['s1']);
    }
  });

  void it('posts the messages of a session one after the other', async () => {
    const server = new StrangeServer();
    const order: string[] = [];
    const held: (() => void)[] = [];
    let sawFirst = () => {};
    const first = new Promise<void>((resolve) => (sawFirst = resolve));
    server.onMessage = ({ id, method }, response) => {
      order.push(String(method));
      const accept = () => response.writeHead(202).end();
      if (method === 'session/prompt') {
        held.push(() => {
          accept();
          server.send('s1', { id, result: { stopReason: 'cancelled' } });
        });
        sawFirst();
      } else accept();
    };
    const { connection } = await server.start();
    await connection.request(agentMethods.initialize, {});
    const prompt = connection.request(agentMethods.prompt, { sessionId: 's1', prompt: [] });
    const cancel = connection.notify(agentMethods.cancel, { sessionId: 's1' });
    await first;
    assert.deepEqual(order, ['session/prompt']);
    for (const release of held) release();
    await Promise.all([prompt, cancel]);
    assert.deepEqual(order, ['session/prompt', 'session/cancel']);
  });
});
