// Runs inside of a sandbox, in place of a browser: asks for a page outside, and lets the browser's answer in. Works only
// while a login is in progress.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { shellWord } from '../inside/commandLine';
import { attempt } from '../../shared/values/attempt';

interface Door {
  readonly port: number;
  readonly token: string;
  readonly isProxied: boolean;
}

/** Returns the line of a shell that runs this in place of a browser. `file` says where the door is. */
export function browserScript(node: string, keeper: string, file: string): string {
  const [program, script, door] = [node, keeper, file].map(shellWord);
  return `#!/bin/sh\nexec env NODE_OPTIONS= ELECTRON_RUN_AS_NODE=1 ${program} ${script} browser ${door} "$@"\n`;
}

/** Runs the program with its arguments; resolves to its exit code. */
export async function runBrowser([file = '', address = '', port]: readonly string[]): Promise<number> {
  const door = attempt(() => readDoor(file));
  if (!door) {
    process.stderr.write('A browser can be opened from the sandbox only while you log in from the chat.\n');
    return 1;
  }
  if (port !== undefined) return carry(door, Number(port));
  const [answer, callback] = (await ask(door, address)).trim().split(' ');
  if (answer !== 'ok') {
    process.stderr.write('The page was not opened.\n');
    return 1;
  }
  if (callback !== undefined) {
    // Whoever asked for the page may wait for the end of this process.
    const args = [process.argv[1] ?? '', 'browser', file, address, callback];
    spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
  }
  return 0;
}

function readDoor(file: string): Door {
  const [port, token = '', way] = readFileSync(file, 'utf8').trim().split(' ');
  return { port: Number(port), token, isProxied: way === 'proxy' };
}

async function ask(door: Door, address: string): Promise<string> {
  const socket = await reach(door);
  socket.write(`${door.token} open ${address.replace(/\s/g, encodeURIComponent)}\n`);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

/** Carries connections of the browser to a port inside until the login ends. */
async function carry(door: Door, port: number): Promise<number> {
  for (;;) {
    const outer = await reach(door).catch(() => undefined);
    if (!outer) return 0;
    outer.write(`${door.token} wait\n`);
    const first = await new Promise<Buffer | undefined>((resolve) => {
      outer.once('data', (chunk: Buffer) => {
        outer.pause();
        resolve(chunk);
      });
      outer.once('close', () => resolve(undefined));
    });
    if (first === undefined) return 0;
    const inner = connect(port, '127.0.0.1', () => {
      inner.write(first);
      outer.pipe(inner).pipe(outer);
    });
    // A socket that fails is closed after that.
    inner.on('error', () => undefined);
    outer.on('error', () => undefined);
    inner.once('close', () => outer.destroySoon());
    outer.once('close', () => inner.destroySoon());
  }
}

/** Connects to the door, in a network of its own by the sandbox's proxy. */
function reach({ port, isProxied }: Door): Promise<Socket> {
  const proxy = isProxied ? new URL(process.env['HTTP_PROXY'] ?? '') : undefined;
  return new Promise((resolve, reject) => {
    const socket = connect(proxy ? Number(proxy.port) : port, '127.0.0.1');
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('The connection was closed')));
    if (!proxy) {
      socket.once('connect', () => resolve(socket));
      return;
    }
    const user = Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`);
    const target = `127.0.0.1:${port}`;
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${user.toString('base64')}\r\n\r\n`,
    );
    let head = '';
    // The door says nothing before it is spoken to, so nothing follows the head.
    const read = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      if (/^HTTP\/1\.[01] 200/.test(head)) resolve(socket);
      else socket.destroy();
    };
    socket.on('data', read);
  });
}
