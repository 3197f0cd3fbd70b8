import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import type { OpenPage } from '../../shared/limits/sandbox';
import { LoginDoor } from './loginDoor';

async function open(context: TestContext, openPage: OpenPage) {
  const file = join(tempFolder(context), 'login');
  const door = await LoginDoor.open({ file, isHeld: true, hasOwnNetwork: true, openPage });
  context.after(() => door.dispose());
  const [port, token = ''] = readFileSync(file, 'utf8').trim().split(' ');
  const reach = () => connect(Number(port), '127.0.0.1');
  /** Sends a line as a program inside does, and resolves to the answer. */
  const say = async (line: string) => {
    const socket = reach();
    socket.write(`${line}\n`);
    return text(socket);
  };
  return { door, file, port: Number(port), token, reach, say };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('opens web pages alone, with the token, one at a time', async (context) => {
  const asked: string[] = [];
  let answer: (isOpened: boolean) => void = () => undefined;
  const { token, say } = await open(context, (address) => {
    asked.push(address);
    return new Promise((resolve) => (answer = resolve));
  });
  assert.equal(await say('wrong open https://a.example/'), '');
  assert.equal(await say(`${token} other https://a.example/`), '');
  for (const address of ['file:///etc/passwd', 'vscode://a.b/c', '-x', ''])
    assert.equal(await say(`${token} open ${address}`), 'no\n');
  assert.deepEqual(asked, []);
  const first = say(`${token} open https://a.example/`);
  while (asked.length === 0) await new Promise(setImmediate);
  assert.equal(await say(`${token} open https://b.example/`), 'no\n');
  answer(false);
  assert.equal(await first, 'no\n');
  assert.deepEqual(asked, ['https://a.example/']);
});

test('carries what the browser sends to the port that the page names', async (context) => {
  const { door, file, port: own, token, reach, say } = await open(context, () => Promise.resolve(true));
  const port = await freePort();
  const page = `https://a.example/?redirect_uri=${encodeURIComponent(`http://localhost:${port}/`)}`;
  assert.equal(await say(`${token} open ${page}`), `ok ${port}\n`);
  const browser = connect(port, '127.0.0.1');
  browser.write('from the browser');
  const inside = reach();
  inside.write(`${token} wait\n`);
  assert.equal(String((await once(inside, 'data'))[0]), 'from the browser');
  inside.end('from inside');
  assert.equal(await text(browser), 'from inside');

  assert.equal(door.at({ host: '127.0.0.1', port: own }), 'open');
  const waiting = reach();
  waiting.write(`${token} wait\n`);
  waiting.on('error', () => undefined);
  const closes = new Promise((resolve) => waiting.once('close', resolve));
  door.dispose();
  await closes;
  assert.ok(!existsSync(file));
  assert.equal(door.at({ host: '127.0.0.1', port: own }), 'closed');
  assert.equal(door.at({ host: '127.0.0.1', port: own + 1 }), undefined);
  for (const closed of [own, port]) await assert.rejects(once(connect(closed, '127.0.0.1'), 'connect'));
});

test('answers no if the port is already in use outside', async (context) => {
  const { token, say } = await open(context, () => assert.fail());
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  context.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const page = `https://a.example/?redirect_uri=${encodeURIComponent(`http://localhost:${port}/`)}`;
  assert.equal(await say(`${token} open ${page}`), 'no\n');
});
