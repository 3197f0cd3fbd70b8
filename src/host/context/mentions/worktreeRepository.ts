import { join } from 'node:path';
import * as vscode from 'vscode';
import { partsOf, plainGit } from '../../../worktree/repository/userGit';
import type { GitCommit, GitRepository } from './gitRepository';

/** What separates the fields of a commit that git prints. */
const separator = '\x1f';

/** Neither of the programs that a repository may name for differences is run. */
const plainDiff = ['diff', '--no-color', '--no-ext-diff', '--no-textconv'];

/** Reads a worktree of Parley's as the git extension would, which doesn't have it open. */
export async function worktreeRepository(root: string): Promise<GitRepository> {
  const list = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'];
  const lines = partsOf(await read(root, list));
  const changes = (wanted: RegExp) =>
    lines.filter((line) => wanted.test(line)).map((line) => ({ uri: vscode.Uri.file(join(root, line.slice(3))) }));
  const diff = async (...args: readonly string[]) => (await read(root, [...plainDiff, ...args])).out.toString();
  return {
    rootUri: vscode.Uri.file(root),
    state: {
      indexChanges: changes(/^[^ ?U]. /),
      workingTreeChanges: changes(/^[^?][^ ] /),
      untrackedChanges: changes(/^\?\? .*[^/]$/s),
    },
    log: ({ maxEntries }) => newest(root, maxEntries),
    diff: (cached = false) => diff(...(cached ? ['--cached', '--'] : ['--'])),
    diffWithHEAD: (path) => diff('HEAD', '--', path),
    diffIndexWithHEAD: (path) => diff('--cached', 'HEAD', '--', path),
  };
}

async function newest(root: string, count: number): Promise<readonly GitCommit[]> {
  const format = ['%H', '%an', '%B'].join('%x1f');
  const printed = partsOf(await read(root, ['log', '-z', `--max-count=${count}`, `--format=${format}`, '--']));
  return printed.map((commit) => {
    const [hash = '', authorName = '', ...message] = commit.split(separator);
    return { hash, authorName, message: message.join(separator) };
  });
}

function read(root: string, args: readonly string[]) {
  return plainGit(root, ['--no-optional-locks', '--literal-pathspecs', ...args]);
}
