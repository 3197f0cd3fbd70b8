import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  lutimes,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { posixOnly } from '../../test/unit-support/platform';
import { defaultLimits, type FileBefore } from './baseline';
import { BlobStore } from './blobStore';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';

const hasGit = spawnSync('git', ['--version']).status === 0;
const withGit = { skip: hasGit ? posixOnly.skip : 'git is not installed' };
/** Random repositories. Set PARLEY_SEEDS for more, and PARLEY_SEED for a single one. */
const seeds = Number(process.env['PARLEY_SEEDS'] ?? 8);
const onlySeed = process.env['PARLEY_SEED'];

/** A file, link, or nothing on disk, in a form to compare. */
type OnDisk = string;

class Place {
  readonly home: string;
  readonly recorder: Recorder;
  private readonly t: TestContext;

  constructor(t: TestContext) {
    this.t = t;
    const root = tempFolder(t);
    this.home = join(root, 'home');
    this.recorder = new Recorder(new BlobStore(join(root, 'blobs')), defaultLimits, () => Date.now());
  }

  path(name: string): string {
    return join(this.home, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  git(...args: string[]): string {
    const own = ['-C', this.home, '-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'gc.auto=0'];
    return execFileSync('git', [...own, ...args], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  }

  async init(files: Readonly<Record<string, string>> = {}): Promise<void> {
    await mkdir(this.home, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    for (const [name, content] of Object.entries(files)) await this.write(name, content);
  }

  commit(): void {
    this.git('add', '-A');
    this.git('commit', '-qm', 'one', '--allow-empty');
  }

  async take(): Promise<WorkspaceBaseline> {
    const ignored = { names: new Set(['node_modules']), globs: [] };
    const baseline = await WorkspaceBaseline.take([this.home], this.recorder, ignored, defaultLimits);
    this.t.after(() => baseline.dispose());
    return baseline;
  }

  /** Everything on disk except git's own folder, by path. */
  async disk(): Promise<Map<string, OnDisk>> {
    const found = new Map<string, OnDisk>();
    const entries = await readdir(this.home, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const below = path.slice(this.home.length + 1);
      if (below === '.git' || below.startsWith('.git/') || entry.isDirectory()) continue;
      found.set(below, await onDisk(path));
    }
    return found;
  }

  /** Undoes what changed since a baseline, in the way the review does, and returns what it wrote. */
  async undo(baseline: WorkspaceBaseline): Promise<string[]> {
    const changed = await baseline.changed();
    for (const path of changed) {
      const before = await baseline.read(path);
      assert.ok(before && before.kind !== 'skipped', `${path} can be undone: ${JSON.stringify(before)}`);
      const now = await lstat(path).catch(() => undefined);
      if (before.kind === 'folder' || (now?.isDirectory() ?? false)) continue;
      await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      if (before.kind === 'link') await symlink(before.target, path);
      if (before.kind !== 'file') continue;
      await writeFile(path, before.bytes);
      await chmod(path, before.mode ?? (before.isExecutable ? 0o755 : 0o644));
    }
    return changed.map((path) => path.slice(this.home.length + 1)).sort();
  }
}

async function onDisk(path: string): Promise<OnDisk> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return `link ${await readlink(path)}`;
  return shown(await readFile(path), (info.mode & 0o111) !== 0);
}

function shown(bytes: Uint8Array, isExecutable: boolean): OnDisk {
  return `${isExecutable ? 'program' : 'file'} ${Buffer.from(bytes).toString('latin1')}`;
}

function shownBefore(before: FileBefore | undefined): OnDisk {
  if (before?.kind === 'file') return shown(before.bytes, before.isExecutable);
  return before?.kind === 'link' ? `link ${before.target}` : JSON.stringify(before);
}

/** A linear congruential generator (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
function randomOf(seed: number): (limit: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** One repository with random settings, what the user did in it, and a turn of an agent. */
async function play(t: TestContext, seed: number): Promise<void> {
  const next = randomOf(seed);
  const pick = <T>(all: readonly T[]) => all[next(all.length)] as T;
  const place = new Place(t);
  const breaks = () => pick(['\n', '\n', '\r\n', 'mixed', '\r']);
  const text = () => {
    const end = breaks();
    const lines = Array.from({ length: next(8) }, () =>
      pick(['one', 'output 7', '$Id$', '$Id: mine $', 'ü', 'word', '']),
    );
    return lines.map((line) => line + (end === 'mixed' ? pick(['\n', '\r\n']) : end)).join('');
  };
  const content = () => (next(8) === 0 ? Buffer.from([0, 13, 10, 10, next(256)]) : Buffer.from(text()));
  const config = () => {
    place.git('config', 'core.autocrlf', pick(['true', 'false', 'input']));
    if (next(3) === 0) place.git('config', 'core.eol', pick(['lf', 'crlf', 'native']));
    if (next(5) === 0) place.git('config', 'core.fileMode', pick(['false', 'true']));
    if (next(6) === 0) place.git('config', 'core.symlinks', pick(['false', 'true']));
    if (next(6) === 0) place.git('config', 'core.checkStat', 'minimal');
    place.git('config', 'core.safecrlf', 'false');
    place.git('config', 'filter.drop.clean', 'sed /output/d');
    place.git('config', 'filter.turn.clean', 'tr a-z n-za-m');
    place.git('config', 'filter.turn.smudge', 'tr a-z n-za-m');
    if (next(3) === 0) place.git('config', 'filter.drop.clean', 'no-such-program-here');
    if (next(6) === 0) place.git('config', 'filter.drop.required', 'true');
  };
  const kinds = ['text=auto', 'text', '-text', 'binary', 'eol=crlf', 'eol=lf', 'filter=drop', 'filter=turn', 'ident'];
  const attributes = () =>
    Array.from({ length: next(4) }, () => {
      const which = pick(['*', '*.a', '*.b', '*.c', 'sub/*', '*0*']);
      return `${which} ${pick([...kinds, 'working-tree-encoding=UTF-16LE', 'text=auto eol=crlf'])}\n`;
    }).join('');
  const packed = next(2) === 0 ? ['', 'sub/', 'node_modules/x/'] : ['', 'sub/'];
  let names = Array.from({ length: 14 }, (_, at) => `${pick(packed)}f${at}${pick(['.a', '.b', '.c'])}`);
  const quietly = (...args: string[]) => {
    // Some combinations fail, for example a filter that is required and missing.
    spawnSync('git', ['-C', place.home, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
  };
  const linkOrFile = async (name: string) => {
    const path = place.path(name);
    await rm(path, { force: true, recursive: true });
    if (next(10) === 0) {
      await mkdir(dirname(path), { recursive: true });
      await symlink(pick(['f1', '../elsewhere']), path);
    } else await place.write(name, content());
    if (next(6) === 0) await chmod(path, 0o755).catch(() => undefined);
  };
  await place.init();
  config();
  if (next(2) === 0) await place.write('.gitattributes', attributes());
  await place.write('.gitignore', '*.c~\nignored/\n');
  for (const name of [...names, ...packed.map((folder) => `${folder}tracked`)]) await linkOrFile(name);
  quietly('add', '-A');
  quietly('commit', '-qm', 'one', '--allow-empty');
  if (place.git('ls-files', 'node_modules') === '') {
    // A package that git doesn't track isn't recorded.
    await rm(place.path('node_modules'), { force: true, recursive: true });
    names = names.filter((name) => !name.startsWith('node_modules'));
  }
  // Some users check out, which converts files, and some change their settings afterwards.
  if (next(2) === 0) {
    for (const name of names) if (next(2) === 0) await rm(place.path(name), { force: true });
    quietly('checkout', '--', '.');
  }
  if (next(3) === 0) config();
  // A filter that keeps the size and is no longer set leaves no trace.
  const hadTurn = (await readFile(place.path('.gitattributes'), 'utf8').catch(() => '')).includes('turn');
  if (next(4) === 0 && !hadTurn) await place.write('.gitattributes', attributes());
  for (const name of names) {
    const what = next(14);
    if (what === 0) quietly('update-index', '--skip-worktree', name);
    if (what === 1) quietly('update-index', '--assume-unchanged', name);
    if (what <= 3) await linkOrFile(name);
    if (what === 4) await rm(place.path(name), { force: true });
    if (what === 5) {
      // Other line breaks only.
      const before = await readFile(place.path(name), 'latin1').catch(() => '');
      await place
        .write(name, Buffer.from(before.replace(/\r?\n/g, pick(['\n', '\r\n'])), 'latin1'))
        .catch(() => undefined);
    }
    if (what === 6) quietly('add', name);
  }
  if (next(3) === 0) quietly('update-index', '-q', '--refresh');
  if (next(8) === 0) quietly('sparse-checkout', 'set', 'sub');
  await place.write('untracked.txt', content());
  if (next(3) === 0) (await place.take()).dispose();

  const before = await place.disk();
  const baseline = await place.take();
  assert.deepEqual(await baseline.changed(), [], 'nothing changed yet');
  for (const name of [...names, 'untracked.txt', 'new.txt', 'sub/new.a', '.gitattributes']) {
    const what = next(10);
    if (what <= 1) await linkOrFile(name);
    if (what === 2) await rm(place.path(name), { force: true });
    if (what === 3) {
      const now = await readFile(place.path(name), 'latin1').catch(() => 'new\n');
      await place
        .write(name, Buffer.from(now.replace(/\r?\n/g, pick(['\n', '\r\n', '\n\n'])), 'latin1'))
        .catch(() => undefined);
    }
    if (what === 4) await rename(place.path(name), place.path(`${name}.moved`)).catch(() => undefined);
  }
  const asked = next(8);
  if (asked === 0) quietly('add', '-A');
  if (asked === 1) quietly('commit', '-qam', 'by the agent');
  if (asked === 2) quietly('checkout', '-f', '--', '.');
  if (asked === 3) quietly('stash', '-u');
  if (asked === 4) quietly('update-index', '-q', '--refresh');
  if (asked === 5) quietly('reset', '-q', '--hard');
  for (const [name, is] of before) assert.equal(shownBefore(await baseline.read(place.path(name))), is, name);
  await place.undo(baseline);
  assert.deepEqual(Object.fromEntries(await place.disk()), Object.fromEntries(before));
}

test('undo gives back each byte, whatever git is configured to convert', withGit, async (t) => {
  const all = onlySeed === undefined ? Array.from({ length: seeds }, (_, at) => at + 1) : [Number(onlySeed)];
  for (const seed of all) {
    await t.test(`in random repository ${seed}`, (inner) => play(inner, seed));
  }
});

async function taken(t: TestContext, prepare: (place: Place) => Promise<void> | void) {
  const place = new Place(t);
  await place.init();
  await prepare(place);
  // Otherwise, git reads files that were written together with the index each time.
  const past = new Date(Date.now() - 60_000);
  for (const name of (await place.disk()).keys()) await lutimes(place.path(name), past, past);
  spawnSync('git', ['-C', place.home, 'update-index', '-q', '--refresh']);
  const before = await place.disk();
  return { place, before, baseline: await place.take() };
}

test("undo keeps one's own settings, line feeds, and notebook outputs", withGit, async (t) => {
  const notebook = '{\n "cells": [],\n "outputs": [ "a plot" ]\n}\n';
  const { place, before, baseline } = await taken(t, async (one) => {
    one.git('config', 'core.autocrlf', 'true');
    one.git('config', 'core.safecrlf', 'false');
    one.git('config', 'filter.strip.clean', "sed '/outputs/d'");
    await one.write('.gitattributes', '*.ipynb filter=strip\n');
    await one.write('settings.json', '{ "url": "https://example.com" }\r\n');
    await one.write('plot.ipynb', notebook);
    await one.write('unix.txt', 'one\ntwo\n');
    await one.write('windows.txt', 'one\r\ntwo\r\n');
    await one.write('mixed.txt', 'one\r\ntwo\n');
    one.commit();
    one.git('update-index', '--skip-worktree', 'settings.json');
    await one.write('settings.json', '{ "url": "http://localhost" }\n');
  });
  assert.equal(place.git('status', '--porcelain'), '');
  assert.deepEqual(await baseline.changed(), []);
  const names = ['mixed.txt', 'plot.ipynb', 'settings.json', 'unix.txt', 'windows.txt'];
  for (const name of names) await place.write(name, 'by the agent\n');
  assert.deepEqual(await place.undo(baseline), names);
  assert.deepEqual(await place.disk(), before);
});

test('lists a file in which only line breaks or outputs changed', withGit, async (t) => {
  const { place, before, baseline } = await taken(t, async (one) => {
    one.git('config', 'core.autocrlf', 'input');
    one.git('config', 'core.safecrlf', 'false');
    one.git('config', 'filter.strip.clean', "sed '/outputs/d'");
    await one.write('.gitattributes', '*.ipynb filter=strip\n');
    await one.write('plot.ipynb', 'code\noutputs 1\n');
    for (const name of ['a.txt', 'b.txt', 'same.txt']) await one.write(name, 'one\ntwo\n');
    one.commit();
  });
  await place.write('plot.ipynb', 'code\noutputs 2\n');
  for (const name of ['a.txt', 'b.txt']) await place.write(name, 'one\r\ntwo\r\n');
  await place.write('same.txt', 'one\ntwo\n');
  place.git('add', 'b.txt');
  assert.equal(place.git('diff', 'HEAD'), '');
  assert.deepEqual(await place.undo(baseline), ['a.txt', 'b.txt', 'plot.ipynb']);
  assert.deepEqual(await place.disk(), before);
});

test('a missing filter program costs neither the baseline nor a change', withGit, async (t) => {
  const { place, before, baseline } = await taken(t, async (one) => {
    await one.write('secret.key', 'plain words');
    await one.write('a.txt', 'one');
    one.commit();
    await one.write('.gitattributes', '*.key filter=crypt\n');
    one.git('config', 'filter.crypt.clean', 'no-such-program');
    one.git('config', 'filter.crypt.smudge', 'no-such-program');
    one.git('config', 'filter.crypt.required', 'true');
  });
  await place.write('secret.key', 'by the agent');
  await place.write('a.txt', 'by the agent');
  assert.deepEqual(await place.undo(baseline), ['a.txt', 'secret.key']);
  assert.deepEqual(await place.disk(), before);
});

test('reads large LFS files from their store, and pointers as pointers', withGit, async (t) => {
  const large = Buffer.concat([Buffer.from('large\n'), Buffer.alloc(6_000_000 - 6, 'x')]);
  const sha256 = createHash('sha256').update(large).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${large.byteLength}\n`;
  const { place, before, baseline } = await taken(t, async (one) => {
    await one.write('pointer.bin', pointer);
    await one.write('large.bin', pointer);
    await one.write('lost.bin', pointer.replace(/6000000/, '6000001'));
    one.commit();
    const print = `cat >/dev/null; printf '${pointer.replaceAll('\n', String.raw`\n`)}'`;
    const clean = `IFS= read -r first; case $first in version*) echo "$first"; cat;; *) ${print};; esac`;
    one.git('config', 'filter.lfs.clean', clean);
    await one.write('.git/info/attributes', '*.bin filter=lfs\n');
    await one.write('large.bin', large);
    one.git('add', 'large.bin');
    await one.write(join('.git/lfs/objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256), large);
  });
  const lost = place.path('lost.bin');
  assert.equal(
    shownBefore(await baseline.read(lost)),
    shown(Buffer.from(pointer.replace(/6000000/, '6000001')), false),
  );
  for (const name of ['pointer.bin', 'large.bin']) await place.write(name, 'by the agent');
  assert.deepEqual(await place.undo(baseline), ['large.bin', 'pointer.bin']);
  assert.deepEqual(await place.disk(), before);
});

test('records the bytes of a file whose filter keeps its size', withGit, async (t) => {
  const { place, before, baseline } = await taken(t, async (one) => {
    one.git('config', 'filter.turn.clean', 'tr a-z n-za-m');
    await one.write('.gitattributes', '*.txt filter=turn\n');
    await one.write('a.txt', 'mine\n');
    one.commit();
  });
  await place.write('a.txt', 'by the agent\n');
  assert.deepEqual(await place.undo(baseline), ['a.txt']);
  assert.deepEqual(await place.disk(), before);
});

test('skips a large file behind a filter instead of asking git', withGit, async (t) => {
  const { place, baseline } = await taken(t, async (one) => {
    one.git('config', 'filter.strip.clean', 'head -c 10');
    await one.write('.gitattributes', '*.bin filter=strip\n');
    await one.write('large.bin', 'x'.repeat(5_000_001));
    one.commit();
  });
  assert.deepEqual(await baseline.read(place.path('large.bin')), { kind: 'skipped', reason: 'large' });
});

test('permissions and links are those on disk if git ignores them', withGit, async (t) => {
  const { place, before, baseline } = await taken(t, async (one) => {
    await one.write('tool.sh', '#!/bin/sh\n');
    await one.write('link', 'target');
    one.commit();
    one.git('config', 'core.fileMode', 'false');
    one.git('config', 'core.symlinks', 'false');
    const blob = one.git('rev-parse', 'HEAD:link').trim();
    one.git('update-index', '--cacheinfo', `120000,${blob},link`);
    one.git('commit', '-qm', 'as a link');
    await chmod(one.path('tool.sh'), 0o750);
  });
  const tool = await baseline.read(place.path('tool.sh'));
  assert.equal(tool?.kind === 'file' && tool.mode, 0o750);
  await rm(place.path('tool.sh'));
  await place.write('link', 'by the agent');
  assert.deepEqual(await place.undo(baseline), ['link', 'tool.sh']);
  assert.deepEqual(await place.disk(), before);
});

for (const setting of ['core.checkStat=minimal', 'core.trustctime=false']) {
  test(`with ${setting}, changed permissions are found in each turn`, withGit, async (t) => {
    const { place, baseline } = await taken(t, async (one) => {
      await one.write('tool.sh', '#!/bin/sh\n');
      await one.write('other.sh', '#!/bin/sh\n');
      one.commit();
      one.git('config', ...(setting.split('=') as [string, string]));
      one.git('config', 'core.fileMode', 'false');
    });
    const [mode, mine] = [(await lstat(place.path('tool.sh'))).mode & 0o777, 0o700];
    await chmod(place.path('tool.sh'), 0o755);
    assert.deepEqual(await baseline.changed(), [place.path('tool.sh')]);
    // The next turn begins with what the user has set in the meantime.
    await chmod(place.path('tool.sh'), mine);
    const later = await place.take();
    assert.deepEqual(await later.changed(), []);
    await chmod(place.path('tool.sh'), 0o755);
    assert.deepEqual(await place.undo(later), ['tool.sh']);
    assert.equal((await lstat(place.path('tool.sh'))).mode & 0o777, mine);
    const before = await baseline.read(place.path('tool.sh'));
    assert.equal(before?.kind === 'file' && before.mode, mode);
  });
}

test('a path that a sparse checkout left out stays absent', withGit, async (t) => {
  const { place, before, baseline } = await taken(t, async (one) => {
    for (const name of ['in/a.txt', 'out/b.txt', 'out/deep/c.txt']) await one.write(name, name);
    one.commit();
    one.git('sparse-checkout', 'set', 'in');
  });
  assert.deepEqual(await baseline.changed(), []);
  await place.write('out/b.txt', 'by the agent');
  assert.deepEqual(await place.undo(baseline), ['out/b.txt']);
  assert.deepEqual(await place.disk(), before);
});

test('tracked files of packages are undone like others', withGit, async (t) => {
  const { place, before, baseline } = await taken(t, async (one) => {
    await one.write('node_modules/own/index.js', 'mine');
    one.commit();
    await one.write('node_modules/own/node_modules/other/index.js', 'installed');
  });
  await place.write('node_modules/own/index.js', 'by the agent');
  await place.write('node_modules/own/new.js', 'by the agent');
  await place.write('node_modules/own/node_modules/other/new.js', 'installed');
  assert.deepEqual(await place.undo(baseline), ['node_modules/own/index.js', 'node_modules/own/new.js']);
  await rm(place.path('node_modules/own/node_modules/other/new.js'));
  assert.deepEqual(await place.disk(), before);
});

test('without .git, tells which files changed and that the repository is gone', withGit, async (t) => {
  const { place, baseline } = await taken(t, async (one) => {
    for (const name of ['changed.txt', 'kept.txt', 'gone.txt']) await one.write(name, 'one');
    one.commit();
    await one.write('untracked.txt', 'mine');
  });
  await rm(place.path('.git'), { recursive: true });
  await place.write('changed.txt', 'two');
  await rm(place.path('gone.txt'));
  await place.write('untracked.txt', 'by the agent');
  const names = ['.git', 'changed.txt', 'gone.txt', 'untracked.txt'];
  assert.deepEqual(
    (await baseline.changed()).sort(),
    names.map((name) => place.path(name)),
  );
  for (const name of ['changed.txt', 'gone.txt']) {
    assert.deepEqual(await baseline.read(place.path(name)), { kind: 'skipped', reason: 'repository' }, name);
  }
  const within = place.path('.git');
  assert.deepEqual(await baseline.read(within), { kind: 'skipped', reason: 'repository', within });
  assert.equal(shownBefore(await baseline.read(place.path('untracked.txt'))), shown(Buffer.from('mine'), false));
});
