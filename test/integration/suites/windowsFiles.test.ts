import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, promises as fs } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { suite, test, type TestContext } from '../api';
import { Agent, file, newAgent, onDisk, removeFolder, scratchFolder, show, type } from '../filesSupport';
import { needsWindows } from '../platform';

/** The path with the other case of each letter, the one of the drive included. */
function inOtherCase(path: string): string {
  return path.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

suite('files of Windows', () => {
  test('a path in other spellings refers to the same document', async (context) => {
    needsWindows(context);
    const path = await file(await scratchFolder(context), 'Case.txt', 'one\r\n');
    await type(await show(path), 0, 0, 'typed ');
    const agent = newAgent(context);
    for (const spelling of [inOtherCase(path), path.replaceAll('\\', '/'), `\\\\?\\${path}`])
      assert.equal(await agent.read(spelling), 'typed one\r\n', spelling);
    await agent.write(inOtherCase(path), 'typed ONE\r\n');
    assert.deepEqual(await readdir(dirname(path)), ['Case.txt']);
    assert.equal(await agent.read(path), 'typed ONE\r\n');
  });

  test('reads and writes a path of more than 260 characters', async (context) => {
    needsWindows(context);
    const folder = join(
      await scratchFolder(context),
      ...Array.from({ length: 6 }, () => 'a-folder-with-a-long-name-'.repeat(2)),
    );
    await mkdir(folder, { recursive: true });
    const path = await file(folder, 'long.txt', 'old\n');
    assert.ok(path.length > 260);
    const agent = newAgent(context);
    assert.equal(await agent.read(path), 'old\n');
    await agent.write(path, 'new\n');
    assert.equal(await onDisk(path), 'new\n');
  });

  test('streams and devices are refused', async (context) => {
    needsWindows(context);
    const path = await file(await scratchFolder(context), 'plain.txt', 'text\n');
    const agent = newAgent(context);
    for (const strange of [`${path}:hidden`, `${path}::$DATA`, join(dirname(path), 'NUL'), `${path}.`]) {
      await assert.rejects(agent.write(strange, 'x'), strange);
      await assert.rejects(agent.read(strange), strange);
    }
    assert.equal(await onDisk(path), 'text\n');
  });

  test("keeps a read-only file's text and tells the agent why", async (context) => {
    needsWindows(context);
    const path = await file(await scratchFolder(context), 'readonly.txt', 'old\n');
    await chmod(path, 0o444);
    context.after(() => chmod(path, 0o666));
    await assert.rejects(newAgent(context).write(path, 'new\n'), new RegExp(basename(path)));
    assert.equal(await readFile(path, 'utf8'), 'old\n');
    assert.deepEqual(await readdir(dirname(path)), ['readonly.txt']);
  });

  test('writes a file that another program is reading', async (context) => {
    needsWindows(context);
    const path = await file(await scratchFolder(context), 'held.txt', 'old\n');
    const holds = `require('fs').openSync(${JSON.stringify(path)}); process.stdin.resume(); process.stdout.write('open')`;
    const holder = spawn(process.execPath, ['-e', holds], { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(holder, 'exit');
    context.after(() => holder.kill());
    await once(holder.stdout, 'data');
    await newAgent(context).write(path, 'new\n');
    holder.stdin.end();
    await ended;
    assert.equal(await onDisk(path), 'new\n');
  });

  test("keeps a locked file's text and writes it once it is free", async (context) => {
    needsWindows(context);
    const path = await file(await scratchFolder(context), 'locked.txt', 'old\n');
    const agent = newAgent(context);
    const lock = openSync(path, exclusive);
    try {
      await assert.rejects(agent.read(path), /locked\.txt/);
      await assert.rejects(agent.write(path, 'new\n'), /locked\.txt/);
    } finally {
      closeSync(lock);
    }
    assert.deepEqual([await onDisk(path), await readdir(dirname(path))], ['old\n', ['locked.txt']]);
    await agent.write(path, 'new\n');
    assert.equal(await onDisk(path), 'new\n');
  });

  test('opens no file on another machine before the user allows it', async (context) => {
    needsWindows(context);
    const share = await shareOf(context);
    await writeFile(join(share, 'far.txt'), 'far\r\n');
    const path = join(share, 'far.txt');
    const looks = watchLooks(context, share);
    const careful = newAgent(context, 'ask', 'reject', 'reject');
    await assert.rejects(careful.read(path), /denied permission to read/);
    await assert.rejects(careful.write(path, 'x'), /denied permission to write/);
    await assert.rejects(newAgent(context, 'deny').read(path), /settings deny access/);
    assert.deepEqual(looks, []);
    assert.equal(careful.asked[0]?.title, `Read ${path}`);
    // Wine says that the share leads to a folder of this machine, which is a question of its own.
    assert.equal(await newAgent(context, 'ask', 'allow_once', 'allow_once').read(path), 'far\r\n');
    assert.notDeepEqual(looks, []);
  });

  test("a session on another machine's folder works without a question", async (context) => {
    needsWindows(context);
    const share = await shareOf(context);
    await mkdir(join(share, 'work'));
    const path = await file(join(share, 'work'), 'Team.txt', 'one\r\n');
    const agent = newAgent(context);
    agent.service.workIn(agent.context.session, []);
    const here = new Agent(agent.service, join(share, 'work'), []);
    for (const spelling of [path, inOtherCase(path), `\\\\?\\UNC\\${path.slice(2)}`])
      assert.equal(await here.read(spelling), 'one\r\n', spelling);
    // Writing needs a document, and a window on a server has no URIs for shares.
    assert.deepEqual(here.asked, []);
  });
});

/** Nobody else can open the file meanwhile (libuv's `UV_FS_O_EXLOCK`). */
const exclusive = constants.O_RDWR | 0x10000000;

/** Returns the path of a new folder on a network share. */
async function shareOf(context: TestContext): Promise<string> {
  const share = process.env['PARLEY_TEST_SHARE'];
  if (share === undefined) return context.skip('there is no share in PARLEY_TEST_SHARE');
  const folder = await mkdtemp(join(share, 'files-'));
  context.after(() => removeFolder(folder));
  return folder;
}

/** Collects the paths below a folder that the file system is asked about. */
function watchLooks(context: TestContext, folder: string): string[] {
  const looks: string[] = [];
  const asynchronous = fs as unknown as Record<string, (path: unknown, ...rest: unknown[]) => unknown>;
  for (const name of ['access', 'lstat', 'open', 'readFile', 'readlink', 'realpath', 'stat']) {
    const real = asynchronous[name]!;
    asynchronous[name] = (path, ...rest) => {
      if (String(path).toLowerCase().includes(folder.toLowerCase())) looks.push(`${name} ${String(path)}`);
      return real(path, ...rest);
    };
    context.after(() => void (asynchronous[name] = real));
  }
  return looks;
}
