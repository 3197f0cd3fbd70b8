// Ordinary tasks of an agent that works in a sandbox, and what they ask the user.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { keepCopiesIn } from '../../src/git/copyPlaces';
import { encloseProgram } from '../../src/sandbox/encloseProgram';
import type { HoldingMode } from '../../src/shared/limits/sandbox';
import { copyHides } from '../../src/worktree/copy/copyHides';
import { openSource } from '../../src/worktree/copy/copySource';
import { createCopy } from '../../src/worktree/copy/ownCopy';
import { worktreeOf } from '../../src/worktree/made/worktreeOf';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { endBeforeRemoval, tempFolder } from '../unit-support/tempFolder';

interface Task {
  readonly name: string;
  /** Shows that this machine has what the task needs. */
  readonly needs: string;
  readonly line: string;
  /** The end of what it prints. */
  readonly says: RegExp;
}

const commit = 'git -c user.name=Ada -c user.email=ada@example.com';
const wheel = String.raw`
import zipfile
with zipfile.ZipFile('tiny-1.0-py3-none-any.whl', 'w') as whl:
    whl.writestr('tiny.py', 'print("tiny works")\n')
    info = 'tiny-1.0.dist-info/'
    whl.writestr(info + 'METADATA', 'Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n')
    whl.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
    whl.writestr(info + 'RECORD', 'tiny.py,,\n' + info + 'METADATA,,\n' + info + 'WHEEL,,\n' + info + 'RECORD,,\n')
`;
const server = `const http = require('http');
const server = http.createServer((_, answer) => answer.end('served')).listen(0, '127.0.0.1', async () => {
  console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text());
  server.close();
});`;

const tasks: readonly Task[] = [
  {
    name: 'npm install and npm test',
    needs: 'npm --version',
    line: 'cd web && npm install --fetch-retries 0 --no-audit --no-fund --registry http://127.0.0.1:$REGISTRY && npm test --silent',
    says: /tiny works\n$/,
  },
  {
    name: 'commit',
    needs: 'git --version',
    line: `echo two >> a.txt && git add a.txt && ${commit} commit --quiet -m Second && git log --format=%s -1`,
    says: /Second\n$/,
  },
  {
    name: 'rebase',
    needs: 'git --version',
    line: `git checkout --quiet -b side HEAD~1 && echo b > b.txt && git add b.txt && ${commit} commit --quiet -m Side && ${commit} rebase --quiet - && git log --format=%s -2`,
    says: /Side\nSecond\n$/,
  },
  { name: 'a development server', needs: 'node --version', line: `node -e "${server}"`, says: /served\n$/ },
  {
    name: 'a database in memory',
    needs: 'sqlite3 --version',
    line: 'sqlite3 :memory: "create table t(a); insert into t values (42); select a from t"',
    says: /42\n$/,
  },
  {
    name: 'a virtual environment with a wheel',
    needs: 'python3 -c "import venv, ensurepip"',
    line: 'python3 wheel.py && python3 -m venv own && own/bin/pip install --quiet --disable-pip-version-check --no-index tiny-1.0-py3-none-any.whl && own/bin/python -m tiny',
    says: /tiny works\n$/,
  },
  {
    name: 'make and cc',
    needs: 'make --version && cc --version',
    line: 'make --silent hello && ./hello',
    says: /compiled\n$/,
  },
  {
    name: 'cargo',
    needs: 'cargo --version',
    line: 'cargo init --quiet --vcs none --name hello rust && cd rust && cargo run --quiet --offline',
    says: /Hello, world!\n$/,
  },
  {
    name: 'go',
    needs: 'go version',
    line: 'mkdir go && cd go && go mod init hello && printf "package main\\nfunc main() { println(42) }\\n" > main.go && go run . 2>&1',
    says: /42\n$/,
  },
];

const submoduleCommit: Task = {
  name: 'commit in a submodule',
  needs: 'git --version',
  line: `cd lib && echo more >> lib.txt && ${commit} commit --quiet -am More && git log --format=%s -1`,
  says: /More\n$/,
};
/** In the user's own folder, it fails, because it writes settings that are held. A copy has no other submodules. */
const submoduleUpdate: Task = {
  name: 'submodule update',
  needs: 'git --version',
  line: 'test -z "$(git status --porcelain lib)" && git config -f .gitmodules submodule.lib.url http://127.0.0.1:$REGISTRY/lib.git && git submodule sync --quiet && git submodule --quiet update --init && cat lib/lib.txt',
  says: /^lib\n/m,
};

