import { execFileSync } from 'node:child_process';
import type { Workbench } from '../workbench/workbench.mjs';

/** Makes the folder of a window a repository with everything that is in it, and returns a function that runs git there. */
export function commitAll({ folder }: Pick<Workbench, 'folder'>): (...args: string[]) => string {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Me');
  git('config', 'user.email', 'me@example.com');
  git('add', '.');
  git('commit', '-qm', 'First');
  return git;
}
