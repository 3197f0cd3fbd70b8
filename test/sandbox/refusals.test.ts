// What programs print when the sandbox has kept something from them, and what Parley says about it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { encloseProgram } from '../../src/sandbox/encloseProgram';
import { refusalsInOutput } from '../../src/sandbox/inside/refusalsInOutput';
import type { HoldingMode } from '../../src/shared/limits/sandbox';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { endBeforeRemoval, tempFolder } from '../unit-support/tempFolder';

void describe('what a sandbox refuses', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  function place(context: TestContext) {
    const root = tempFolder(context);
    const [home, project] = [join(root, 'home'), join(root, 'home', 'project')];
    for (const folder of [project, join(home, '.ssh')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, '.ssh', 'id_ed25519'), 'the key');
    writeFileSync(join(home, 'notes.txt'), 'notes');
    execFileSync('git', ['-C', project, 'init', '--quiet', '--template=']);
    return { home, project };
  }

  function own(project: string, userEnv: Readonly<Record<string, string>>) {
    const nothing = { inner: [], packages: false, localPorts: [] };
    return { ...nothing, folders: [project], userEnv, isUsersChoice: true, keeperPath };
  }

  /** Runs a line in a sandbox and resolves to what it printed, and to what Parley says about it. */
  async function refused(
    context: TestContext,
    mode: HoldingMode,
    line: (place: { readonly home: string; readonly project: string }) => string,
  ) {
    const { home, project } = place(context);
    const userEnv = { PATH: pathForSandbox, HOME: home };
    const program = { command: '/bin/sh', args: ['-c', `exec 2>&1; ${line({ home, project })}`], env: userEnv };
    const enclosed = await encloseProgram(program, { ...own(project, userEnv), mode });
    const { sandbox } = enclosed;
    endBeforeRemoval(context, () => sandbox.dispose());
    const { env } = enclosed;
    const child = spawn(enclosed.command, enclosed.args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const output = await text(child.stdout);
    if (child.exitCode === null) await once(child, 'exit');
    sandbox.ended();
    const said = refusalsInOutput(sandbox.policy, { output, locations: [], cwd: project, home });
    return { home, project, output, said };
  }

  const node = `"${process.execPath}"`;
  const socket = '/run/db.sock';
  const sockets: Readonly<Record<string, { readonly line: string; readonly path: string }>> = {
    'a client of Node': {
      line: `${node} -e "require('net').connect('${socket}')"`,
      path: socket,
    },
    'a server of Node': {
      line: `${node} -e "require('net').createServer().listen('/tmp/tsx.pipe')"`,
      path: '/tmp/tsx.pipe',
    },
  };
  for (const [name, { line, path }] of Object.entries(sockets))
    void it(`tells that the socket of ${name} is blocked`, async (context) => {
      const { said, output } = await refused(context, 'files', () => line);
      assert.deepEqual(said, [{ kind: 'socket', path }], output);
    });

  void it('tells of hidden files, and not of missing ones', async (context) => {
    const { home, said, output } = await refused(
      context,
      'files',
      (at) =>
        `cat ${at.home}/.ssh/id_ed25519 ${at.home}/notes.txt ./missing /missing; ${node} -e "fs.readFileSync('${at.home}/.ssh/config')"`,
    );
    const paths = ['.ssh/config', '.ssh/id_ed25519', 'notes.txt'].map((name) => join(home, name));
    assert.deepEqual(
      said.map(({ kind, path }) => `${kind} ${path}`).toSorted(),
      paths.map((path) => `read ${path}`),
      output,
    );
  });

  void it('tells of hosts that are looked up without the proxy', async (context) => {
    const line = () => `${node} -e "require('net').connect(443, 'a.example')"`;
    const { said, output } = await refused(context, 'filesAndNetwork', line);
    assert.deepEqual(said, [{ kind: 'name', path: 'a.example' }], output);
  });

  for (const [name, line] of Object.entries({
    'remote add': 'git remote add origin https://a.example/b.git',
    'branch -u': 'git remote add origin https://a.example/b.git; git config branch.main.remote origin',
  }))
    void it(`tells that git ${name} can’t write its settings`, async (context) => {
      const { project, said, output } = await refused(context, 'files', () => line);
      assert.deepEqual(said, [{ kind: 'write', path: join(project, '.git', 'config') }], output);
    });

  void it('asks about a local model that the agent’s own settings name', async (context) => {
    const server = createServer((_request, response) => response.end('from the model'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { home, project } = place(context);
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), `base_url = "http://127.0.0.1:${port}/v1"\n`);
    const codex = join(home, '.local', 'bin', 'codex');
    mkdirSync(dirname(codex), { recursive: true });
    const request = `fetch('http://127.0.0.1:${port}/').then((it) => it.text()).then(console.log, () => console.log('none'))`;
    writeFileSync(codex, `#!/bin/sh\nexec ${node} -e "${request}"\n`, { mode: 0o755 });
    const userEnv = { PATH: pathForSandbox, HOME: home };
    for (const allow of [false, true]) {
      const enclosed = await encloseProgram(
        { command: codex, args: [], env: userEnv },
        { ...own(project, userEnv), mode: 'filesAndNetwork' },
      );
      const { sandbox, env } = enclosed;
      endBeforeRemoval(context, () => sandbox.dispose());
      const asked = new Set<string>();
      sandbox.askHost = ({ host, port: at }) => {
        asked.add(`${host}:${at}`);
        return Promise.resolve({ allow });
      };
      const child = spawn(enclosed.command, enclosed.args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
      assert.equal(await text(child.stdout), allow ? 'from the model\n' : 'none\n');
      assert.deepEqual([...asked], [`127.0.0.1:${port}`]);
      sandbox.ended();
    }
  });

  void it('tells that keys are hidden', async (context) => {
    const line = () => 'git ls-remote ssh://git@127.0.0.1:9/a/b.git';
    const { said, output } = await refused(context, 'files', line);
    assert.deepEqual(said, [{ kind: 'key', path: '' }], output);
  });
});
