// An agent in a copy of its own: what it tries from inside, and what it leaves there for programs outside.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it, type TestContext } from 'node:test';
import { GitContents, GitIgnores, eachBlob, git as readGit } from '../../src/baseline/git';
import { copiesFolder, keepCopiesIn } from '../../src/git/copyPlaces';
import { gitPlaceOf } from '../../src/git/gitPlace';
import { worktreeRepository } from '../../src/host/context/mentions/worktreeRepository';
import { encloseProgram } from '../../src/sandbox/encloseProgram';
import { copyHides } from '../../src/worktree/copy/copyHides';
import { openSource } from '../../src/worktree/copy/copySource';
import { snapshot } from '../../src/worktree/made/createWorktree';
import { innerRepositories } from '../../src/worktree/repository/innerRepositories';
import { createCopy } from '../../src/worktree/copy/ownCopy';
import { dirtyFiles, ignoredFiles, openRepository } from '../../src/worktree/repository/repository';
import { worktreeChanges } from '../../src/worktree/bring/worktreeChanges';
import { listWorktrees } from '../../src/worktree/made/worktreeList';
import { worktreeOf } from '../../src/worktree/made/worktreeOf';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { tempFolder } from '../unit-support/tempFolder';
import { machineAround } from './surroundings';

const attacker = resolve('test/sandbox/attacker.mjs');

interface Outcome {
  readonly name: string;
  readonly got?: string;
  readonly error?: string;
}

/** Returns everything about the files of some folders. npm may always write its logs. */
function stateOf(...folders: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const note = (path: string) => {
    const { mode, size } = lstatSync(path);
    const kind = mode & 0o170000;
    const content = kind === 0o100000 ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
    found.set(
      path,
      [mode, kind === 0o040000 ? '' : size, content, kind === 0o120000 ? readlinkSync(path) : ''].join(' '),
    );
    if (kind === 0o040000) for (const name of readdirSync(path)) if (name !== '.npm') note(join(path, name));
  };
  folders.forEach(note);
  return found;
}

void describe('an agent in its own copy', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });
  afterEach(() => keepCopiesIn(undefined));

  /** The user's repository, and an agent's copy of it beside another one. */
  async function start(context: TestContext) {
    const machine = await machineAround(context);
    const { folder: user, home } = machine;
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', user, ...args], { encoding: 'utf8' });
    for (const [name, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.com'],
      ['http.extraHeader', `Authorization: ${machine.marker}`],
    ] as const)
      git('config', name, value);
    writeFileSync(join(user, 'a.txt'), 'the user’s file\n');
    mkdirSync(join(user, 'src'));
    writeFileSync(join(user, 'src', 'b.txt'), 'b\n');
    writeFileSync(join(user, '.gitignore'), '.env\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    writeFileSync(join(user, 'a.txt'), 'the user’s work\n');
    keepCopiesIn(join(user, '..', 'storage', 'copies'));
    await createCopy(await openSource(user), [], 1);
    const { record, cwd } = await createCopy(await openSource(user), [], 2);
    const around = { ...machine, folder: cwd, user, others: copiesFolder() };
    const hides = await copyHides(worktreeOf(cwd), [user]);
    // Most of the machine can be read. This part of it is among temporary files, which can't.
    const hidden = { ...hides, stillReadable: [...hides.stillReadable, machine.outside] };
    const run = async (words: readonly string[]) => {
      const env = { PATH: pathForSandbox, HOME: home, ATTACK: JSON.stringify(around) };
      const enclosed = await encloseProgram(
        { command: process.execPath, args: words, env },
        {
          mode: 'ownCopy',
          folders: [record.path],
          hidden,
          inner: [],
          packages: false,
          localPorts: [],
          keeperPath,
          userEnv: { PATH: pathForSandbox, HOME: home },
          isUsersChoice: true,
        },
      );
      enclosed.sandbox.askHost = () => Promise.resolve({ allow: false });
      const child = spawn(enclosed.command, enclosed.args, {
        cwd,
        env: enclosed.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      if (child.exitCode === null) await once(child, 'exit');
      enclosed.sandbox.dispose();
      assert.equal(child.exitCode, 0, errors);
      return output;
    };
    return { machine, user, record, cwd, run };
  }

  void it('reaches nothing of the user’s from inside', async (context) => {
    const { machine, user, cwd, run } = await start(context);
    const { outside, home } = machine;
    const before = stateOf(user, outside, home);
    const output = await run([attacker, 'writing', 'reading', 'copy']);
    const outcomes = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Outcome);
    assert.ok(outcomes.length >= 110, `${outcomes.length} attempts`);
    assert.deepEqual(
      outcomes.filter(({ got }) => got !== undefined),
      [],
    );
    assert.deepEqual(stateOf(user, outside, home), before);
    assert.deepEqual(machine.reached, []);
    assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'the user’s work\n');
  });

  void it('starts nothing outside, whatever it leaves for git', async (context) => {
    const { machine, user, record, cwd, run } = await start(context);
    const ran = join(machine.home, 'ran');
    const program = join(cwd, 'program.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${ran}'\ncat\n`, { mode: 0o755 });
    await run([attacker, '--traps', program]);
    // The program works, and git would start it.
    spawnSync('git', ['-C', join(cwd, 'sub'), 'status'], { stdio: 'ignore' });
    assert.ok(existsSync(ran));
    execFileSync('rm', [ran]);
    const { outside, home } = machine;
    const before = stateOf(user, outside, home);
    const found = await worktreeChanges({ record });
    assert.ok(found.changes.some(({ path }) => path === 'a.txt'));
    assert.ok(found.changes.every(({ path }) => !path.split('/').includes('.git')));
    await snapshot(record.path);
    await innerRepositories(record.path);
    await listWorktrees(record.path);
    for (const folder of [cwd, 'sub', 'byFile', 'byCommon', 'deep/er/repository', 'src/inner', 'bare'].map((name) =>
      join(cwd, name === cwd ? '' : name),
    )) {
      const repository = await openRepository(folder);
      assert.equal(repository.root, cwd);
      await dirtyFiles(repository);
      await ignoredFiles(repository, ['.env*']);
      await readGit(folder, ['status', '--porcelain=v1', '-uall'], 10_000);
      await readGit(folder, ['diff', 'HEAD'], 10_000);
      const ignores = new GitIgnores(folder);
      await ignores.isIgnored('a.txt');
      ignores.dispose();
      const place = await gitPlaceOf(folder);
      assert.ok(place);
      const contents = new GitContents(place);
      await contents.read(`${record.base}:a.txt`);
      contents.dispose();
      await eachBlob(folder, [`${record.base}:a.txt`], 10_000, () => undefined);
    }
    const repository = await worktreeRepository(cwd);
    await repository.diff();
    await repository.log({ maxEntries: 5 });
    await repository.diffWithHEAD('a.txt');
    assert.equal(existsSync(ran), false, existsSync(ran) ? readFileSync(ran, 'utf8') : '');
    assert.deepEqual(stateOf(user, outside, home), before);
    assert.deepEqual(machine.reached, []);
  });
});
