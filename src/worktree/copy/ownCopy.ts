import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { copiesFolder, copyPlace, type CopyPlace } from '../../git/copyPlaces';
import { copyPlainFiles } from './copyFiles';
import { sourceFiles, objectFolders, sourceName, type CopySource, type SourceRepository } from './copySource';
import { ownIdentity } from '../made/createWorktree';
import { forgetFolder, rememberFolder } from '../made/ownFolders';
import { stageAll } from '../repository/stageAll';
import { lineOf, plainGit, userGit } from '../repository/userGit';
import { failedProblem, reportedProblem, WorktreeProblem } from '../repository/worktreeProblem';
import { forgetWorktrees } from '../made/worktreeOf';
import { baseRef, newRecordId, writeRecord, type WorktreeRecord } from '../made/worktreeRecord';

/** A copy that was made, and what the user should know about it. */
export interface CreatedCopy {
  readonly record: WorktreeRecord;
  /** The session's folder: the same folder as in the user's. */
  readonly cwd: string;
  /** Sentences about what isn't in it. */
  readonly notes: readonly string[];
}

/** The namespace of the references in the user's repository that keep what a copy borrows. */
export function borrowedRefs(id: string): string {
  return `refs/parley/copy/${id}`;
}

/** No program of the user's is started in a repository that Parley makes, and nothing in it is converted. */
const plain = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_DEFAULT_REF_FORMAT: 'files' };

/**
 * Makes a copy of a session's files for an agent: with the same commit and branch, what isn't committed, and chosen ignored files. The copy
 * borrows the objects of the user's repository and changes nothing there but references that keep them. Throws a `WorktreeProblem`, and leaves
 * nothing behind.
 */
export async function createCopy(source: CopySource, ignored: readonly string[], now: number): Promise<CreatedCopy> {
  const failed = l10n.t('Couldn’t make the agent’s own copy');
  const folder = copiesFolder();
  if (folder === undefined) throw new WorktreeProblem(l10n.t('{0}: Parley has no storage here.', failed));
  const id = newRecordId();
  const place = copyPlace(folder, id, sourceName(source));
  try {
    await mkdir(place.files, { recursive: true });
    return await fill(source, place, ignored, now);
  } catch (error) {
    await removePlace(place, source.root);
    throw failedProblem(failed, error);
  }
}

