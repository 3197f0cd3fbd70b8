import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { DiskFiles, type Open } from './diskFile';

const disk = new DiskFiles();

async function folder(context: TestContext): Promise<string> {
  const path = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'parley-disk-')));
  context.after(() => fs.rm(path, { recursive: true, force: true }));
  return path;
}

/** Opens files on a disk with `room` free bytes. Overwriting existing bytes needs none. */
function almostFull(room: number): Open {
  const open: Open = async (...args) => {
    const file = await fs.open(...args);
    let left = room;
    const write = file.write.bind(file) as (
      bytes: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ) => Promise<{ bytesWritten: number; buffer: Uint8Array }>;
    const limited: typeof write = async (bytes, offset, length, position) => {
      const more = Math.max(0, position + length - (await file.stat()).size);
      const fits = Math.min(length, length - more + left);
      if (fits <= 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      left -= Math.max(0, fits - (length - more));
      return write(bytes, offset, fits, position);
    };
    return Object.assign(file, { write: limited });
  };
  return open;
}

const text = (path: string) => fs.readFile(path, 'utf8');

test('replaces a file atomically and keeps its permissions', async (context) => {
  const path = join(await folder(context), 'a.txt');
  await fs.writeFile(path, 'old', { mode: 0o640 });
  await disk.replace(path, Buffer.from('new text'));
  assert.equal(await text(path), 'new text');
  if (process.platform !== 'win32') assert.equal((await fs.stat(path)).mode & 0o777, 0o640);
});

test('creates a new file with its parent folders and leaves no draft', async (context) => {
  const root = await folder(context);
  await disk.replace(join(root, 'deep', 'er', 'a.txt'), Buffer.from('new'));
  assert.equal(await text(join(root, 'deep', 'er', 'a.txt')), 'new');
  assert.deepEqual(await fs.readdir(join(root, 'deep', 'er')), ['a.txt']);
});

test('a full disk changes neither the file nor its folder', async (context) => {
  const root = await folder(context);
  const path = join(root, 'notebook.ipynb');
  const old = 'line\n'.repeat(1000);
  await fs.writeFile(path, old);
  const full = new DiskFiles(almostFull(3000));
  await assert.rejects(full.replace(path, Buffer.from('other\n'.repeat(2000))), { code: 'ENOSPC' });
  assert.equal(await text(path), old);
  await assert.rejects(full.replace(join(root, 'new.txt'), Buffer.alloc(5000)), { code: 'ENOSPC' });
  assert.deepEqual(await fs.readdir(root), ['notebook.ipynb']);
});

test('a hard-linked file keeps both names, and its bytes if full', async (context) => {
  const root = await folder(context);
  const [path, second] = [join(root, 'a.txt'), join(root, 'b.txt')];
  const old = 'line\n'.repeat(1000);
  await fs.writeFile(path, old);
  await fs.link(path, second);
  const full = new DiskFiles(almostFull(3000));
  await assert.rejects(full.replace(path, Buffer.from('other\n'.repeat(2000))), { code: 'ENOSPC' });
  assert.equal(await text(path), old);
  await disk.replace(path, Buffer.from('short'));
  assert.equal(await text(second), 'short');
});

test('writes a file in a folder that allows no draft', posixOnly, async (context) => {
  const root = await folder(context);
  const path = join(root, 'a.txt');
  await fs.writeFile(path, 'old text');
  const refusing: Open = async (file, ...rest) => {
    if (String(file).endsWith('draft')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return fs.open(file, ...rest);
  };
  await new DiskFiles(refusing).replace(path, Buffer.from('new'));
  assert.equal(await text(path), 'new');
});

test('does not replace a file that was changed since it was read', async (context) => {
  const path = join(await folder(context), 'a.txt');
  await fs.writeFile(path, 'old');
  const found = await disk.read(path);
  await fs.writeFile(path, 'theirs');
  await assert.rejects(disk.replace(path, Buffer.from('ours'), { expected: found?.fingerprint }), { kind: 'changed' });
  await assert.rejects(disk.replace(path, Buffer.from('ours'), { expected: 'absent' }), { kind: 'changed' });
  assert.equal(await text(path), 'theirs');
});

test('never writes through a link: refuses it, or replaces an expected one', posixOnly, async (context) => {
  const root = await folder(context);
  const [secret, path] = [join(root, 'secret'), join(root, 'a.txt')];
  await fs.writeFile(secret, 'secret', { mode: 0o600 });
  await fs.symlink(secret, path);
  await assert.rejects(disk.read(path), { kind: 'moved' });
  await assert.rejects(disk.replace(path, Buffer.from('x')), { kind: 'moved' });
  await assert.rejects(disk.setMode(path, 0o777), { kind: 'moved' });
  assert.deepEqual(await disk.look(path), { kind: 'link', target: secret });
  await disk.replace(path, Buffer.from('own'), { expected: 'link', mode: 0o755 });
  assert.equal(await text(path), 'own');
  assert.equal(await text(secret), 'secret');
  assert.equal((await fs.stat(secret)).mode & 0o777, 0o600);
  await disk.replaceByLink(path, secret);
  assert.equal(await fs.readlink(path), secret);
  await disk.remove(path);
  assert.equal(await text(secret), 'secret');
});

test('reads a path again if its file is moved while opened', async (context) => {
  const root = await folder(context);
  const [path, other] = [join(root, 'a.txt'), join(root, 'b.txt')];
  const movingAway: Open = async (...args) => {
    const file = await fs.open(...args);
    await fs.rename(path, other);
    return file;
  };
  await fs.writeFile(path, 'text');
  assert.equal(await new DiskFiles(movingAway).read(path), undefined);
  let opened = 0;
  const replacing: Open = async (...args) => {
    const file = await fs.open(...args);
    if (opened++ > 0) return file;
    await fs.rename(path, join(root, 'c.txt'));
    await fs.rename(other, path);
    return file;
  };
  await fs.writeFile(path, 'old');
  await fs.writeFile(other, 'new');
  assert.equal(Buffer.from((await new DiskFiles(replacing).read(path))?.bytes ?? []).toString(), 'new');
});

test('refuses pipes, sockets, and devices immediately', posixOnly, async (context) => {
  const root = await folder(context);
  const pipe = join(root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const socket = createServer().listen(join(root, 'socket'));
  context.after(() => socket.close());
  await new Promise((resolve) => socket.once('listening', resolve));
  // More than the number of threads in the file system pool.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await assert.rejects(disk.read(pipe), { kind: 'special' });
      await assert.rejects(disk.read(join(root, 'socket')), { kind: 'special' });
      await assert.rejects(disk.read('/dev/zero'), { kind: 'special' });
      await assert.rejects(disk.replace(pipe, Buffer.from('x')), { kind: 'special' });
    }),
  );
});

