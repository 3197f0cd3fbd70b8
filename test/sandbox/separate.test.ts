// What sandboxes of different agents, and the user's own programs, don't share.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { encloseProgram } from '../../src/sandbox/encloseProgram';
import type { HoldingMode, Sandbox } from '../../src/shared/limits/sandbox';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { endBeforeRemoval, tempFolder } from '../unit-support/tempFolder';

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly home: string;
}

void describe('a sandbox beside others', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  function place(context: TestContext): Place {
    const root = tempFolder(context);
    const [folder, home] = [join(root, 'project'), join(root, 'home')];
    for (const path of [folder, join(home, '.npm', '_npx', 'abc')]) mkdirSync(path, { recursive: true });
    writeFileSync(join(home, '.npm', '_npx', 'abc', 'prettier.js'), 'the user’s\n');
    return { root, folder, home };
  }

  /** Starts the sandbox of an agent; what it returns runs a line there and resolves to what that printed. */
  async function start(
    context: TestContext,
    at: Place,
    agent: string,
    {
      mode = 'files',
      allowed = [],
      path = pathForSandbox,
    }: { mode?: HoldingMode; allowed?: string[]; path?: string } = {},
  ) {
    const { root, folder, home } = at;
    const env = { PATH: path, HOME: home };
    const { sandbox } = await encloseProgram(
      { ...(agent.startsWith('/') ? { command: agent, args: [] } : { command: '/bin/sh', args: ['-c', agent] }), env },
      {
        allowed,
        mode,
        folders: [folder],
        inner: [],
        packages: true,
        localPorts: [],
        keeperPath,
        userEnv: env,
        isUsersChoice: true,
        caches: join(root, 'storage', 'caches'),
        records: join(root, 'records'),
      },
    );
    endBeforeRemoval(context, () => sandbox.dispose());
    return { sandbox, run: (line: string) => run(sandbox, line, at) };
  }

  async function run(sandbox: Sandbox, line: string, { folder, home }: Place): Promise<string> {
    const env = { PATH: `${join(home, '.local', 'bin')}:${pathForSandbox}`, HOME: home };
    const inner = await sandbox.wrap({ file: '/bin/sh', args: ['-c', `{ ${line}; } 2>&1`], env });
    const child = spawn(inner.file, inner.args, { cwd: folder, env: inner.env, stdio: ['ignore', 'pipe', 'inherit'] });
    const output = await text(child.stdout);
    if (child.exitCode === null) await once(child, 'exit');
    sandbox.ended();
    return output;
  }

  void it('has package caches of its own, which it finds again', async (context) => {
    const at = place(context);
    const own = join(at.home, '.npm', '_npx');
    const first = await start(context, at, 'first');
    const plant = `mkdir -p ${own}/abc && echo evil > ${own}/abc/prettier.js && cat ${own}/abc/prettier.js`;
    assert.equal(await first.run(plant), 'evil\n');
    assert.equal(readFileSync(join(own, 'abc', 'prettier.js'), 'utf8'), 'the user’s\n');
    const second = await start(context, at, 'second');
    assert.match(await second.run(`cat ${own}/abc/prettier.js; ls -A ${at.root}`), /No such file/);
    assert.doesNotMatch(await second.run(`ls -A ${at.root}`), /storage/);
    first.sandbox.dispose();
    const again = await start(context, at, 'first');
    assert.equal(await again.run(`cat ${own}/abc/prettier.js`), 'evil\n');
    for (const cache of ['.cache/pip', '.cargo/registry', 'go/pkg/mod', '.m2/repository'])
      assert.equal(await again.run(`touch ~/${cache}/x && ls ~/${cache}`), 'x\n');
    assert.deepEqual(readdirSync(at.home), ['.npm']);
  });

  for (const mode of ['files', 'filesAndNetwork'] as const) {
    void it(`sees no temporary files of others in mode ${mode}`, async (context) => {
      const at = place(context);
      const others = ['/tmp', '/var/tmp'].map((folder) => mkdtempSync(join(folder, 'parley-other-')));
      context.after(() => others.forEach((folder) => rmSync(folder, { recursive: true })));
      for (const folder of others) writeFileSync(join(folder, 'code'), 'secret\n');
      const login = await start(context, at, 'logs in', { mode });
      await login.sandbox.startLogin(() => Promise.resolve(true));
      const door = (await login.run('echo "$TMPDIR/login"')).trim();
      assert.match(await login.run(`cat ${door}`), /^\d+ [0-9a-f]{32} /);
      const thief = await start(context, at, 'steals', { mode });
      for (const path of [door, ...others.map((folder) => join(folder, 'code'))]) {
        assert.ok(existsSync(path));
        assert.match(await thief.run(`cat ${path}`), /No such file/);
        assert.match(await thief.run(`echo evil > ${path}`), /nonexistent|Read-only file system/);
      }
      assert.doesNotMatch(await thief.run('ls -A /tmp /var/tmp'), /parley-other|vscode/);
    });
  }

  void it('shares its own temporary files with all of its commands', async (context) => {
    const at = place(context);
    const name = `parley-${process.pid}.txt`;
    const { run: inside, sandbox } = await start(context, at, 'agent');
    const told: unknown[] = [];
    const first = new Promise<void>((resolve) => {
      sandbox.onDidBlock((blocked) => {
        told.push(blocked);
        resolve();
      });
    });
    assert.equal(await inside(`for at in /tmp /var/tmp; do echo mine > $at/${name}; done; cat /tmp/${name}`), 'mine\n');
    assert.equal(await inside(`cat /var/tmp/${name} && touch "$TMPDIR/x" && rm /tmp/${name}`), 'mine\n');
    for (const folder of ['/tmp', '/var/tmp']) assert.ok(!existsSync(join(folder, name)));
    // What is certainly reported comes last.
    await inside(`echo x > ${at.root}/out.txt`);
    await first;
    assert.deepEqual(told, [{ kind: 'write', path: join(at.root, 'out.txt') }]);
  });

  void it('can’t move its next command’s folders by a link on their way', async (context) => {
    const at = place(context);
    const { run: inside } = await start(context, at, 'agent');
    const [, way = ''] = /^(\/(?:var\/)?tmp\/[^/]+)\//.exec(at.root) ?? [];
    assert.notEqual(way, '');
    assert.match(await inside(`mv ${way} ${way}-old; rmdir ${way}; ln -sfn ${at.home} ${way}`), /busy|Read-only/);
    assert.equal(await inside('echo here > made.txt; cat made.txt'), 'here\n');
    assert.equal(readFileSync(join(at.folder, 'made.txt'), 'utf8'), 'here\n');
  });

  void it('can’t replace the program that the user starts later', async (context) => {
    const at = place(context);
    const versions = join(at.home, '.local', 'share', 'claude', 'versions');
    const [program, command] = [join(versions, '2.0.1'), join(at.home, '.local', 'bin', 'claude')];
    for (const path of [program, command]) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(program, '#!/bin/sh\necho mine\n', { mode: 0o755 });
    symlinkSync(program, command);
    // Started by its name, or by a package while the user has the command, too.
    const path = `${dirname(command)}:${pathForSandbox}`;
    const adapter = join(at.root, 'node_modules', '@agentclientprotocol', 'claude-agent-acp', 'run');
    mkdirSync(dirname(adapter), { recursive: true });
    writeFileSync(adapter, '#!/bin/sh\n', { mode: 0o755 });
    for (const agent of [command, adapter]) {
      const { run: inside } = await start(context, at, agent, { path });
      const ways = [
        `echo evil > ${program}`,
        `echo evil > ${versions}/2.0.2`,
        `mv ${versions} ${versions}-old`,
        `rm ${program}`,
        `ln -sfn /bin/false ${command}`,
      ];
      for (const way of ways) assert.match(await inside(way), /Read-only|busy|Permission|nonexistent|No such/, way);
      assert.equal(await inside(`echo state > ~/.claude/x; cat ~/.claude/x; claude`), 'state\nmine\n');
      assert.deepEqual([readFileSync(program, 'utf8'), readdirSync(versions)], ['#!/bin/sh\necho mine\n', ['2.0.1']]);
    }
  });

  void it('guards the user’s further folders like the session’s', async (context) => {
    const at = place(context);
    const more = join(at.home, 'more');
    mkdirSync(join(more, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(more, '.git', 'config'), '[core]\n');
    writeFileSync(join(more, '.env'), 'TOKEN=secret\n');
    const { run: inside } = await start(context, at, 'agent', { allowed: ['~/more'] });
    assert.equal(await inside(`echo x > ${more}/made.txt; cat ${more}/made.txt`), 'x\n');
    for (const path of ['.git/hooks/pre-commit', '.git/config', '.vscode/tasks.json', '.idea/x', '.devcontainer/x'])
      assert.match(await inside(`echo evil >> ${more}/${path}`), /Read-only file system/, path);
    assert.doesNotMatch(await inside(`cat ${more}/.env`), /secret/);
    for (const name of ['.vscode', '.idea']) assert.deepEqual(readdirSync(join(more, name)), []);
  });
});
