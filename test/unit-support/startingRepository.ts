import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './tempFolder';

/** A place where an agent can put a repository, or settings of one, that git in the opened folder reads. */
export const waysIn = [
  'settings',
  'settings of a worktree',
  'a nested repository',
  'a new repository',
  'a file that leads to a repository',
  'a file that leads to shared settings',
  'a submodule',
  "a worktree's shared settings",
  'hooks of the repository',
  'included settings',
] as const;

export type WayIn = (typeof waysIn)[number];

/** A workspace whose repository starts a program as soon as git reads what an agent has put there. */
export class StartingRepository {
  readonly folder: string;
  /** The folder in which git is to be started. */
  readonly inner: string;
  private readonly traces: string;
  private readonly script: string;

  constructor(owner: { after(end: () => Promise<void>): void }, way: WayIn) {
    const around = tempFolder(owner);
    this.folder = join(around, 'work');
    this.traces = join(around, 'started');
    this.script = join(around, 'x.sh');
    // Git's protocol of filters and monitors isn't spoken: that it was started is enough.
    writeFileSync(this.script, `#!/bin/sh\necho "$0 $*" >> '${this.traces}'\nexit 0\n`);
    chmodSync(this.script, 0o755);
    this.inner = this.make(way);
  }

  /** Which programs were started since the last question, one a line. */
  started(): string {
    const lines = existsSync(this.traces) ? readFileSync(this.traces, 'utf8') : '';
    rmSync(this.traces, { force: true });
    return lines;
  }

  git(folder: string, ...args: readonly string[]): string {
    const own = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', ['-C', folder, ...own, ...args], { encoding: 'utf8', stdio: 'pipe' });
  }

  private make(way: WayIn): string {
    const { folder } = this;
    const inner = join(folder, 'sub');
    const plain = (place: string) => {
      mkdirSync(place, { recursive: true });
      this.git(place, 'init', '--quiet', '--initial-branch=main');
      this.fill(place);
    };
    if (way !== 'a new repository') plain(folder);
    switch (way) {
      case 'settings':
        return this.configure(join(folder, '.git/config'), folder);
      case 'settings of a worktree':
        this.git(folder, 'config', 'extensions.worktreeConfig', 'true');
        return this.configure(join(folder, '.git/config.worktree'), folder);
      case 'included settings':
        this.git(folder, 'config', 'include.path', '../own.config');
        return this.configure(join(folder, 'own.config'), folder);
      case 'hooks of the repository':
        for (const name of hooks)
          writeFileSync(join(folder, '.git/hooks', name), readFileSync(this.script), { mode: 0o755 });
        return this.change(folder);
      case 'a new repository':
        plain(folder);
        return this.configure(join(folder, '.git/config'), folder);
      case 'a nested repository':
        plain(inner);
        return this.configure(join(inner, '.git/config'), inner);
      case 'a file that leads to a repository': {
        const other = join(folder, 'other');
        plain(other);
        mkdirSync(inner);
        writeFileSync(join(inner, '.git'), 'gitdir: ../other/.git\n');
        return this.configure(join(other, '.git/config'), inner);
      }
      case 'a file that leads to shared settings':
        return this.lead(join(folder, '.git'), folder);
      case 'a submodule': {
        const library = join(folder, '..', 'library');
        plain(library);
        this.git(folder, 'submodule', '--quiet', 'add', library, 'sub');
        this.git(folder, 'commit', '--quiet', '-m', 'sub');
        return this.configure(join(folder, '.git/modules/sub/config'), inner);
      }
      case "a worktree's shared settings":
        this.git(folder, 'worktree', 'add', '--quiet', '--detach', inner);
        return this.lead(join(folder, '.git/worktrees/sub'), inner);
    }
  }

  /** Makes a folder of git take its settings from another repository. */
  private lead(gitFolder: string, tree: string): string {
    const other = join(this.folder, 'other');
    this.git(this.folder, 'clone', '--quiet', '--bare', this.folder, other);
    writeFileSync(join(gitFolder, 'commondir'), `${other}\n`);
    return this.configure(join(other, 'config'), tree);
  }

  private fill(place: string): void {
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(place, name), `${name}\n`);
    this.git(place, 'add', '--all');
    this.git(place, 'commit', '--quiet', '-m', 'one');
  }

  /** Writes settings that start a program wherever git can. Returns the folder. */
  private configure(config: string, tree: string): string {
    const run = this.script.replace(/"/g, '\\"');
    const hookFolder = join(this.folder, '..', 'hooks');
    mkdirSync(hookFolder, { recursive: true });
    for (const name of hooks) writeFileSync(join(hookFolder, name), readFileSync(this.script), { mode: 0o755 });
    const sections = {
      core: {
        fsmonitor: run,
        hooksPath: hookFolder,
        pager: run,
        editor: run,
        sshCommand: run,
        gitProxy: run,
        askPass: run,
      },
      'filter "x"': { clean: run, smudge: run, process: run, required: 'true' },
      'diff "x"': { textconv: run, command: run },
      diff: { external: run, ignoreSubmodules: 'none' },
      'merge "x"': { driver: `${run} %A` },
      gpg: { program: run },
      commit: { gpgSign: 'true' },
      log: { showSignature: 'true' },
      credential: { helper: run },
      interactive: { diffFilter: run },
      sequence: { editor: run },
      alias: { status: `!${run}`, 'ls-files': `!${run}` },
      'remote "origin"': { url: `ext::${run}`, promisor: 'true', partialclonefilter: 'blob:none', uploadpack: run },
      protocol: { allow: 'always' },
      uploadpack: { packObjectsHook: run },
      gc: { auto: '1' },
    };
    for (const [section, values] of Object.entries(sections)) {
      const lines = Object.entries(values).map(([name, value]) => `\t${name} = "${value}"\n`);
      appendFileSync(config, `[${section}]\n${lines.join('')}`);
    }
    return this.change(tree);
  }

  /** Changes a file, so that git has to look at it, and gives all files the attributes that name programs. */
  private change(tree: string): string {
    writeFileSync(join(tree, 'a.txt'), 'changed\n');
    writeFileSync(join(tree, 'new.txt'), 'new\n');
    writeFileSync(join(tree, '.gitattributes'), '* filter=x diff=x merge=x\n');
    rmSync(this.traces, { force: true });
    return tree;
  }
}

const hooks = [
  'post-index-change',
  'reference-transaction',
  'post-checkout',
  'pre-auto-gc',
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-merge-commit',
  'post-merge',
  'fsmonitor-watchman',
];
