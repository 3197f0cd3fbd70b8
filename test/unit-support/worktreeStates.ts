import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitRepository } from './gitRepository';
import { attempt } from '../../src/shared/values/attempt';

/** A worktree that an agent brings into some state. Texts are different each time, so that none is elsewhere by chance. */
export interface Agent {
  /** Runs git. What isn't possible in a state isn't done. */
  readonly git: (...args: readonly string[]) => string;
  /** Runs git in a folder inside the worktree. */
  readonly gitIn: (folder: string, ...args: readonly string[]) => string;
  /** Writes a new text to a file of the worktree. */
  readonly write: (path: string) => void;
  /** Commits everything. */
  readonly commit: () => void;
  readonly worktree: string;
  /** Another repository beside the user's, which submodules are made of. */
  readonly other: string;
}

/** Returns an agent in a worktree of a repository. */
export function agentIn(repository: GitRepository, worktree: string, other: string): Agent {
  let count = 0;
  const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'protocol.file.allow=always'];
  const gitIn = (folder: string, ...args: readonly string[]) =>
    attempt(() => repository.gitIn(join(worktree, folder), ...as, ...args)) ?? '';
  const git = (...args: readonly string[]) => gitIn('', ...args);
  return {
    git,
    gitIn,
    write: (path) => attempt(() => repository.write(path, `text ${++count} of ${path}\n`, worktree)),
    commit: () => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', `Commit ${++count}`);
    },
    worktree,
    other,
  };
}

/** Makes a repository inside the worktree, with a commit. */
function makeInside({ git, gitIn, write }: Agent, folder: string): void {
  git('init', '--quiet', folder);
  write(`${folder}/page.txt`);
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '--message', `Inside ${folder}`);
}

function addModule({ git, other }: Agent): void {
  git('submodule', '--quiet', 'add', other, 'lib');
  git('commit', '--quiet', '--message', 'Module');
}

/** Begins what ends in a conflict of `tracked.txt` with another branch. */
function conflict(agent: Agent, ...args: readonly string[]): void {
  agent.write('tracked.txt');
  agent.commit();
  agent.git(...args);
}

