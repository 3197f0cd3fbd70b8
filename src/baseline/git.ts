import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** Nothing that git runs by itself may change the repository or wait for an answer. */
const calm = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: '', LC_ALL: 'C' };

/** Runs git in a folder and gives what it printed; undefined when there is no git, or it refuses or takes too long. */
export function git(folder: string, args: readonly string[], timeoutMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn('git', ['-C', folder, ...args], {
      env: { ...process.env, ...calm },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : undefined));
  });
}

/**
 * A `git cat-file --batch` that stays, for many contents at the cost of one process. Git names a content's size before its
 * filters, so the end is told by the answer to a question in between, for an object of a name that nobody can guess.
 */
export class GitContents {
  private readonly child;
  private readonly mark = `end-${randomUUID()}`;
  private readonly end = Buffer.from(`${this.mark} missing\n`);
  private readonly waiting: ((bytes: Buffer | undefined) => void)[] = [];
  private buffered: Buffer[] = [];
  private length = 0;

  constructor(folder: string) {
    this.child = spawn('git', ['-C', folder, 'cat-file', '--batch', '--filters'], {
      env: { ...process.env, ...calm },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.child.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    this.child.on('error', () => this.giveUp());
    this.child.on('close', () => this.giveUp());
    // Its end is reported by `close`.
    this.child.stdin.on('error', () => undefined);
  }

  /** A blob as it stands in the working tree at `path`, line ends and filters included; undefined when git cannot tell. */
  read(blob: string, path: string): Promise<Buffer | undefined> {
    if (/[\n\r]/.test(path) || !this.child.stdin.writable) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${blob} ${path}\n${this.mark}\n`);
    });
  }

  dispose(): void {
    this.child.stdin.end();
  }

  private receive(chunk: Buffer): void {
    this.buffered.push(chunk);
    this.length += chunk.length;
    while (this.length > 0) {
      // The end lies in what has just come, or reaches back from it by less than its own length.
      const tail = this.tail(chunk.length + this.end.length);
      const found = tail.indexOf(this.end);
      if (found < 0) return;
      const all = Buffer.concat(this.buffered);
      const at = all.length - tail.length + found;
      this.buffered = [all.subarray(at + this.end.length)];
      this.length = all.length - at - this.end.length;
      this.waiting.shift()?.(contentOf(all.subarray(0, at)));
      chunk = this.buffered[0] ?? chunk;
    }
  }

  private tail(count: number): Buffer {
    const parts: Buffer[] = [];
    let length = 0;
    for (let at = this.buffered.length - 1; at >= 0 && length < count; at--) {
      const part = this.buffered[at];
      if (!part) break;
      parts.unshift(part);
      length += part.length;
    }
    return Buffer.concat(parts);
  }

  private giveUp(): void {
    for (const resolve of this.waiting.splice(0)) resolve(undefined);
  }
}

/** An answer is a head line, the content and a line feed. */
function contentOf(answer: Buffer): Buffer | undefined {
  const head = answer.indexOf(10);
  if (head < 0 || !/^[0-9a-f]+ blob \d+$/.test(answer.toString('latin1', 0, head))) return undefined;
  return Buffer.from(answer.subarray(head + 1, -1));
}
