import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { isGitUsable } from './usableGit';

/** Keeps git from changing the repository on its own and from prompting. */
const quietEnvironment = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: '', LC_ALL: 'C' };

/** Runs git in a folder and resolves to its output, or undefined if git is missing, fails, or times out. */
export function git(folder: string, args: readonly string[], timeoutMs: number): Promise<Buffer | undefined> {
  return run(['-C', folder, ...args], timeoutMs);
}

/** Set once git is known to be usable. Until then, the user may install it. */
let isUsable = false;

/** Runs git without a folder. */
export async function run(args: readonly string[], timeoutMs: number): Promise<Buffer | undefined> {
  isUsable ||= await isGitUsable();
  if (!isUsable) return undefined;
  return new Promise((resolve) => {
    const child = spawn('git', args, {
      env: { ...process.env, ...quietEnvironment },
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

/** Time limit for reading a single blob, in milliseconds. */
const singleMs = 20_000;

/** A long-running `git check-ignore`, so that many paths cost one process. */
export class GitIgnores {
  private readonly child;
  private readonly waiting: ((isIgnored: boolean) => void)[] = [];
  private text = '';

  constructor(folder: string) {
    this.child = spawn('git', ['-C', folder, 'check-ignore', '--stdin', '-z', '-v', '-n', '--no-index'], {
      env: { ...process.env, ...quietEnvironment },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
    this.child.on('error', () => this.giveUp());
    this.child.on('close', () => this.giveUp());
    // `close` reports the exit.
    this.child.stdin.on('error', () => undefined);
  }

  /** Resolves to whether git ignores a path. A folder's path must end with `/`. False if git fails. */
  isIgnored(path: string): Promise<boolean> {
    if (!this.child.stdin.writable) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${path}\0`);
    });
  }

  dispose(): void {
    this.child.stdin.end();
  }

  /**
   * Each answer has four fields: the file of the pattern, its line, the pattern, and the path. Without a match, the first three are empty.
   */
  private receive(chunk: string): void {
    const fields = (this.text + chunk).split('\0');
    this.text = fields.splice(fields.length - 1 - ((fields.length - 1) % 4)).join('\0');
    for (let at = 0; at + 3 < fields.length; at += 4) {
      const pattern = fields[at + 2] ?? '';
      this.waiting.shift()?.(pattern !== '' && !pattern.startsWith('!'));
    }
  }

  private giveUp(): void {
    for (const resolve of this.waiting.splice(0)) resolve(false);
  }
}

/**
 * A long-running `git cat-file --batch`, so that many blobs cost one process. Git reports a blob's size before filters, so the end of the
 * content is marked by the answer to a second request, for an object with an unpredictable name.
 */
export class GitContents {
  private readonly child;
  private readonly mark = `end-${randomUUID()}`;
  private readonly end = Buffer.from(`${this.mark} missing\n`);
  private readonly waiting: ((bytes: Buffer | undefined) => void)[] = [];
  private buffered: Buffer[] = [];
  private length = 0;

  private readonly where: readonly string[];

  /** `where` has the git arguments that select the repository. */
  constructor(where: readonly string[]) {
    this.where = where;
    this.child = spawn('git', [...where, 'cat-file', '--batch', '--filters'], {
      env: { ...process.env, ...quietEnvironment },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.child.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    this.child.on('error', () => this.giveUp());
    this.child.on('close', () => this.giveUp());
    // `close` reports the exit.
    this.child.stdin.on('error', () => undefined);
  }

  /** Resolves to a blob as in the working tree at `path`, with line endings and filters applied, or undefined if git fails. */
  read(blob: string, path: string): Promise<Buffer | undefined> {
    // A request is one line.
    if (/[\n\r]/.test(path)) return run([...this.where, 'cat-file', '--filters', `--path=${path}`, blob], singleMs);
    if (!this.child.stdin.writable) return Promise.resolve(undefined);
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
      // The end marker is in this chunk, or begins less than its own length before it.
      const tail = this.tail(chunk.length + this.end.length);
      const found = tail.indexOf(this.end);
      if (found < 0) return;
      const all = Buffer.concat(this.buffered);
      const at = all.length - tail.length + found;
      this.buffered = [all.subarray(at + this.end.length)];
      this.length = all.length - at - this.end.length;
      this.waiting.shift()?.(contentIn(all.subarray(0, at)));
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

/** Extracts the content from an answer: a header line, the content, and a line feed. */
function contentIn(answer: Buffer): Buffer | undefined {
  const head = answer.indexOf(10);
  if (head < 0 || !/^[0-9a-f]+ blob \d+$/.test(answer.toString('latin1', 0, head))) return undefined;
  return Buffer.from(answer.subarray(head + 1, -1));
}
