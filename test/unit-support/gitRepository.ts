import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from './tempFolder';

/** A repository of real git in a folder that is deleted at the end of the test. The folder has room for worktrees beside it. */
export class GitRepository {
  /** The folder around the repository. */
  readonly around: string;
  readonly folder: string;

  constructor(owner: { after(end: () => Promise<void>): void }, name = 'shop') {
    this.around = tempFolder(owner);
    this.folder = join(this.around, name);
    mkdirSync(this.folder);
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.com');
    this.git('config', 'core.autocrlf', 'false');
  }

  git(...args: readonly string[]): string {
    return this.gitIn(this.folder, ...args);
  }

  gitIn(folder: string, ...args: readonly string[]): string {
    const all = ['-C', folder, ...args];
    return execFileSync('git', all, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  }

  write(path: string, content: string | Buffer, folder = this.folder): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }

  read(path: string, folder = this.folder): string {
    return readFileSync(join(folder, path), 'utf8');
  }

  has(path: string, folder = this.folder): boolean {
    return existsSync(join(folder, path));
  }

  commit(message = 'First', folder = this.folder): void {
    this.gitIn(folder, 'add', '--all');
    this.gitIn(folder, 'commit', '--quiet', '--message', message);
  }

  status(folder = this.folder): readonly string[] {
    return this.gitIn(folder, 'status', '--porcelain').split('\n').filter(Boolean);
  }
}
