import assert from 'node:assert/strict';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HttpDoor, type Admission } from './httpDoor';

void describe('the HTTP server for editor tools', () => {
  let door: HttpDoor;
  let first: Admission;
  let seen: Request[] = [];
  let closed = 0;
  const guest = (name: string) => ({
    fetch: async (given: Request) => {
      seen.push(given);
      return new Response(`${name}: ${await given.text()}`);
    },
    close: async () => {
      closed++;
    },
  });

  beforeEach(async () => {
    [seen, closed] = [[], 0];
    door = await HttpDoor.open();
    first = door.admit(guest('first'));
  });
  afterEach(() => door.dispose());

  /** Sends headers as they are, which `fetch` doesn't. */
  const send = (headers: Record<string, string>, path = '/mcp', body = 'x') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const { port } = new URL(first.url);
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (data: Buffer) => (text += data.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  void it('listens on the loopback interface with a 256-bit token per session', async () => {
    const second = door.admit(guest('second'));
    assert.match(first.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    assert.equal(Buffer.from(first.token, 'base64url').length, 32);
    assert.notEqual(first.token, second.token);
    assert.deepEqual(await send(bearer(first.token)), { status: 200, text: 'first: x' });
    assert.deepEqual(await send(bearer(second.token)), { status: 200, text: 'second: x' });
    assert.equal(seen[0]?.headers.get('authorization'), null);
  });

  void it('doesn’t keep the process when nothing else does', () => {
    assert.ok(!process.getActiveResourcesInfo().includes('TCPServerWrap'));
  });

  void it('refuses missing and wrong tokens, and those of another window', async () => {
    const other = await HttpDoor.open();
    const { token } = other.admit(guest('other'));
    for (const wrong of ['', 'x', `${first.token}x`, first.token.slice(1), token]) {
      assert.equal((await send(bearer(wrong))).status, 401);
    }
    assert.equal((await send({})).status, 401);
    assert.equal((await send({ authorization: first.token })).status, 401);
    other.dispose();
    assert.equal(seen.length, 0);
  });

  void it('refuses foreign hosts, any origin, and other paths despite a token', async () => {
    const headers = bearer(first.token);
    for (const host of ['example.com', '127.0.0.1', '127.0.0.1:1', 'localhost.example.com']) {
      assert.equal((await send({ ...headers, host })).status, 403);
    }
    for (const origin of ['https://example.com', 'null', new URL(first.url).origin]) {
      assert.equal((await send({ ...headers, origin })).status, 403);
    }
    assert.equal((await send(headers, '/')).status, 404);
    assert.equal(seen.length, 0);
  });

  void it('ends open requests and invalidates the token when access is revoked', async () => {
    let arrived = () => undefined as void;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    const slow = door.admit({
      fetch: () => {
        arrived();
        return new Promise<Response>(() => undefined);
      },
      close: async () => {
        closed++;
      },
    });
    const open = send(bearer(slow.token));
    await asked;
    slow.dispose();
    await assert.rejects(open);
    assert.equal(closed, 1);
    assert.equal((await send(bearer(slow.token))).status, 401);
    assert.equal((await send(bearer(first.token))).status, 200);
  });
});
