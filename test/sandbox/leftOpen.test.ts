// What docs/security.md says that a sandbox in the user's own folder leaves open. If one of these fails, the list there has grown too long.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { encloseProgram } from '../../src/sandbox/encloseProgram';
import type { Sandbox } from '../../src/shared/limits/sandbox';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { endBeforeRemoval, tempFolder } from '../unit-support/tempFolder';

interface Place {
  readonly root: string;
  readonly folder: string;
  /** Runs a line inside, and resolves to what it prints. */
  readonly run: (line: string) => Promise<string>;
}

/** What the agent does, and what the user's own programs make of it outside. */
const left: readonly { readonly what: string; readonly line: string; readonly outside: (place: Place) => void }[] = [
  {
    what: 'a guarded file that was not there, which direnv would run',
    line: 'echo "touch ran" > .envrc',
    outside: ({ folder }) => {
      spawnSync('/bin/sh', ['-c', '. ./.envrc'], { cwd: folder });
      assert.ok(existsSync(join(folder, 'ran')));
    },
  },
  {
    what: 'a hard link that was there',
    line: 'echo changed > linked.txt',
    outside: ({ root }) => assert.equal(readFileSync(join(root, 'other', 'original.txt'), 'utf8'), 'changed\n'),
  },
  {
    what: 'a script that the user runs',
    line: `echo '{ "scripts": { "test": "touch ran-test" } }' > package.json`,
    outside: ({ folder }) => {
      spawnSync('npm', ['test'], { cwd: folder });
      assert.ok(existsSync(join(folder, 'ran-test')));
    },
  },
  {
    what: 'attributes and ignored files of Git',
    line: 'echo "*.txt binary" > .gitattributes; echo "*.log" > .gitignore',
    outside: ({ folder }) => {
      const { stdout } = spawnSync('git', ['-C', folder, 'check-attr', 'binary', 'a.txt'], { encoding: 'utf8' });
      assert.match(stdout, /binary: set/);
    },
  },
];

void describe('a sandbox in the user’s own folder leaves open', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  async function start(context: TestContext): Promise<Place> {
    const root = tempFolder(context);
    const [folder, home, other] = ['project', 'home', 'other'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [join(folder, 'node_modules', 'a'), home, other]) mkdirSync(path, { recursive: true });
    spawnSync('git', ['init', '--quiet', '--template=', folder]);
    writeFileSync(join(folder, 'a.txt'), 'a\n');
    writeFileSync(join(folder, 'node_modules', 'a', '.env'), 'TOKEN=a\n');
    writeFileSync(join(other, 'original.txt'), 'original\n');
    linkSync(join(other, 'original.txt'), join(folder, 'linked.txt'));
    const env = { PATH: pathForSandbox, HOME: home };
    const { sandbox } = await encloseProgram(
      { command: '/bin/sh', args: ['-c', 'agent'], env },
      {
        mode: 'files',
        folders: [folder],
        inner: [],
        packages: false,
        localPorts: [],
        keeperPath,
        userEnv: env,
        isUsersChoice: true,
        records: join(root, 'records'),
      },
    );
    endBeforeRemoval(context, () => sandbox.dispose());
    return { root, folder, run: (line) => runInside(sandbox, folder, env, line) };
  }

  for (const { what, line, outside } of left) {
    void it(what, async (context) => {
      const place = await start(context);
      assert.equal(await place.run(line), '');
      outside(place);
    });
  }

  void it('secrets in folders of packages, and those that appear later', async (context) => {
    const { folder, run } = await start(context);
    assert.equal(await run('cat node_modules/a/.env'), 'TOKEN=a\n');
    writeFileSync(join(folder, '.env'), 'TOKEN=late\n');
    assert.equal(await run('cat .env'), 'TOKEN=late\n');
  });

  void it('nothing of what was guarded at its start', async (context) => {
    const { run } = await start(context);
    for (const line of ['echo x >> .git/config', 'echo x > .vscode/tasks.json', 'echo x > .git/hooks/pre-commit'])
      assert.match(await run(`${line} || true`), /Read-only|cannot create|busy/, line);
  });
});

async function runInside(
  sandbox: Sandbox,
  cwd: string,
  env: Readonly<Record<string, string>>,
  line: string,
): Promise<string> {
  const inner = await sandbox.wrap({ file: '/bin/sh', args: ['-c', `{ ${line}; } 2>&1`], env });
  const child = spawn(inner.file, inner.args, { cwd, env: inner.env, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await text(child.stdout);
  if (child.exitCode === null) await once(child, 'exit');
  sandbox.ended();
  return said;
}
