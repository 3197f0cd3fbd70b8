// What is held stays held when programs outside replace it, and whatever another sandbox of the folder does.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it, type TestContext } from 'node:test';
import { heldPlaces } from '../../src/sandbox/places/heldPlaces';
import { startSandbox } from '../../src/sandbox/keeper/startSandbox';
import { policyOf } from '../../src/sandbox/places/policy';
import type { Blocked, Sandbox } from '../../src/shared/limits/sandbox';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { endBeforeRemoval, tempFolder } from '../unit-support/tempFolder';

interface Place {
  readonly folder: string;
  readonly home: string;
  readonly records: string;
}

void describe('what a sandbox holds', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  function place(context: TestContext): Place {
    const root = tempFolder(context);
    const [folder, home, records] = ['project', 'home', 'records'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [folder, home]) mkdirSync(path);
    spawnSync('git', ['init', '--quiet', '--template=', folder]);
    writeFileSync(join(folder, '.env'), 'TOKEN=old\n');
    return { folder, home, records };
  }

  async function start(context: TestContext, { folder, home, records }: Place): Promise<Sandbox> {
    const env = { PATH: pathForSandbox, HOME: home };
    const facts = { commands: [['agent'] as const], env, home, packages: false, sharedGit: [], localPorts: [] };
    const policy = policyOf({ mode: 'files', folders: [folder], held: [heldPlaces(folder, { home })], ...facts });
    // The home folder is among temporary files here, which can't be read otherwise.
    const seen = { ...policy, stillReadable: [...(policy.stillReadable ?? []), home] };
    const sandbox = await startSandbox({ policy: seen, keeperPath, env, records });
    endBeforeRemoval(context, () => sandbox.dispose());
    return sandbox;
  }

  /** Starts a shell inside; what it returns runs a line there and resolves to what that printed. */
  async function shell(context: TestContext, sandbox: Sandbox, { folder, home }: Place) {
    const env = { PATH: pathForSandbox, HOME: home };
    const inner = await sandbox.wrap({
      file: '/bin/sh',
      args: ['-c', 'while read -r line; do eval "$line" 2>&1; echo ..; done'],
      env,
    });
    const child = spawn(inner.file, inner.args, { cwd: folder, env: inner.env, stdio: ['pipe', 'pipe', 'inherit'] });
    context.after(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const run = async (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`);
      let output = '';
      for (let next = await lines.next(); next.value !== '..'; next = await lines.next()) {
        assert.ok(next.done !== true, `The shell inside has ended: ${output}`);
        output += `${next.value}\n`;
      }
      return output;
    };
    await run('true');
    return { run, child };
  }

  /**
   * Runs a line until its output matches: what lost its hold gets it again in some milliseconds. The line must not open the place: whoever has
   * it open by then is ended.
   */
  async function untilHeld(run: (line: string) => Promise<string>, line: string, held: RegExp): Promise<void> {
    while (!held.test(await run(line))) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Replaces a file as git and editors do. */
  function replace(path: string, text: string): void {
    writeFileSync(`${path}.lock`, text);
    renameSync(`${path}.lock`, path);
  }

  void it('keeps git’s settings read-only when git outside changes them', async (context) => {
    const at = place(context);
    const sandbox = await start(context, at);
    const { run } = await shell(context, sandbox, at);
    const config = join(at.folder, '.git', 'config');
    for (const name of ['one', 'two', 'three']) {
      spawnSync('git', ['-C', at.folder, 'config', `branch.${name}.remote`, 'origin']);
      const before = readFileSync(config, 'utf8');
      await untilHeld(run, 'touch -c .git/config', /Read-only file system/);
      assert.match(await run('echo evil >> .git/config'), /Read-only file system/);
      assert.match(await run('mv .git/config .git/old'), /busy/);
      assert.equal(readFileSync(config, 'utf8'), before);
    }
  });

  void it('hides secrets that programs outside save anew or create', async (context) => {
    const at = place(context);
    const sandbox = await start(context, at);
    const { run } = await shell(context, sandbox, at);
    const secrets = [
      join(at.folder, '.env'),
      ...['.npmrc', '.netrc', '.docker/config.json'].map((name) => join(at.home, name)),
    ];
    mkdirSync(join(at.home, '.docker'));
    for (const round of ['first', 'second']) {
      for (const path of secrets) {
        replace(path, `TOKEN=${round}\n`);
        await untilHeld(run, `stat -c %F ${path}`, /special file/);
        assert.match(await run(`cat ${path}`), /Permission denied/);
        assert.equal(readFileSync(path, 'utf8'), `TOKEN=${round}\n`);
      }
    }
  });

  void it('hides a folder of secrets that is made anew', async (context) => {
    const at = place(context);
    mkdirSync(join(at.home, '.ssh'));
    const sandbox = await start(context, at);
    const { run } = await shell(context, sandbox, at);
    rmSync(join(at.home, '.ssh'), { recursive: true });
    mkdirSync(join(at.home, '.ssh'));
    writeFileSync(join(at.home, '.ssh', 'id_rsa'), 'secret\n');
    await untilHeld(run, `stat ${at.home}/.ssh/id_rsa`, /No such file/);
  });

  void it('lets nobody make the editor’s settings once they were removed', async (context) => {
    const at = place(context);
    mkdirSync(join(at.folder, '.vscode'));
    const sandbox = await start(context, at);
    const { run } = await shell(context, sandbox, at);
    for (const name of ['.vscode', '.idea']) {
      rmSync(join(at.folder, name), { recursive: true });
      await untilHeld(run, `[ -d ${name} ] && [ ! -w ${name} ] && echo held`, /held/);
      assert.match(await run(`echo evil > ${name}/tasks.json`), /Read-only file system/);
      assert.deepEqual(readdirSync(join(at.folder, name)), []);
    }
  });

  void it('keeps its folders while another sandbox of the folder ends', async (context) => {
    const at = place(context);
    const first = await start(context, at);
    const second = await start(context, at);
    const { run } = await shell(context, first, at);
    const other = await shell(context, second, at);
    other.child.kill('SIGKILL');
    await once(other.child, 'close');
    second.ended();
    second.dispose();
    while (readdirSync(at.records).length > 1) await new Promise((resolve) => setImmediate(resolve));
    for (const name of ['.vscode', '.idea', '.devcontainer', '.git/hooks'])
      assert.match(await run(`mkdir -p ${name}; echo evil > ${name}/tasks.json`), /Read-only file system/);
    assert.equal(
      spawnSync('git', ['-C', at.folder, 'status', '--porcelain'], { encoding: 'utf8' }).stdout,
      '?? .env\n',
    );
    first.dispose();
    while (readdirSync(at.records).length > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const name of ['.vscode', '.idea', '.devcontainer']) assert.ok(!existsSync(join(at.folder, name)), name);
  });

  void it('ends when a link to a guarded place is replaced', async (context) => {
    const at = place(context);
    const elsewhere = tempFolder(context);
    symlinkSync(elsewhere, join(at.folder, '.vscode'));
    const sandbox = await start(context, at);
    const told = new Promise<Blocked>((resolve) => {
      sandbox.onDidBlock((blocked) => blocked.kind === 'lost' && resolve(blocked));
    });
    const { run, child } = await shell(context, sandbox, at);
    const ended = once(child, 'exit');
    // It may end in the middle of the line.
    await run('rm .vscode; mkdir .vscode; echo evil > .vscode/tasks.json').catch(() => undefined);
    await ended;
    assert.deepEqual(await told, { kind: 'lost', path: join(at.folder, '.vscode') });
  });

  void it('hides what a link with a secret’s name leads to', async (context) => {
    const at = place(context);
    const shared = join(at.home, 'shared.env');
    writeFileSync(shared, 'TOKEN=shared\n');
    rmSync(join(at.folder, '.env'));
    symlinkSync(shared, join(at.folder, '.env'));
    const { run } = await shell(context, await start(context, at), at);
    assert.doesNotMatch(await run(`cat .env ${shared}`), /TOKEN/);
    replace(shared, 'TOKEN=new\n');
    await untilHeld(run, `stat -L -c %F .env ${shared}`, /special file\n[^]*special file/);
    assert.match(await run(`cat .env ${shared}`), /Permission denied[^]*Permission denied/);
  });

  void it('holds thousands of files and folders', async (context) => {
    const at = place(context);
    for (let n = 0; n < 1600; n += 1) writeFileSync(join(at.folder, `a${n}.pem`), 'secret');
    for (let n = 0; n < 5001; n += 1) mkdirSync(join(at.folder, 'many', `f${n}`), { recursive: true });
    mkdirSync(join(at.folder, 'z', '.vscode'), { recursive: true });
    const { run } = await shell(context, await start(context, at), at);
    assert.doesNotMatch(await run('cat *.pem'), /secret/);
    assert.match(await run('echo evil > z/.vscode/tasks.json'), /Read-only file system/);
  });
});
