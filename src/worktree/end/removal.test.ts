// Worktrees in random states, several at once: whatever removes one, every byte is in a reference, is kept, or was named before.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fixWorktree } from '../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { agentIn, worktreeStates } from '../../../test/unit-support/worktreeStates';
import { random } from '../../../test/unit-support/testStates';
import { attempt } from '../../shared/values/attempt';
import { removeWorktree, restoreWorktree, saveWorktree } from './endWorktree';
import { keptFolder } from '../repository/innerRepositories';
import { ownWorktrees } from '../made/worktreeList';
import { lossOf, type WorktreeLoss } from './worktreeLoss';
import { WorktreeProblem } from '../repository/worktreeProblem';
import type { WorktreeRecord } from '../made/worktreeRecord';

/** Random worktrees. Set PARLEY_SEEDS for more, and PARLEY_SEED for a single one. */
const seeds = Number(process.env['PARLEY_SEEDS'] ?? 10);
const onlySeed = process.env['PARLEY_SEED'];

/** How many states a worktree has at most. */
const most = 5;

const ways = ['delete', 'keep the branch', 'save', 'save'] as const;

/** A user's repository with a worktree, and one beside it. */
class Scene {
  readonly repository: GitRepository;
  readonly other: GitRepository;
  readonly record: WorktreeRecord;
  readonly common: string;

  private constructor(repository: GitRepository, other: GitRepository, record: WorktreeRecord, common: string) {
    this.repository = repository;
    this.other = other;
    this.record = record;
    this.common = common;
  }

  static async start(t: TestContext): Promise<Scene> {
    const other = new GitRepository(t, 'other');
    other.write('lib.txt', 'lib\n');
    other.commit();
    const repository = new GitRepository(t);
    for (const name of ['tracked.txt', 'src/a.txt', 'src/b.txt', 'src/c.txt']) repository.write(name, `${name}\n`);
    repository.write('.gitignore', '.env\n*.env\nvendor/\n*.log\n');
    repository.write('.gitattributes', '*.bat text eol=crlf\n');
    repository.commit();
    repository.write('later.txt', 'later\n');
    repository.commit('Second');
    repository.git('switch', '--quiet', '--create', 'theirs');
    repository.write('tracked.txt', 'theirs\n');
    repository.commit('Theirs');
    repository.git('switch', '--quiet', 'main');
    const { record, common } = await fixWorktree(repository);
    return new Scene(repository, other, record, common);
  }

  async listed() {
    return (await ownWorktrees(this.common)).find((one) => one.record.id === this.record.id)?.listed;
  }

  /** Every file below a folder with its bytes, also those of repositories inside. A worktree's link to git isn't among them. */
  files(folder: string): ReadonlyMap<string, Buffer> {
    const found = new Map<string, Buffer>();
    const walk = (path: string) => {
      for (const name of readdirSync(join(folder, path))) {
        const below = path === '' ? name : `${path}/${name}`;
        if (below === '.git') continue;
        const place = join(folder, below);
        const stat = lstatSync(place);
        if (stat.isDirectory()) walk(below);
        else found.set(below, stat.isSymbolicLink() ? Buffer.from(readlinkSync(place)) : readFileSync(place));
      }
    };
    if (existsSync(folder)) walk('');
    return found;
  }

  /** The commits that something names: in the worktree, if it's there, and in the repository. */
  commits(folder: string): ReadonlySet<string> {
    const git = (...args: readonly string[]) => attempt(() => this.repository.gitIn(folder, ...args)) ?? '';
    const place = git('rev-parse', '--absolute-git-dir');
    const aside = ['rebase-merge/autostash', 'rebase-apply/autostash', 'MERGE_AUTOSTASH']
      .map((name) => join(place, name))
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, 'utf8').trim());
    const head = git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
    const starts = [head, ...aside].filter((one) => one !== '');
    const own = ['--exclude=refs/parley/base/*', '--exclude=refs/parley/brought/*'];
    return new Set(
      git('rev-list', ...starts, ...own, '--all')
        .split('\n')
        .filter(Boolean),
    );
  }

  /** The contents of all files that a reference of the repository leads to. */
  blobs(folder: string): ReadonlySet<string> {
    const index = this.repository.gitIn(folder, 'rev-list', '--objects', '--all', '--no-object-names');
    return new Set(index.split('\n'));
  }
}

function lineFeeds(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString('latin1').replaceAll('\r\n', '\n');
}

function blobOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Returns whether the user was told that a file would be lost. */
function isNamed(path: string, { uncommitted, overlooked, ignored, repositories }: Partial<WorktreeLoss>): boolean {
  const inside = (repositories ?? []).map((one) => `${one.path}/`);
  return [...(uncommitted ?? []), ...(overlooked ?? []), ...(ignored ?? []), ...inside].some(
    (name) => path === name || (name.endsWith('/') && path.startsWith(name)),
  );
}