void describe('an ordinary task in a sandbox', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  /** Starts a stand-in for the registry of packages, which has one, and for the server of a library. */
  async function registry(context: TestContext, lib: string): Promise<number> {
    const packed = tempFolder(context);
    mkdirSync(join(packed, 'package'));
    writeFileSync(join(packed, 'package', 'package.json'), '{ "name": "tiny", "version": "1.0.0" }');
    writeFileSync(join(packed, 'package', 'index.js'), 'console.log("tiny works");\n');
    assert.equal(spawnSync('tar', ['-czf', 'tiny.tgz', 'package'], { cwd: packed }).status, 0);
    const tarball = readFileSync(join(packed, 'tiny.tgz'));
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const listening = createServer((request, response) => {
      if (request.url?.startsWith('/lib.git/')) {
        const file = join(lib, '.git', new URL(request.url, 'http://x').pathname.slice('/lib.git/'.length));
        return existsSync(file) ? response.end(readFileSync(file)) : response.writeHead(404).end();
      }
      if (request.url?.endsWith('.tgz')) return response.end(tarball);
      const dist = { tarball: `http://127.0.0.1:${port}/tiny.tgz`, integrity };
      const versions = { '1.0.0': { name: 'tiny', version: '1.0.0', dist } };
      return response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions }));
    });
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    context.after(() => listening.close());
    const { port } = listening.address() as AddressInfo;
    return port;
  }

  function project(context: TestContext) {
    const root = tempFolder(context);
    const [folder, home, lib] = ['project', 'home', 'lib'].map((name) => join(root, name)) as [string, string, string];
    for (const path of [join(folder, 'web'), home, lib]) mkdirSync(path, { recursive: true });
    const git = (at: string, ...args: readonly string[]) => {
      const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'protocol.file.allow=always'];
      const { status, stderr } = spawnSync('git', ['-C', at, ...settings, ...args], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    };
    const files = {
      'a.txt': 'one\n',
      'wheel.py': wheel,
      'hello.c': '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n',
      Makefile: 'hello: hello.c\n\tcc -o hello hello.c\n',
      'web/package.json': JSON.stringify({
        dependencies: { tiny: '1.0.0' },
        scripts: { test: 'node -e "require(\'tiny\')"' },
      }),
      '.gitignore': 'web\nown\nrust\ngo\nhello\n*.whl\n',
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    for (const at of [lib, folder]) git(at, 'init', '--quiet', '--template=');
    writeFileSync(join(lib, 'lib.txt'), 'lib\n');
    git(lib, 'add', '.');
    git(lib, 'commit', '--quiet', '-m', 'Lib');
    git(folder, 'submodule', '--quiet', 'add', lib, 'lib');
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '-m', 'First');
    git(lib, 'update-server-info');
    return { root, folder, home, lib };
  }

  /** Where an agent works, and what it sees of the user's: the project itself, or a copy. */
  async function placeOf(context: TestContext, mode: HoldingMode, root: string, folder: string) {
    if (mode !== 'ownCopy') return { cwd: folder, held: { folders: [folder] } };
    keepCopiesIn(join(root, 'copies'));
    context.after(() => keepCopiesIn(undefined));
    // Git ignores what the tasks need.
    const { record, cwd } = await createCopy(await openSource(folder), ['web/package.json'], 1);
    const hidden = await copyHides(worktreeOf(cwd), [folder]);
    return { cwd, held: { folders: [record.path], hidden } };
  }

  const modes: readonly HoldingMode[] = ['filesAndNetwork', 'ownCopy'];
  for (const mode of modes)
    void it(`works with at most one question each in mode ${mode}`, async (context) => {
      const { root, folder, home, lib } = project(context);
      const port = await registry(context, lib);
      const { cwd, held } = await placeOf(context, mode, root, folder);
      const tools = { RUSTUP_HOME: join(homedir(), '.rustup'), PYENV_ROOT: join(homedir(), '.pyenv') };
      const env = { PATH: pathForSandbox, HOME: home, ...tools };
      const program = { command: '/bin/sh', args: ['-c', 'agent'], env };
      const { sandbox } = await encloseProgram(program, {
        mode,
        ...held,
        inner: [],
        packages: false,
        localPorts: [port],
        keeperPath,
        userEnv: env,
        isUsersChoice: true,
        caches: join(root, 'caches'),
        records: join(root, 'records'),
      });
      endBeforeRemoval(context, () => sandbox.dispose());
      const questions: string[] = [];
      sandbox.askHost = ({ host }) => {
        questions.push(host);
        return Promise.resolve({ allow: false });
      };
      let tried = 0;
      const all = [...tasks, mode === 'ownCopy' ? submoduleUpdate : submoduleCommit];
      for (const { name, needs, line, says } of all) {
        if (spawnSync('/bin/sh', ['-c', needs], { env: { ...env, HOME: homedir() } }).status !== 0) {
          context.diagnostic(`${name}: this machine doesn’t have it`);
          continue;
        }
        tried += 1;
        questions.length = 0;
        const inner = await sandbox.wrap({
          file: '/bin/sh',
          args: ['-c', `{ ${line}; } 2>&1`],
          env: { ...env, REGISTRY: `${port}` },
        });
        const child = spawn(inner.file, inner.args, {
          cwd,
          env: inner.env,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const said = await text(child.stdout);
        assert.match(said, says, `${name}: ${said}`);
        if (child.exitCode === null) await once(child, 'exit');
        sandbox.ended();
        assert.ok(questions.length <= 1, `${name}: ${questions.join(', ')}`);
        context.diagnostic(`${name}: ${questions.length} questions`);
      }
      assert.ok(tried >= 5, 'most tasks are tried');
    });
});