test('does not block on a pipe that replaces a file before opening', posixOnly, async (context) => {
  const root = await folder(context);
  const path = join(root, 'a.txt');
  await fs.writeFile(path, 'text');
  const swapping: Open = async (...args) => {
    await fs.rm(path);
    execFileSync('mkfifo', [path]);
    return fs.open(...args);
  };
  await assert.rejects(new DiskFiles(swapping).read(path), { kind: 'special' });
});

test('replaces an empty folder with a file, but no other folder', async (context) => {
  const root = await folder(context);
  await fs.mkdir(join(root, 'empty'));
  await disk.replace(join(root, 'empty'), Buffer.from('x'));
  assert.equal(await text(join(root, 'empty')), 'x');
  await fs.mkdir(join(root, 'full', 'sub'), { recursive: true });
  await assert.rejects(disk.replace(join(root, 'full'), Buffer.from('x')));
  await assert.rejects(disk.read(join(root, 'full')), { kind: 'directory' });
});

test('does not read a file larger than the limit', async (context) => {
  const path = join(await folder(context), 'a.txt');
  await fs.writeFile(path, 'x'.repeat(100));
  await assert.rejects(disk.read(path, 99), { kind: 'tooLarge', detail: 100 });
  assert.equal((await disk.read(path, 100))?.bytes.byteLength, 100);
});

test('a folder that keeps becoming a link allows no outside access', posixOnly, async (context) => {
  const root = await folder(context);
  const outside = await folder(context);
  await fs.writeFile(join(outside, 'a.txt'), 'outside');
  const [place, kept] = [join(root, 'sub'), join(root, 'kept')];
  await fs.mkdir(place);
  await fs.writeFile(join(place, 'a.txt'), 'inside');
  let isOver = false;
  const swap = async () => {
    while (!isOver) {
      await fs.rename(place, kept);
      // A write that finds no folder creates one.
      await fs.symlink(outside, place).catch(() => undefined);
      while (
        await fs.rename(kept, place).then(
          () => false,
          () => true,
        )
      ) {
        await fs.rm(place, { recursive: true, force: true }).catch(() => undefined);
      }
    }
  };
  const swapping = swap();
  const seen = new Set<string>();
  let refused = 0;
  for (let count = 0; count < 500; count++) {
    try {
      const found = await disk.read(join(place, 'a.txt'));
      if (found) seen.add(Buffer.from(found.bytes).toString());
      await disk.replace(join(place, 'a.txt'), Buffer.from('inside'));
      await disk.replace(join(place, `new${count}.txt`), Buffer.from('inside'));
      await disk.remove(join(place, `new${count}.txt`));
    } catch {
      refused++;
    }
  }
  isOver = true;
  await swapping;
  assert.ok(seen.size <= 1 && !seen.has('outside'), [...seen].join());
  assert.equal(await text(join(outside, 'a.txt')), 'outside');
  assert.deepEqual(await fs.readdir(outside), ['a.txt']);
  assert.ok(refused > 0);
});