/** What an agent can make of a worktree, by name. They are applied together in any order. */
export const worktreeStates: Readonly<Record<string, (agent: Agent) => void>> = {
  'an untracked file': ({ write }) => write('new.txt'),
  'an untracked file in folders': ({ write }) => write('deep/er/new.txt'),
  'a changed file': ({ write }) => write('tracked.txt'),
  'a deleted file': ({ worktree }) => rmSync(join(worktree, 'tracked.txt'), { force: true }),
  'a renamed file': ({ worktree }) =>
    attempt(() => renameSync(join(worktree, 'src/a.txt'), join(worktree, 'moved.txt'))),
  'a staged file': ({ write, git }) => {
    write('staged.txt');
    git('add', 'staged.txt');
  },
  'a file that changed after it was staged': ({ write, git }) => {
    write('twice.txt');
    git('add', 'twice.txt');
    write('twice.txt');
  },
  'a staged deletion of a file that is there': ({ git, write }) => {
    git('rm', '--quiet', '--cached', 'src/b.txt');
    write('src/b.txt');
  },
  'a file that is only announced': ({ git, write }) => {
    write('announced.txt');
    git('add', '--intent-to-add', 'announced.txt');
  },
  'an executable file': ({ write, worktree }) => {
    write('run.sh');
    attempt(() => chmodSync(join(worktree, 'run.sh'), 0o755));
  },
  'a link': ({ worktree }) => attempt(() => symlinkSync('tracked.txt', join(worktree, 'link'))),
  'a link that leads out': ({ worktree, other }) => attempt(() => symlinkSync(other, join(worktree, 'out'))),
  'a file in the place of a folder': ({ worktree, write }) => {
    rmSync(join(worktree, 'src'), { recursive: true, force: true });
    write('src');
  },
  'a folder in the place of a file': ({ worktree, write }) => {
    rmSync(join(worktree, 'tracked.txt'), { recursive: true, force: true });
    write('tracked.txt/inside.txt');
  },
  'an ignored file': ({ write }) => write('.env'),
  'an ignored folder': ({ write }) => write('vendor/package/index.js'),
  'an ignored file that is tracked': ({ write, git }) => {
    write('forced.env');
    git('add', '--force', 'forced.env');
    git('commit', '--quiet', '--message', 'Forced');
    write('forced.env');
  },
  'a list of ignored files of its own': ({ write, worktree }) => {
    write('kept/hidden.log');
    attempt(() => symlinkSync('nowhere', join(worktree, 'kept/.gitignore')));
  },
  'names with other letters': ({ write }) => ['ü ñ 😀.txt', '-dash.txt', '[a]*.txt', '#x.txt'].forEach(write),
  'names that are magic to Git': ({ write }) => ['(top)x.txt', '!not.txt', 'a^b~1.txt'].forEach(write),
  'an empty file': ({ worktree, git }) => void git('-C', worktree, 'hash-object', '-w', '/dev/null'),
  'lines that Git converts': ({ write }) => write('crlf.bat'),
  'a changed file that Git skips': ({ git, write }) => {
    git('update-index', '--skip-worktree', 'src/a.txt');
    write('src/a.txt');
  },
  'a changed file that Git takes for unchanged': ({ git, write }) => {
    git('update-index', '--assume-unchanged', 'src/b.txt');
    write('src/b.txt');
  },
  'an unchanged file that Git skips': ({ git }) => void git('update-index', '--skip-worktree', 'src/c.txt'),
  'a sparse checkout': ({ git }) => void git('sparse-checkout', 'set', 'src'),
  'a commit': ({ write, commit }) => {
    write('done.txt');
    commit();
  },
  'three commits': ({ write, commit }) => {
    for (const name of ['one', 'two', 'three']) {
      write(`${name}.txt`);
      commit();
    }
  },
  'a detached head': ({ git }) => void git('checkout', '--quiet', '--detach'),
  'an older commit': ({ git }) => void git('checkout', '--quiet', '--detach', 'HEAD~1'),
  'a commit on a detached head': ({ git, write, commit }) => {
    git('checkout', '--quiet', '--detach');
    write('detached.txt');
    commit();
  },
  'another branch': ({ git, write, commit }) => {
    git('switch', '--quiet', '--create', 'mine');
    write('mine.txt');
    commit();
  },
  'a branch without a commit': ({ git, write }) => {
    git('checkout', '--quiet', '--orphan', 'fresh');
    write('fresh.txt');
  },
  'a deleted branch': ({ git }) => {
    git('checkout', '--quiet', '--detach');
    git('branch', '--quiet', '-D', 'parley/fix');
  },
  'a renamed branch': ({ git }) => void git('branch', '--move', 'parley/fix', 'renamed'),
  'a stash': ({ git, write }) => {
    write('tracked.txt');
    git('stash', '--quiet');
  },
  'a stash of untracked files': ({ git, write }) => {
    write('new.txt');
    git('stash', '--quiet', '--include-untracked');
  },
  'a stash that conflicts': ({ git, write, commit }) => {
    write('tracked.txt');
    git('stash', '--quiet');
    write('tracked.txt');
    commit();
    git('stash', 'pop', '--quiet');
  },
  'a tag': ({ git, write, commit }) => {
    write('tagged.txt');
    commit();
    git('tag', '--force', 'v1');
    git('reset', '--quiet', '--hard', 'HEAD~1');
  },
  'a name that only the worktree has': ({ git, write, commit }) => {
    write('private.txt');
    commit();
    git('update-ref', 'refs/worktree/private', 'HEAD');
    git('reset', '--quiet', '--hard', 'HEAD~1');
  },
  'a merge with conflicts': (agent) => conflict(agent, 'merge', '--quiet', 'theirs'),
  'a rebase with conflicts': (agent) => conflict(agent, 'rebase', '--quiet', 'theirs'),
  'a rebase that set changes aside': (agent) => {
    conflict(agent, 'status');
    agent.write('src/a.txt');
    agent.git('rebase', '--quiet', '--autostash', 'theirs');
  },
  'a picked commit with conflicts': (agent) => conflict(agent, 'cherry-pick', 'theirs'),
  'a search for a commit': ({ git, write, commit }) => {
    write('searched.txt');
    commit();
    git('bisect', 'start', 'HEAD', 'HEAD~1');
  },
  'a repository inside': (agent) => makeInside(agent, 'web'),
  'a repository without a commit inside': ({ git, write }) => {
    git('init', '--quiet', 'empty');
    write('empty/draft.txt');
  },
  'an ignored repository inside': (agent) => makeInside(agent, 'vendor/tool'),
  'a repository inside with a stash': (agent) => {
    makeInside(agent, 'site');
    agent.write('site/page.txt');
    agent.gitIn('site', 'stash', '--quiet');
  },
  'a link to a repository inside': (agent) => {
    makeInside(agent, 'linked');
    agent.commit();
    agent.write('linked/new.txt');
  },
  'a repository around tracked files': (agent) => makeInside(agent, 'src'),
  'a bare repository inside': ({ git }) => void git('init', '--quiet', '--bare', 'bare.git'),
  'a clone inside': ({ git, other }) => void git('clone', '--quiet', other, 'copy'),
  'a worktree inside': ({ git, write }) => {
    git('worktree', 'add', '--quiet', '-b', 'inner', 'inner');
    write('inner/new.txt');
  },
  'a file in the place of a repository': ({ worktree, write }) => {
    mkdirSync(join(worktree, 'odd'), { recursive: true });
    write('odd/.git');
  },
  'a folder with the name of a repository’s': ({ write }) => write('odd/.git/notes.txt'),
  'a submodule': (agent) => addModule(agent),
  'a submodule with a commit': (agent) => {
    addModule(agent);
    agent.write('lib/more.txt');
    agent.gitIn('lib', 'add', '--all');
    agent.gitIn('lib', 'commit', '--quiet', '--message', 'More');
  },
  'a submodule with a stash': (agent) => {
    addModule(agent);
    agent.write('lib/lib.txt');
    agent.gitIn('lib', 'stash', '--quiet');
  },
  'a submodule with a changed file': (agent) => {
    addModule(agent);
    agent.write('lib/lib.txt');
  },
  'a submodule with a new file': (agent) => {
    addModule(agent);
    agent.write('lib/new.txt');
  },
  'a lock': ({ git, worktree }) => void git('worktree', 'lock', dirname(join(worktree, 'x'))),
};