async function fill(
  source: CopySource,
  place: CopyPlace,
  ignored: readonly string[],
  now: number,
): Promise<CreatedCopy> {
  const { root, below, repository } = source;
  const { id, files, git } = place;
  const objects = repository ? await objectFolders(repository.common) : [];
  await initialize(git, place, repository, objects);
  const found = await sourceFiles(source, { ...plain, GIT_DIR: git, GIT_WORK_TREE: root });
  const skipped = await copyPlainFiles(root, files, [...new Set([...found.paths, ...ignored])]);
  if (repository) await writeCommitted(root, files, found.secret);
  await writeFile(join(git, 'info', 'exclude'), repository ? await excluded(repository) : '');
  // In Parley's own repository, files are bytes: what an agent writes into `.gitattributes` converts nothing.
  await writeFile(join(git, 'info', 'attributes'), '* -text -eol -ident -filter -working-tree-encoding\n');
  const base = await recordBase(place, repository);
  if (repository) {
    await keepBorrowed(root, id, repository);
    await writeAgentsRepository(place, repository, objects, found.sparse);
  }
  const record: WorktreeRecord = {
    id,
    path: files,
    branch: repository?.branch?.replace(/^refs\/heads\//, '') ?? '',
    base,
    from: root,
    createdAt: now,
  };
  await rememberFolder(git, record);
  await writeRecord({ common: git }, record);
  forgetWorktrees();
  const inside = join(files, below);
  const cwd = (await isFolder(inside)) ? inside : files;
  return { record, cwd, notes: notesOf({ ...found, skipped }, await hasSubmodules(files)) };
}

/** Makes a bare repository without hooks, and without anything that is configured for the user. `anywhere` is a folder in no repository. */
export async function ownInit(git: string, anywhere: string, format = 'sha1'): Promise<void> {
  const args = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', `--object-format=${format}`, git];
  const made = await userGit(anywhere, args, '', plain);
  if (made.code !== 0) throw reportedProblem(l10n.t('Couldn’t make the agent’s own copy'), made);
}

/** Makes a repository that borrows objects. It has no hooks and no settings of the user's. */
async function initialize(
  git: string,
  { around }: CopyPlace,
  repository: SourceRepository | undefined,
  objects: readonly string[],
): Promise<void> {
  await ownInit(git, dirname(around), repository?.format);
  for (const name of ['info', join('objects', 'info')]) await mkdir(join(git, name), { recursive: true });
  if (objects.length > 0) await writeFile(join(git, 'objects', 'info', 'alternates'), `${objects.join('\n')}\n`);
  const shallow = repository && (await readFile(join(repository.common, 'shallow')).catch(() => undefined));
  if (shallow) await writeFile(join(git, 'shallow'), shallow);
  await writeFile(join(git, 'config'), configText(ownSettings(repository)));
}

function ownSettings(repository: SourceRepository | undefined): SourceRepository['settings'] {
  const format = formatSettings(repository);
  const copied =
    repository?.settings.filter(([name]) =>
      /^core\.(filemode|ignorecase|symlinks|precomposeunicode|longpaths)$/i.test(name),
    ) ?? [];
  return [
    ...format,
    ['core.bare', 'false'],
    ['core.autocrlf', 'false'],
    ['core.safecrlf', 'false'],
    ['core.fsmonitor', 'false'],
    ['core.hooksPath', '/dev/null'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ...copied,
  ];
}

function formatSettings(repository: SourceRepository | undefined): SourceRepository['settings'] {
  const format = repository?.format ?? 'sha1';
  const isPartial = repository?.settings.some(([name]) => name.toLowerCase() === 'extensions.partialclone') === true;
  return [
    ['core.repositoryformatversion', format === 'sha1' && !isPartial ? '0' : '1'],
    ...(format === 'sha1' ? [] : ([['extensions.objectformat', format]] as const)),
  ];
}

/** Records the copy's files as they are, and checks that out in Parley's own repository. Resolves to the commit. */
async function recordBase({ files, id }: CopyPlace, repository: SourceRepository | undefined): Promise<string> {
  const failed = l10n.t('Couldn’t record the copy’s files');
  const git = async (args: readonly string[], input = '') => {
    const output = await plainGit(files, args, input, ownIdentity);
    if (output.code !== 0) throw reportedProblem(failed, output);
    return lineOf(output);
  };
  if (repository?.head !== undefined) {
    await git(['read-tree', repository.head]);
    const links = gitlinksIn(await git(['ls-files', '--stage', '-z']));
    // What an agent puts into a submodule is a repository of its own.
    if (links.length > 0) await git(['update-index', '--force-remove', '-z', '--stdin'], links.join('\0'));
  }
  await stageAll(files, failed, plainGit);
  const tree = await git(['write-tree']);
  const parents = repository?.head === undefined ? [] : ['-p', repository.head];
  const base = await git(['commit-tree', tree, ...parents, '-m', 'Files of a Parley copy']);
  await git(['update-ref', baseRef(id), base]);
  await git(['update-ref', '--no-deref', 'HEAD', base]);
  return base;
}

/** Returns the paths of submodules in what `ls-files --stage -z` lists. */
function gitlinksIn(listed: string): readonly string[] {
  return listed.split('\0').flatMap((line) => /^160000 \S+ \d\t(.+)$/s.exec(line)?.[1] ?? []);
}

/** Makes a folder and those around it, unless there is something else in the way, such as a link. */
async function makeFolder(root: string, path: string): Promise<void> {
  let at = root;
  for (const name of path.split('/')) {
    at = join(at, name);
    await mkdir(at).catch(() => undefined);
    if (!(await isFolder(at))) return;
  }
}

/** Has the user's repository keep everything that a copy has names for: its own clean-up must not take it away. */
async function keepBorrowed(root: string, id: string, { head, refs }: SourceRepository): Promise<void> {
  const tips = new Set([...(head === undefined ? [] : [head]), ...[...refs.values()].map(({ object }) => object)]);
  const lines = [...tips].map((tip) => `create ${borrowedRefs(id)}/${tip} ${tip}\n`);
  const kept = await plainGit(root, ['update-ref', '--stdin'], lines.join(''));
  if (kept.code !== 0) throw reportedProblem(l10n.t('Couldn’t keep what the copy borrows'), kept);
}

/** Makes the repository that the agent works with. From then on, it is the agent's. */
async function writeAgentsRepository(
  place: CopyPlace,
  repository: SourceRepository,
  objects: readonly string[],
  sparse: readonly string[],
): Promise<void> {
  const { files, around } = place;
  const git = join(files, '.git');
  await initialize(git, place, repository, objects);
  const { head, branch, refs } = repository;
  const settings = [
    ...formatSettings(repository),
    ['core.bare', 'false'],
    // The sandbox has neither the user's keys nor their programs.
    ['commit.gpgSign', 'false'],
    ['tag.gpgSign', 'false'],
    ...repository.settings,
  ] as const;
  await writeFile(join(git, 'config'), configText(settings));
  await writeFile(join(git, 'info', 'exclude'), await excluded(repository));
  const names = [...refs.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const lines = names.flatMap((name) => {
    const { object = '', peeled = '' } = refs.get(name) ?? {};
    return [`${object} ${name}\n`, ...(peeled === '' ? [] : [`^${peeled}\n`])];
  });
  await writeFile(join(git, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`);
  await writeFile(join(git, 'HEAD'), branch === undefined ? `${head ?? ''}\n` : `ref: ${branch}\n`);
  if (head === undefined) return;
  // Nobody else has been here yet.
  const own = { ...plain, GIT_DIR: git, GIT_WORK_TREE: files };
  const run = async (args: readonly string[], input = '') => {
    const output = await plainGit(dirname(around), args, input, own);
    if (output.code !== 0) throw reportedProblem(l10n.t('Couldn’t make the agent’s own copy'), output);
    return lineOf(output);
  };
  await run(['read-tree', head]);
  // Git takes a submodule without a folder for removed.
  for (const link of gitlinksIn(await run(['ls-files', '--stage', '-z']))) await makeFolder(files, link);
  if (sparse.length > 0) await run(['update-index', '--skip-worktree', '-z', '--stdin'], sparse.join('\0'));
}

/** Writes the committed content of files whose present one isn't copied. */
async function writeCommitted(root: string, files: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const listed = lineOf(await plainGit(root, ['ls-tree', '--full-tree', 'HEAD', '--', path]));
    const [, mode, blob] = /^(100\d{3}) blob ([0-9a-f]+)\t/.exec(listed) ?? [];
    if (mode === undefined || blob === undefined) continue;
    const { code, out } = await plainGit(root, ['cat-file', 'blob', blob]);
    if (code !== 0) continue;
    await mkdir(dirname(join(files, path)), { recursive: true });
    await writeFile(join(files, path), out, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
  }
}

/** What the repository ignores besides what its files say. */
async function excluded({ common }: SourceRepository): Promise<string> {
  return readFile(join(common, 'info', 'exclude'), 'utf8').catch(() => '');
}

/** Returns the text of a file with settings of git. */
function configText(settings: SourceRepository['settings']): string {
  const quote = (text: string) => `"${text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;
  return settings
    .map(([name, value]) => {
      const [section, last] = [name.slice(0, name.indexOf('.')), name.slice(name.lastIndexOf('.') + 1)];
      const middle = name.slice(section.length + 1, Math.max(name.length - last.length - 1, section.length + 1));
      const heading = middle === '' ? section : `${section} ${quote(middle)}`;
      return `[${heading}]\n\t${last} = ${quote(value).replaceAll('\n', String.raw`\n`)}\n`;
    })
    .join('');
}

/** Removes a copy and everything about it, also in the repository of the user's folder. Never rejects. */
export async function removePlace({ id, around }: CopyPlace, root: string): Promise<void> {
  await forgetBorrowed(root, id);
  await forgetFolder(id);
  await rm(around, { recursive: true, force: true }).catch(() => undefined);
}

/** Has the user's repository keep no longer what a copy borrowed. */
export async function forgetBorrowed(root: string, id: string): Promise<void> {
  const listed = lineOf(await plainGit(root, ['for-each-ref', '--format=%(refname)', `${borrowedRefs(id)}/`]));
  const names = listed.split('\n').filter(Boolean);
  if (names.length > 0)
    await plainGit(root, ['update-ref', '--stdin'], names.map((name) => `delete ${name}\n`).join(''));
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}

async function hasSubmodules(files: string): Promise<boolean> {
  return (await lstat(join(files, '.gitmodules')).catch(() => undefined))?.isFile() === true;
}

function notesOf(
  {
    inner,
    secret,
    skipped,
  }: { readonly inner: readonly string[]; readonly secret: readonly string[]; readonly skipped: readonly string[] },
  hasModules: boolean,
): readonly string[] {
  const list = (paths: readonly string[]) => {
    const more = paths.length - 5;
    const shown = paths.slice(0, 5).join(', ');
    return more > 0 ? l10n.t('{0}, and {1} more', shown, more) : shown;
  };
  const notes: string[] = [];
  if (secret.length > 0) {
    notes.push(l10n.t('Not copied, because they may have secrets: {0}.', list(secret)));
  }
  if (inner.length > 0) notes.push(l10n.t('Not copied, because they’re repositories of their own: {0}.', list(inner)));
  if (hasModules) notes.push(l10n.t('Submodules are empty in the copy.'));
  if (skipped.length > 0) notes.push(l10n.t('Not copied, because they aren’t ordinary files: {0}.', list(skipped)));
  return notes;
}
