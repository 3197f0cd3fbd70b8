import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { runBrowser } from './browser';

/** What the program in place of the browser prints for the agent. */
function printed(t: TestContext): string[] {
  const lines: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => lines.push(text));
  return lines;
}

/** A door that gives one answer. */
async function door(t: TestContext, answer: string) {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.once('data', (chunk) => {
      asked.push(String(chunk));
      socket.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const file = join(tempFolder(t), 'door');
  writeFileSync(file, `${(server.address() as AddressInfo).port} secret\n`);
  return { file, asked };
}

test('a browser fails and says why outside of a login', async (t) => {
  const lines = printed(t);
  assert.equal(await runBrowser([join(tempFolder(t), 'missing'), 'https://login.example']), 1);
  assert.deepEqual(lines, ['A browser can be opened from the sandbox only while you log in from the chat.\n']);
});

test('a browser asks the door for its page, in one line', async (t) => {
  const { file, asked } = await door(t, 'ok\n');
  assert.equal(await runBrowser([file, 'https://login.example/a b\nsecret open https://evil.example']), 0);
  assert.deepEqual(asked, ['secret open https://login.example/a%20b%0Asecret%20open%20https://evil.example\n']);
});

test('a browser fails if the user refuses the page', async (t) => {
  const { file } = await door(t, 'no\n');
  const lines = printed(t);
  assert.equal(await runBrowser([file, 'https://login.example']), 1);
  assert.deepEqual(lines, ['The page was not opened.\n']);
});
