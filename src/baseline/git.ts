import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { copyVariables } from './copyPlaces';
import { isGitUsable } from './usableGit';

type Environment = Readonly<Record<string, string | undefined>>;

/** Keeps git from changing the repository on its own and from prompting. */
const quietEnvironment = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: '', LC_ALL: 'C' };

/** What a run of git printed. Without git, `code` is null. */
export interface GitOutput {
  readonly code: number | null;
  readonly out: Buffer;
  /** Empty unless `readsErrors`. */
  readonly err: string;
}

export interface GitOptions {
  /** Defaults to this process's environment without prompts and locks. */
  readonly env?: Environment;
  /** No limit if absent. */
  readonly timeoutMs?: number;
  /** Written to its standard input. */
  readonly input?: string | Uint8Array;
  /** Git may leave a process behind that keeps its errors open, so only who shows them waits for their end. */
  readonly readsErrors?: boolean;
}

/** Runs git in a folder and resolves to its output, or undefined if git is missing, fails, or times out. */
export function git(folder: string, args: readonly string[], timeoutMs: number): Promise<Buffer | undefined> {
  return run(['-C', folder, ...args], timeoutMs);
}

/** Runs git without a folder. `input` is written to its standard input. */
export async function run(args: readonly string[], timeoutMs: number, input = ''): Promise<Buffer | undefined> {
  const { code, out } = await runGit(args, { timeoutMs, input });
  return code === 0 ? out : undefined;
}

/** Set once git is known to be usable. Until then, the user may install it. */
let isUsable = false;

/** Runs git and resolves to what it printed, also if it fails. */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  const nothing = { code: null, out: Buffer.alloc(0) };
  isUsable ||= await isGitUsable();
  if (!isUsable) return { ...nothing, err: '' };
  return new Promise((resolve) => {
    const child = startGit(args, options);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', ({ message }) => resolve({ ...nothing, err: message }));
    child.on('close', (code) => resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString() }));
    child.stdin.end(options.input);
  });
}

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable | null>;

function startGit(args: readonly string[], options: Omit<GitOptions, 'input'> = {}): GitProcess {
  const { env = { ...process.env, ...quietEnvironment }, timeoutMs, readsErrors = false } = options;
  const [option, folder] = args;
  const child = spawn('git', args, {
    env: option === '-C' && folder !== undefined ? { ...env, ...copyVariables(folder) } : env,
    stdio: ['pipe', 'pipe', readsErrors ? 'pipe' : 'ignore'],
    timeout: timeoutMs,
    windowsHide: true,
  }) as GitProcess;
  // `close` reports the exit.
  child.stdin.on('error', () => undefined);
  return child;
}

/**
 * Reads many blobs in one process, and calls `receive` with each one's content in chunks. An empty blob has none. Resolves to false if git
 * fails or times out.
 */
export function eachBlob(
  folder: string,
  blobs: readonly string[],
  timeoutMs: number,
  receive: (blob: string, chunk: Buffer) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = startGit(['-C', folder, 'cat-file', '--batch', '--buffer'], { timeoutMs });
    const answers = new BlobAnswers(receive, () => undefined);
    child.stdout.on('data', (chunk: Buffer) => answers.push(chunk));
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
    child.stdin.end(`${blobs.join('\n')}\n`);
  });
}

/** Splits the output of `git cat-file --batch`: for each object a line with its id, kind, and size, its content, and a line feed. */
class BlobAnswers {
  private readonly receive: (blob: string, chunk: Buffer) => void;
  private readonly ended: (isFound: boolean) => void;
  private head = '';
  private blob = '';
  /** Bytes to come, with the line feed. 0 before a header. */
  private left = 0;

  constructor(receive: (blob: string, chunk: Buffer) => void, ended: (isFound: boolean) => void) {
    this.receive = receive;
    this.ended = ended;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.left === 0) {
        const end = chunk.indexOf(10, at);
        this.head += chunk.toString('latin1', at, end < 0 ? undefined : end);
        if (end < 0) return;
        at = end + 1;
        const [blob = '', kind, size] = this.head.split(' ');
        this.head = '';
        this.blob = blob;
        if (kind === 'blob') this.left = Number(size) + 1;
        else this.ended(false);
        continue;
      }
      const part = chunk.subarray(at, at + this.left);
      this.left -= part.length;
      at += part.length;
      const content = this.left === 0 ? part.subarray(0, -1) : part;
      if (content.length > 0) this.receive(this.blob, content);
      if (this.left === 0) this.ended(true);
    }
  }
}

/** A long-running `git check-ignore`, so that many paths cost one process. */
export class GitIgnores {
  private readonly child;
  private readonly waiting: ((isIgnored: boolean) => void)[] = [];
  private text = '';

  constructor(folder: string) {
    this.child = startGit(['-C', folder, 'check-ignore', '--stdin', '-z', '-v', '-n', '--no-index']);
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
    this.child.on('error', () => this.giveUp());
    this.child.on('close', () => this.giveUp());
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

/** A long-running `git cat-file --batch`, so that many blobs cost one process. */
export class GitContents {
  private readonly child;
  private readonly waiting: ((bytes: Buffer | undefined) => void)[] = [];
  private chunks: Buffer[] = [];

  /** `where` has the git arguments that select the repository. */
  constructor(where: readonly string[]) {
    this.child = startGit([...where, 'cat-file', '--batch']);
    const answers = new BlobAnswers(
      (_, chunk) => this.chunks.push(chunk),
      (isFound) => {
        const bytes = Buffer.concat(this.chunks);
        this.chunks = [];
        this.waiting.shift()?.(isFound ? bytes : undefined);
      },
    );
    this.child.stdout.on('data', (chunk: Buffer) => answers.push(chunk));
    this.child.on('error', () => this.giveUp());
    this.child.on('close', () => this.giveUp());
  }

  /** Resolves to a blob's content without any conversion, or undefined if git fails. */
  read(blob: string): Promise<Buffer | undefined> {
    if (!this.child.stdin.writable) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${blob}\n`);
    });
  }

  dispose(): void {
    this.child.stdin.end();
  }

  private giveUp(): void {
    for (const resolve of this.waiting.splice(0)) resolve(undefined);
  }
}
