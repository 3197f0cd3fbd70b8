import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hardened } from './hardened';

const more = '--ro-bind /proc/sys /proc/sys --unshare-ipc --unshare-uts';

test('adds what is missing after the mount of /proc', () => {
  assert.equal(
    hardened(`bwrap --ro-bind / / --proc /proc -- sh -c 'x'`),
    `bwrap --ro-bind / / --proc /proc ${more} -- sh -c 'x'`,
  );
});

test('isn’t misled by a path or a command with the same words', () => {
  const before = `bwrap --bind '/a --proc /proc b' '/a --proc /proc b' --bind /it\\'s "/c --proc /proc d"`;
  const after = `-- sh -c 'echo --proc /proc '"'"' --proc /proc '"'"''`;
  assert.equal(hardened(`${before} --proc /proc ${after}`), `${before} --proc /proc ${more} ${after}`);
});

test('refuses a line in which it finds no place', () => {
  for (const line of ['bwrap --ro-bind / / -- sh', `bwrap ' --proc /proc ' -- sh`, 'bwrap --proc /process -- sh'])
    assert.throws(() => hardened(line), /no place/);
});

test('seals the empty folders that take the place of hidden ones', () => {
  const mounts = `bwrap --ro-bind / / --tmpfs /a --tmpfs '/b c' --bind /a/x /a/x --proc /proc`;
  assert.equal(
    hardened(`${mounts} -- sh -c 'x'`, { sealed: ['/a', '/b c', '/d'] }),
    `${mounts} ${more} --remount-ro /a --remount-ro '/b c' -- sh -c 'x'`,
  );
});

test('puts folders into the place of hidden ones, before these are sealed', () => {
  const line = `bwrap --ro-bind / / --tmpfs /tmp --bind '/x --tmpfs /tmp y' /z --proc /proc -- sh -c ' --tmpfs /tmp '`;
  const hiding = new Map([['/tmp', '--bind /own /tmp --tmpfs /tmp/a']]);
  assert.equal(
    hardened(line, { sealed: ['/tmp/a', '/home'], binds: [['/my caches/npm', '/home/.npm']], hiding }),
    `bwrap --ro-bind / / --bind /own /tmp --tmpfs /tmp/a --bind '/x --tmpfs /tmp y' /z --proc /proc ${more} ` +
      `--bind '/my caches/npm' '/home/.npm' --remount-ro /tmp/a -- sh -c ' --tmpfs /tmp '`,
  );
});