/** Removes a worktree that is in random states, and checks that nothing is lost. */
async function round(t: TestContext, seed: number): Promise<string> {
  const next = random(seed);
  const scene = await Scene.start(t);
  const { repository, record, common } = scene;
  const agent = agentIn(repository, record.path, scene.other.folder);
  const all = Object.entries(worktreeStates);
  const drawn = Array.from({ length: 1 + next(most) }, () => all[next(all.length)] ?? assert.fail());
  const way = ways[next(ways.length)] ?? 'save';
  const names = drawn.map(([name]) => name);
  const what = `seed ${seed}: ${way}, ${names.join(', ')}`;
  for (const [, apply] of drawn) apply(agent);
  const before = { files: scene.files(record.path), commits: scene.commits(record.path) };
  const inModule = modules(scene);
  let saved: WorktreeRecord | undefined;
  let named: Partial<WorktreeLoss> = {};
  try {
    const listed = await scene.listed();
    assert.ok(listed, what);
    const loss = await lossOf({ record, listed });
    if (way === 'save') {
      named = { ignored: loss.ignored };
      saved = await saveWorktree(common, record, 'Save', loss);
    } else {
      named = way === 'delete' ? loss : { ...loss, unmerged: 0 };
      await removeWorktree(common, record, loss, way === 'delete');
    }
  } catch (error) {
    assert.ok(error instanceof WorktreeProblem, `${what}: ${String(error)}`);
    assert.match(error.message, /\.$/, what);
    assert.deepEqual([...scene.files(record.path).keys()], [...before.files.keys()], what);
    for (const [path, bytes] of scene.files(record.path)) {
      if (!path.includes('.git/')) assert.deepEqual(bytes, before.files.get(path), `${what}: ${path}`);
    }
    const now = scene.commits(record.path);
    assert.deepEqual(
      [...before.commits].filter((one) => !now.has(one)),
      [],
      what,
    );
    return `${what}: refused`;
  }
  assert.ok(!existsSync(record.path), what);
  const after = { commits: scene.commits(repository.folder), blobs: scene.blobs(repository.folder) };
  const kept = scene.files(keptFolder(common, record.id));
  const gone = [...before.commits].filter((one) => !after.commits.has(one));
  assert.ok(gone.length <= (named.detached ?? 0) + (named.unmerged ?? 0), `${what}: ${gone.length} commits are lost`);
  const inGone = new Set(
    gone.flatMap((one) => repository.git('ls-tree', '-r', '--format=%(objectname)', one).split('\n')),
  );
  for (const [path, bytes] of before.files) {
    // Lines are converted back at a checkout.
    const blobs = [blobOf(bytes), blobOf(Buffer.from(lineFeeds(bytes) ?? '', 'latin1'))];
    const isInGit = blobs.some((blob) => after.blobs.has(blob) || inGone.has(blob));
    const isKept = kept.get(path)?.equals(bytes) === true;
    const isLinkOfModule = path === 'lib/.git' || path.startsWith('lib/');
    const isInModule = isLinkOfModule && inModule === 'elsewhere too';
    assert.ok(isInGit || isKept || isInModule || isNamed(path, named), `${what}: ${path} is lost`);
  }
  if (inModule === 'only here') assert.ok(isNamed('lib/lib.txt', named), `${what}: the submodule is lost`);
  if (saved) {
    const { record: back } = await restoreWorktree(common, saved);
    const now = scene.files(back.path);
    for (const [path, bytes] of before.files) {
      if (isNamed(path, named) || path.startsWith('lib/')) continue;
      assert.equal(lineFeeds(now.get(path)), lineFeeds(bytes), `${what}: ${path}`);
    }
  }
  return what;
}

/** Returns whether the submodule has something that is nowhere else. */
function modules({ repository, record, other }: Scene): 'none' | 'elsewhere too' | 'only here' {
  const lib = join(record.path, 'lib');
  if (!existsSync(join(lib, '.git'))) return 'none';
  const git = (...args: readonly string[]) => attempt(() => repository.gitIn(lib, ...args)) ?? '';
  const there = new Set(other.git('rev-list', '--all').split('\n'));
  const commits = git('rev-list', 'HEAD', '--all').split('\n');
  const isClean = git('status', '--porcelain', '--ignored') === '';
  return isClean && commits.every((one) => there.has(one)) ? 'elsewhere too' : 'only here';
}

test('no removal loses a byte that it didn’t name', needsGit, async (t) => {
  const first = Number(onlySeed ?? 1);
  const count = onlySeed === undefined ? seeds : 1;
  for (let seed = first; seed < first + count; seed++) t.diagnostic(await round(t, seed));
});
