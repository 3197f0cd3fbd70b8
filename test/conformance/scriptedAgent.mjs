// An agent without a mind of its own: what it hears goes to the case that runs, byte by byte, and it does what the case says.
// `node scriptedAgent.mjs PORT [argument …]`. Over the socket go lines of JSON: `{ hello }`, `{ heard }` (base64) and `{ stdinEnded }`
// to the case; `{ write, split? }` (base64; the size of the pieces), `{ stderr, times? }`, `{ exit }`, `{ signal }`, `{ ignore }`
// (a signal, or "stdin" for its end) and `{ child }` (source of a Node program) from it.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [port, ...args] = process.argv.slice(2);
const socket = connect(Number(port), '127.0.0.1');
const ignored = new Set();
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);

tell({ hello: { pid: process.pid, args, cwd: process.cwd(), env: { ...process.env } } });
process.stdin.on('data', (chunk) => tell({ heard: chunk.toString('base64') }));
process.stdin.on('end', () => {
  tell({ stdinEnded: true });
  if (!ignored.has('stdin')) socket.end(() => process.exit(0));
});
// Whatever becomes of the case, this process does not outlive it.
socket.on('close', () => process.exit(0));
socket.on('error', () => process.exit(0));

const written = (stream, chunk) => new Promise((resolve) => stream.write(chunk, resolve));
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

async function act({ write, split, stderr, times = 1, exit, signal, ignore, child }) {
  if (write !== undefined) {
    const bytes = Buffer.from(write, 'base64');
    const size = split ?? bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      await written(process.stdout, bytes.subarray(start, start + size));
      if (split) await nextTick();
    }
  }
  if (stderr !== undefined) for (let n = 0; n < times; n++) await written(process.stderr, stderr);
  if (ignore === 'stdin') ignored.add('stdin');
  else if (ignore) process.on(ignore, () => undefined);
  if (child) {
    const program = spawn(process.execPath, ['-e', child], { stdio: ['ignore', 'pipe', 'ignore'] });
    program.stdout.once('data', () => tell({ child: program.pid }));
  }
  if (signal) process.kill(process.pid, signal);
  if (exit !== undefined) process.exit(exit);
}

let queue = Promise.resolve();
createInterface({ input: socket }).on('line', (line) => {
  queue = queue.then(() => act(JSON.parse(line)));
});
