import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { suite, test } from '../api';
import { file, newAgent, onDisk, scratchFolder, show, type } from '../filesSupport';
import { needsWindows } from '../platform';

/** The path with the other case of each letter, the one of the drive included. */
function inOtherCase(path: string): string {
  return path.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

suite('files of Windows', () => {
  test('a path in another case, with slashes, or with the prefix of long paths is the same document', async (context) => {
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

  test('a path of more than 260 characters is read and written', async (context) => {
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

  test('a read-only file keeps its text, and the agent is told why', async (context) => {
    needsWindows(context);
    const path = await file(await scratchFolder(context), 'readonly.txt', 'old\n');
    await chmod(path, 0o444);
    context.after(() => chmod(path, 0o666));
    await assert.rejects(newAgent(context).write(path, 'new\n'), new RegExp(basename(path)));
    assert.equal(await readFile(path, 'utf8'), 'old\n');
    assert.deepEqual(await readdir(dirname(path)), ['readonly.txt']);
  });

  test('a file that another program reads meanwhile is written', async (context) => {
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
});
