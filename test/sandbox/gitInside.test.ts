// Git works inside, wherever its folder is, and what it tracks can be committed there although a sandbox hides the file.
import assert from 'node:assert/strict';
import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { gitPlaceOf } from '../../src/git/gitPlace';
import { gitViewOf } from '../../src/git/gitView';
import { encloseProgram } from '../../src/sandbox/encloseProgram';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { endBeforeRemoval, tempFolder } from '../unit-support/tempFolder';

interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
}

function git(folder: string, ...args: readonly string[]): string {
  const own = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', ['-C', folder, ...own, ...args], { encoding: 'utf8', stdio: 'pipe' }).trimEnd();
}

function place(context: TestContext): Place {
  const root = realpathSync(tempFolder(context));
  const [home, project] = [join(root, 'home'), join(root, 'home', 'project')];
  mkdirSync(project, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = A\n\temail = a@b.c\n[protocol "file"]\n\tallow = always\n');
  repository(project);
  return { root, home, project };
}

function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main', '--template=');
  write(join(folder, 'a.txt'), 'a\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'one');
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

void describe('git in a sandbox', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  /** Runs lines of a shell in a folder, in a sandbox for it; resolves to what they print. */
  async function inside(
    context: TestContext,
    { root, home }: Place,
    folder: string,
    lines: string,
    isKnown = false,
  ): Promise<string> {
    const userEnv = { PATH: pathForSandbox, HOME: home };
    const program = { command: '/bin/sh', args: ['-c', `exec 2>&1; ${lines}`], env: userEnv };
    const enclosed = await encloseProgram(program, {
      mode: 'files',
      folders: [folder],
      gitView: gitViewOf,
      inner: [],
      packages: false,
      localPorts: [],
      userEnv,
      isUsersChoice: true,
      keeperPath,
      knownGit: isKnown ? [(await gitPlaceOf(folder))!] : [],
      records: join(root, 'records'),
    });
    endBeforeRemoval(context, () => enclosed.sandbox.dispose());
    const child = spawn(enclosed.command, enclosed.args, {
      cwd: folder,
      env: enclosed.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = await text(child.stdout);
    if (child.exitCode === null) await once(child, 'exit');
    enclosed.sandbox.ended();
    return output;
  }

  const commit = 'echo more >> a.txt && git commit -qam two && git log -1 --format=%s';

  void it('commits in a subfolder of a repository, and leaves its hooks alone', async (context) => {
    const at = place(context);
    const web = join(at.project, 'packages', 'web');
    write(join(web, 'a.txt'), 'a\n');
    git(at.project, 'add', '--all');
    git(at.project, 'commit', '--quiet', '-m', 'web');
    for (const name of ['.env', 'packages/api/.env']) write(join(at.project, name), 'D=secret\n');
    write(join(at.project, 'packages/api/b.txt'), 'b\n');
    const more =
      'echo evil > ../../b.txt; echo x >> ../../.git/config; mkdir -p ../../.git/hooks && echo x > ../../.git/hooks/pre-commit';
    const said = await inside(context, at, web, `${commit}; cat ../../.env ../api/.env ../api/b.txt; ${more}`, true);
    assert.doesNotMatch(said, /secret/);
    assert.match(said, /^two\n/);
    assert.equal(said.match(/Read-only file system/g)?.length, 3, said);
    assert.equal(git(at.project, 'show', '--name-only', '--format=%s'), 'two\n\npackages/web/a.txt');
    assert.ok(!existsSync(join(at.project, 'b.txt')));
  });

  void it('commits in a submodule', async (context) => {
    const at = place(context);
    repository(join(at.root, 'library'));
    git(at.project, 'submodule', '--quiet', 'add', join(at.root, 'library'), 'sub');
    const sub = join(at.project, 'sub');
    const said = await inside(context, at, sub, commit, true);
    assert.match(said, /^two\n/);
    assert.match(await inside(context, at, at.project, 'git commit -qam sub && git log -1 --format=%s'), /^sub\n/);
  });

  void it('commits with a separate folder of git', async (context) => {
    const at = place(context);
    const separate = join(at.home, 'gits', 'project');
    mkdirSync(dirname(separate));
    renameSync(join(at.project, '.git'), separate);
    writeFileSync(join(at.project, '.git'), `gitdir: ${separate}\n`);
    const said = await inside(context, at, at.project, `${commit}; echo x >> ${separate}/config`, true);
    assert.match(said, /^two\n[^]*Read-only file system/);
    // A file alone proves nothing.
    assert.doesNotMatch(await inside(context, at, at.project, commit), /two\n/);
  });

  void it('commits in a worktree', async (context) => {
    const at = place(context);
    const tree = join(at.home, 'tree');
    git(at.project, 'worktree', 'add', '--quiet', '-b', 'other', tree);
    assert.match(await inside(context, at, tree, commit), /^two\n/);
  });

  void it('works in a folder that was opened through a link', async (context) => {
    const at = place(context);
    const links = join(at.home, 'links');
    mkdirSync(join(at.home, 'deep'));
    symlinkSync(at.home, links);
    const project = join(links, 'project');
    const said = await inside(context, at, project, `cd ${project} && ${commit} && echo x > ${project}/made.txt`);
    assert.equal(said, 'two\n');
    assert.equal(readFileSync(join(at.project, 'made.txt'), 'utf8'), 'x\n');
  });

  void it('holds a repository whose folder of git is a link', async (context) => {
    const at = place(context);
    const real = join(at.home, 'gits', 'project');
    mkdirSync(join(at.home, 'gits'));
    renameSync(join(at.project, '.git'), real);
    symlinkSync(real, join(at.project, '.git'));
    const evil = `echo x >> .git/config; echo x >> ${real}/config; echo x > .git/hooks/pre-commit`;
    const said = await inside(context, at, at.project, `${commit}; ${evil}`, true);
    assert.match(said, /^two\n/);
    assert.equal(said.match(/Read-only file system/g)?.length, 3, said);
    assert.equal(git(at.project, 'log', '-1', '--format=%s'), 'two');
    // Whoever replaces the link is ended.
    const replaced = 'rm .git; mkdir .git; while [ -d .git ]; do :; done; echo survived';
    assert.doesNotMatch(await inside(context, at, at.project, replaced, true), /survived/);
  });

  void it('shows the committed content of a secret that is tracked', async (context) => {
    const at = place(context);
    write(join(at.project, '.env.development'), 'A=1\n');
    write(join(at.project, 'packages/web/.env'), 'B=1\n');
    git(at.project, 'add', '--all');
    git(at.project, 'commit', '--quiet', '-m', 'secrets');
    git(at.project, 'checkout', '-q', '-b', 'other');
    write(join(at.project, 'c.txt'), 'c\n');
    git(at.project, 'add', '--all');
    git(at.project, 'commit', '--quiet', '-m', 'c');
    git(at.project, 'checkout', '-q', 'main');
    write(join(at.project, '.env.development'), 'A=secret\n');
    write(join(at.project, '.env'), 'C=secret\n');
    const lines = [
      'cat .env.development packages/web/.env; cat .env',
      'echo A=evil > .env.development',
      'git status --porcelain',
      'echo x > new.txt && git add -A && git commit -qm two',
      commit.replace('two', 'three'),
      'echo stashed >> a.txt && git stash -q && git stash pop -q',
      'git commit -qam four && git merge -q --no-edit other && ls c.txt',
      'git show --stat HEAD~3..HEAD --format= -- .env.development packages .env | cat',
    ];
    const said = await inside(context, at, at.project, lines.join('; '));
    assert.match(said, /^A=1\nB=1\n.*\.env.*Permission denied\n.*Read-only file system\n/);
    assert.doesNotMatch(said, /secret|evil|fatal|error:|\.env.* \|/);
    assert.match(said, /c\.txt\n$/);
    assert.equal(readFileSync(join(at.project, '.env.development'), 'utf8'), 'A=secret\n');
    assert.match(git(at.project, 'status', '--porcelain'), /M \.env\.development/);
  });
});
