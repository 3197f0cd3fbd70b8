import { gitPlaceOf, type GitPlace } from '../git/gitPlace';
import { safeGit, startSafely } from '../git/git';

/** Runs git in a folder so that nothing of the repository runs, and resolves to its output, or undefined if git is missing, fails, or times out. */
export async function git(
  folder: string,
  args: readonly string[],
  timeoutMs: number,
  input = '',
): Promise<Buffer | undefined> {
  const { code, out } = await safeGit(folder, args, { timeoutMs, input });
  return code === 0 ? out : undefined;
}

/**
 * Reads many blobs in one process, and calls `receive` with each one's content in chunks. An empty blob has none. Resolves to false if git
 * fails or times out.
 */
export async function eachBlob(
  folder: string,
  blobs: readonly string[],
  timeoutMs: number,
  receive: (blob: string, chunk: Buffer) => void,
): Promise<boolean> {
  const place = await gitPlaceOf(folder);
  const child = place && (await startSafely(place, ['cat-file', '--batch', '--buffer'], { timeoutMs }));
  if (!child) return false;
  return new Promise((resolve) => {
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
    const args = ['check-ignore', '--stdin', '-z', '-v', '-n', '--no-index'];
    this.child = gitPlaceOf(folder).then((place) => place && startSafely(place, args));
    void this.child.then((child) => {
      child?.stdout.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
      child?.on('error', () => this.giveUp());
      child?.on('close', () => this.giveUp());
    });
  }

  /** Resolves to whether git ignores a path. A folder's path must end with `/`. False if git fails. */
  async isIgnored(path: string): Promise<boolean> {
    const child = await this.child;
    if (child?.stdin.writable !== true) return false;
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      child.stdin.write(`${path}\0`);
    });
  }

  dispose(): void {
    void this.child.then((child) => child?.stdin.end());
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

  constructor(place: GitPlace) {
    this.child = startSafely(place, ['cat-file', '--batch']);
    const answers = new BlobAnswers(
      (_, chunk) => this.chunks.push(chunk),
      (isFound) => {
        const bytes = Buffer.concat(this.chunks);
        this.chunks = [];
        this.waiting.shift()?.(isFound ? bytes : undefined);
      },
    );
    void this.child.then((child) => {
      child?.stdout.on('data', (chunk: Buffer) => answers.push(chunk));
      child?.on('error', () => this.giveUp());
      child?.on('close', () => this.giveUp());
    });
  }

  /** Resolves to a blob's content without any conversion, or undefined if git fails. */
  async read(blob: string): Promise<Buffer | undefined> {
    const child = await this.child;
    if (child?.stdin.writable !== true) return undefined;
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      child.stdin.write(`${blob}\n`);
    });
  }

  dispose(): void {
    void this.child.then((child) => child?.stdin.end());
  }

  private giveUp(): void {
    for (const resolve of this.waiting.splice(0)) resolve(undefined);
  }
}
