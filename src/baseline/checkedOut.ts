import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { eachCalmly } from './calmly';
import { allSettings } from '../git/git';
import { gitPlaceOf } from '../git/gitPlace';
import { lfsObject, pointerBytes, readPointer } from '../git/lfs';
import { eachBlob, git } from './git';

/** Time limit for one git command, in milliseconds. */
const patience = 20_000;
/** Windows has no permission bits. */
const hasModes = process.platform !== 'win32';
/** The mode of an entry that references a commit of another repository. */
export const gitlink = '160000';
const link = '120000';
/** The line breaks of a larger blob aren't counted. In bytes. */
const textBytes = 20_000_000;
/** Maximum number of looks at a repository whose index is written in the meantime. */
const looks = 4;
/** Maximum number of files to examine concurrently. */
const lanes = 16;
/** In nanoseconds. */
const second = 1_000_000_000n;
/** The attributes with which a file of the same size as its blob can still differ from it. */
const converting = ['filter', 'ident', 'working-tree-encoding'] as const;

/**
 * How a file's bytes follow from its blob: they are the same, or each line feed became a carriage return and a line feed, or they are the
 * object that an LFS pointer references.
 */
export type Form = 'same' | 'crlf' | LfsObject;

interface LfsObject {
  /** The file in which LFS stores it. Absolute. */
  readonly object: string;
  readonly sha256: string;
  readonly size: number;
}

/** An entry of git's index. */
export interface IndexEntry {
  readonly mode: string;
  readonly blob: string;
  /** The file's size when git last compared it, modulo 2^32. */
  readonly size: number;
  /** Changes whenever git compares the file after a write. */
  readonly stamp: string;
  /** Git doesn't look at the file: it's marked as unchanged or as not checked out. */
  readonly isUnseen: boolean;
}

/** A tracked file whose bytes are known without reading it. */
export interface ProvenFile extends IndexEntry {
  readonly form: Form;
  /** All permission bits, of which git compares only one. Undefined where there are none. */
  readonly bits?: number;
}

/** What is known about the tracked files on disk. Paths are relative with `/`. */
export interface CheckedOut {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** The folders above all entries. */
  readonly folders: ReadonlySet<string>;
  /** The files whose bytes are known, except those in other lists. */
  readonly proven: ReadonlyMap<string, ProvenFile>;
  /** Files that exist and whose bytes only the disk has. */
  readonly unproven: readonly string[];
  /** Files that git doesn't look at and that aren't there. */
  readonly missing: readonly string[];
}

/** A repository's places and settings. Absolute paths. */
export interface Repository {
  readonly top: string;
  /** Where git stores its objects. */
  readonly common: string;
  readonly index: string;
  readonly hasLinks: boolean;
  readonly hasFileMode: boolean;
  /** Git compares when a file was changed. If it doesn't, a change of permissions leaves no trace in the index. */
  readonly hasChangeTime: boolean;
  readonly attributesFile: string;
  readonly lfsStorage: string;
}

/** What is known about a blob. Never changes for an object id. */
interface BlobFacts {
  readonly size: number;
  /** Undefined until it's needed. */
  readonly text:
    | {
        /** The number of line feeds without a carriage return before them. */
        readonly loneFeeds: number;
        /** The whole text, if it may be an LFS pointer. */
        readonly pointer?: string;
      }
    | undefined;
}

/** What is remembered about a repository. */
interface Memory {
  /** Identifies the version of the index with these entries. */
  indexStamp: string | undefined;
  entries: ReadonlyMap<string, IndexEntry>;
  folders: ReadonlySet<string>;
  /** Identifies the versions of the index and of all files with attributes. */
  attributesStamp: string | undefined;
  attributes: ReadonlyMap<string, Attributes>;
  decidedStamp: string | undefined;
  decided: Decided;
}

/** What is decided about the entries of an index, whatever was written to their files since. */
interface Decided {
  readonly proven: Map<string, ProvenFile>;
  readonly unproven: string[];
  /** Files that git doesn't look at. */
  readonly unseen: string[];
  /** The files that are LFS objects. */
  readonly objects: (readonly [path: string, form: LfsObject])[];
}

/** The attributes of a path that may convert it, by name. */
type Attributes = ReadonlyMap<string, string>;

/** Resolves to undefined if git fails. */
async function repositoryAt(top: string): Promise<Repository | undefined> {
  const place = await gitPlaceOf(top);
  const all = place && (await allSettings(place));
  if (!all) return undefined;
  const settings = new Map(all);
  const isOn = (key: string) => !/^(false|no|off|0|)$/i.test(settings.get(key) ?? 'true');
  const own = settings.get('core.attributesfile')?.replace(/^~(?=\/)/, homedir());
  return {
    top,
    common: place.common,
    index: join(place.gitFolder, 'index'),
    hasLinks: isOn('core.symlinks'),
    hasFileMode: hasModes && isOn('core.filemode'),
    hasChangeTime: isOn('core.trustctime') && settings.get('core.checkstat')?.toLowerCase() !== 'minimal',
    attributesFile: own ?? join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'git', 'attributes'),
    lfsStorage: resolveFrom(place.common, settings.get('lfs.storage') ?? 'lfs'),
  };
}

/**
 * Decides for each tracked file whether its bytes on disk follow from git's objects, or must be recorded. "Clean" is git's opinion: filters
 * drop things, line breaks are converted, and marked files aren't looked at. What was found out about objects and unchanged entries is
 * remembered, so that only the first decision about a repository reads objects.
 */
export class Checkouts {
  private readonly blobs = new Map<string, BlobFacts>();
  private readonly memories = new Map<string, Memory>();
  private readonly repositories = new Map<string, Repository>();
  private readonly looking = new Map<string, Promise<unknown>>();

  /**
   * Looks at a repository. `listed` has the paths that git lists as different or untracked, which are recorded anyway. Resolves to undefined
   * if git fails.
   */
  look(repository: Repository, listed: () => Promise<readonly string[] | undefined>): Promise<CheckedOut | undefined> {
    const { top } = repository;
    // One after the other, so that a second look has what the first one found out.
    const look = (this.looking.get(top) ?? Promise.resolve()).then(() => this.lookNow(repository, listed));
    const ended = look.catch(() => undefined);
    this.looking.set(top, ended);
    return look;
  }

  /** Returns a repository's places and settings as they were last time. Resolves to undefined if git fails. */
  async repository(top: string): Promise<{ known: Repository; isSame: Promise<boolean> } | undefined> {
    const asked = repositoryAt(top);
    const known = this.repositories.get(top) ?? (await asked);
    if (!known) return undefined;
    const isSame = asked.then((now) => {
      if (now) this.repositories.set(top, now);
      else this.repositories.delete(top);
      return isDeepStrictEqual(now, known);
    });
    return { known, isSame };
  }

  private async lookNow(
    repository: Repository,
    listed: () => Promise<readonly string[] | undefined>,
  ): Promise<CheckedOut | undefined> {
    const { top, index } = repository;
    const memory = this.memoryOf(top);
    for (let left = looks; left > 0; left--) {
      const [entries, dirty, paths] = await Promise.all([this.entries(repository), dirtyOf(repository), listed()]);
      if (!entries || !dirty || !paths) return undefined;
      // Another program wrote the index, so these may be of different versions.
      if (memory.indexStamp !== (await stampOf(index))) continue;
      if (!(await this.readAttributes(repository, memory, paths)) || !(await this.decide(repository, memory))) {
        return undefined;
      }
      // Somebody else asked for the entries of a newer index.
      if (memory.entries !== entries) continue;
      return this.sort(repository, memory, new Set(paths), dirty);
    }
    return undefined;
  }

  /** Returns which of the decided files must be recorded now. */
  private async sort(
    repository: Repository,
    memory: Memory,
    listed: ReadonlySet<string>,
    dirty: readonly string[],
  ): Promise<CheckedOut> {
    const { top } = repository;
    const { entries, folders, decided } = memory;
    const lost = await withoutObjects(decided.objects);
    const isSeen = (path: string) => decided.proven.has(path);
    // Earlier baselines still need the permissions that they read.
    const proven = repository.hasChangeTime ? decided.proven : withoutBits(decided.proven);
    if (hasModes) lost.push(...(await readBits(top, proven, [...listed, ...dirty])));
    const there = await existing(top, decided.unseen);
    const unproven = new Set([...decided.unproven, ...dirty.filter(isSeen), ...lost, ...there]);
    return {
      entries,
      folders,
      proven,
      unproven: [...unproven].filter((path) => !listed.has(path)),
      missing: decided.unseen.filter((path) => !there.has(path)),
    };
  }

  /** Resolves to the index's entries by path, or undefined if git fails. Asks git only if the index was written since. */
  async entries({ top, index }: Repository): Promise<ReadonlyMap<string, IndexEntry> | undefined> {
    const memory = this.memoryOf(top);
    const stamp = await stampOf(index);
    if (memory.indexStamp === stamp) return memory.entries;
    const printed = await git(top, ['ls-files', '-s', '-v', '--debug', '-z'], patience);
    if (!printed) return undefined;
    const entries = await parseEntries(printed.toString('utf8'));
    const folders = await foldersAbove(entries.keys());
    memory.entries = entries;
    memory.folders = folders;
    // If it was written in the meantime, the entries may be of either version.
    memory.indexStamp = (await stampOf(index)) === stamp ? stamp : undefined;
    memory.attributesStamp = undefined;
    return entries;
  }

  /** Finds the attributes that can convert files. Resolves to false if git fails. */
  private async readAttributes(repository: Repository, memory: Memory, listed: readonly string[]): Promise<boolean> {
    const { top, common, attributesFile } = repository;
    const isSource = (path: string) => path === '.gitattributes' || path.endsWith('/.gitattributes');
    const own = [...new Set([...memory.entries.keys(), ...listed].filter(isSource))].map((path) => join(top, path));
    const sources = [...own, join(common, 'info', 'attributes'), attributesFile];
    const stamps = await Promise.all(sources.map(async (path) => `${path} ${await stampOf(path)}`));
    const stamp = stamps.join('\n');
    if (memory.attributesStamp === stamp) return true;
    // Only files with one of them, because git prints all others slowly.
    const some = `:(exclude,attr:${converting.map((name) => `!${name}`).join(' ')})`;
    const printed = await git(top, ['ls-files', '-z', '--', some], patience);
    const paths = printed?.toString('utf8').split('\0').filter(Boolean) ?? [...memory.entries.keys()];
    const found = new Map<string, Map<string, string>>();
    if (paths.length > 0) {
      const attributes = await git(top, ['check-attr', '-z', '--stdin', ...converting], patience, paths.join('\0'));
      if (!attributes) return false;
      const fields = attributes.toString('utf8').split('\0');
      for (let at = 0; at + 2 < fields.length; at += 3) {
        const [path = '', name = '', value = ''] = fields.slice(at, at + 3);
        if (value === 'unspecified' || value === 'unset') continue;
        found.set(path, (found.get(path) ?? new Map<string, string>()).set(name, value));
      }
    }
    memory.attributes = found;
    memory.attributesStamp = stamp;
    memory.decidedStamp = undefined;
    return true;
  }

  /** Decides about all entries. Resolves to false if git fails. */
  private async decide(repository: Repository, memory: Memory): Promise<boolean> {
    const stamp = `${String(repository.hasLinks)} ${repository.lfsStorage}`;
    if (memory.decidedStamp === stamp) return true;
    const { entries, attributes } = memory;
    const seen = [...entries].filter(([, { mode, isUnseen }]) => mode !== gitlink && !isUnseen);
    const blobs = new Set(seen.map(([, { blob }]) => blob));
    if (!(await this.readSizes(repository, blobs))) return false;
    const unread = new Set<string>();
    await eachCalmly(seen, ([path, entry]) => {
      const blob = this.blobs.get(entry.blob);
      if (blob && blob.text === undefined && needsText(entry, blob, attributes.get(path))) unread.add(entry.blob);
    });
    if (!(await this.readTexts(repository, [...unread]))) return false;
    const decided: Decided = { proven: new Map(), unproven: [], unseen: [], objects: [] };
    const before = memory.decided.proven;
    await eachCalmly(entries, ([path, entry]) => {
      if (entry.mode === gitlink) return;
      const form = formOf(entry, this.blobs.get(entry.blob), attributes.get(path), repository);
      if (entry.isUnseen) decided.unseen.push(path);
      else if (form === undefined) decided.unproven.push(path);
      else decided.proven.set(path, { ...entry, form, ...bitsOf(entry, before.get(path)) });
      if (!entry.isUnseen && typeof form === 'object') decided.objects.push([path, form]);
    });
    memory.decided = decided;
    memory.decidedStamp = stamp;
    return true;
  }

  private async readSizes({ top }: Repository, blobs: ReadonlySet<string>): Promise<boolean> {
    const unknown = [...blobs].filter((blob) => !this.blobs.has(blob));
    if (unknown.length === 0) return true;
    const asked = `${unknown.join('\n')}\n`;
    const printed = await git(top, ['cat-file', '--batch-check', '--buffer'], patience, asked);
    await eachCalmly(printed?.toString('latin1').split('\n') ?? [], (line) => {
      const [blob = '', kind, size] = line.split(' ');
      if (kind === 'blob') this.blobs.set(blob, { size: Number(size), text: undefined });
    });
    return printed !== undefined;
  }

  private async readTexts({ top }: Repository, blobs: readonly string[]): Promise<boolean> {
    if (blobs.length === 0) return true;
    let reading = '';
    let last = 0;
    let start = '';
    const texts = new Map<string, { loneFeeds: number; start: string }>();
    const isRead = await eachBlob(top, blobs, patience, (blob, chunk) => {
      if (blob !== reading) [reading, last, start] = [blob, 0, ''];
      if (start.length < pointerBytes) start += chunk.toString('latin1', 0, pointerBytes - start.length);
      const text = texts.get(blob) ?? { loneFeeds: 0, start };
      text.start = start;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0;
        if (byte === 10 && last !== 13) text.loneFeeds++;
        last = byte;
      }
      texts.set(blob, text);
    });
    for (const [blob, { loneFeeds, start: first }] of texts) {
      const size = this.blobs.get(blob)?.size ?? 0;
      const text = { loneFeeds, ...(size < pointerBytes && first.startsWith('version ') ? { pointer: first } : {}) };
      this.blobs.set(blob, { size, text });
    }
    return isRead;
  }

  private memoryOf(top: string): Memory {
    const known = this.memories.get(top);
    if (known) return known;
    const memory: Memory = {
      indexStamp: undefined,
      entries: new Map(),
      folders: new Set(),
      attributesStamp: undefined,
      attributes: new Map(),
      decidedStamp: undefined,
      decided: { proven: new Map(), unproven: [], unseen: [], objects: [] },
    };
    this.memories.set(top, memory);
    return memory;
  }
}

/**
 * Decides about one file that git calls clean. By that, the file's bytes are those of the blob if no conversion took place, and each
 * conversion shows in the size: one of line breaks adds a byte per converted break. Undefined if only the disk has the bytes.
 */
function formOf(
  entry: IndexEntry,
  blob: BlobFacts | undefined,
  attributes: Attributes | undefined,
  { hasLinks, lfsStorage }: Repository,
): Form | undefined {
  if (!blob || (entry.mode === link && !hasLinks)) return undefined;
  const isSameSize = isSize(entry, blob.size);
  if (entry.mode === link) return isSameSize ? 'same' : undefined;
  if (attributes?.get('filter') === 'lfs' && !attributes.has('working-tree-encoding')) {
    const pointer = blob.text?.pointer === undefined ? undefined : readPointer(blob.text.pointer);
    if (!pointer || pointer.size === blob.size) return undefined;
    if (isSameSize) return 'same';
    return isSize(entry, pointer.size) ? { object: lfsObject(lfsStorage, pointer), ...pointer } : undefined;
  }
  if (attributes?.has('filter') || attributes?.has('working-tree-encoding')) return undefined;
  if (isSameSize) return 'same';
  if (attributes?.has('ident') || blob.text === undefined) return undefined;
  return isSize(entry, blob.size + blob.text.loneFeeds) ? 'crlf' : undefined;
}

/** Permissions stay as they were read as long as the file's time of change in the index does. */
function bitsOf({ stamp }: IndexEntry, before: ProvenFile | undefined): { readonly bits?: number } {
  return before?.bits !== undefined && before.stamp === stamp ? { bits: before.bits } : {};
}

function withoutBits(proven: ReadonlyMap<string, ProvenFile>): Map<string, ProvenFile> {
  return new Map([...proven].map(([path, { bits: _, ...file }]) => [path, file]));
}

/** Reads the permissions of files for which they aren't known yet. Returns the files that are gone. */
async function readBits(top: string, proven: Decided['proven'], except: readonly string[]): Promise<string[]> {
  const gone: string[] = [];
  const unlike = new Set(except);
  const unknown = [...proven].filter(([path, { bits }]) => bits === undefined && !unlike.has(path));
  await inLanes(unknown, async ([path, file]) => {
    const info = await lstat(join(top, path)).catch(() => undefined);
    if (info) proven.set(path, { ...file, bits: info.mode & 0o7777 });
    else gone.push(path);
  });
  return gone;
}

/** Returns whether the decision about a file depends on the blob's text. */
function needsText({ mode, size }: IndexEntry, blob: BlobFacts, attributes: Attributes | undefined): boolean {
  if (mode === link || blob.size > textBytes) return false;
  if (attributes) return attributes.get('filter') === 'lfs' && blob.size < pointerBytes;
  return size > blob.size && size <= blob.size * 2;
}

function isSize({ size }: IndexEntry, bytes: number): boolean {
  return size === bytes % 2 ** 32;
}

/** Returns the files whose LFS object is missing or damaged. */
async function withoutObjects(files: Decided['objects']): Promise<string[]> {
  const lost: string[] = [];
  await inLanes(files, async ([path, { object, size }]) => {
    const info = await stat(object).catch(() => undefined);
    if (info?.size !== size) lost.push(path);
  });
  return lost;
}

/** Resolves to the bytes of a proven file. `read` reads blobs. Undefined if they are no longer there. */
export async function bytesOf(
  { blob, form, size }: ProvenFile,
  read: (blob: string) => Promise<Buffer | undefined>,
): Promise<Buffer | undefined> {
  if (typeof form !== 'string') {
    const bytes = await readFile(form.object).catch(() => undefined);
    return bytes && createHash('sha256').update(bytes).digest('hex') === form.sha256 ? bytes : undefined;
  }
  const content = await read(blob);
  const bytes = content && (form === 'same' ? content : withCarriageReturns(content));
  return bytes && size === bytes.byteLength % 2 ** 32 ? bytes : undefined;
}

/** Puts a carriage return before each line feed that has none. */
function withCarriageReturns(blob: Buffer): Buffer {
  const result = Buffer.allocUnsafe(blob.byteLength * 2);
  let at = 0;
  let last = 0;
  for (let from = 0; from < blob.length; from++) {
    const byte = blob[from] ?? 0;
    if (byte === 10 && last !== 13) result[at++] = 13;
    result[at++] = byte;
    last = byte;
  }
  return result.subarray(0, at);
}

/** Resolves to whether a file on disk still has its proven bytes and permissions. */
export async function isAsProven(path: string, file: ProvenFile, { hasFileMode }: Repository): Promise<boolean> {
  try {
    const info = await lstat(path);
    if (file.mode === link) {
      return info.isSymbolicLink() && gitHash(Buffer.from(await readlink(path)), file) === file.blob;
    }
    if (!info.isFile() || !isSize(file, info.size)) return false;
    if (hasFileMode && ((info.mode & 0o111) !== 0) !== (file.mode === '100755')) return false;
    if (file.bits !== undefined && file.bits !== (info.mode & 0o7777)) return false;
    const bytes = await readFile(path);
    if (typeof file.form !== 'string') return createHash('sha256').update(bytes).digest('hex') === file.form.sha256;
    return gitHash(file.form === 'same' ? bytes : withoutCarriageReturns(bytes), file) === file.blob;
  } catch {
    return false;
  }
}

/** Resolves to the files whose permissions differ from those that were read. */
export async function withOtherBits(top: string, proven: ReadonlyMap<string, ProvenFile>): Promise<string[]> {
  const found: string[] = [];
  await inLanes([...proven], async ([path, { mode, bits }]) => {
    if (bits === undefined || mode === link) return;
    const info = await lstat(join(top, path)).catch(() => undefined);
    if (info && (info.mode & 0o7777) !== bits) found.push(path);
  });
  return found;
}

/** Resolves to whether a file wasn't written since git last compared it. */
export async function isAsWritten(path: string, { size, stamp }: IndexEntry): Promise<boolean> {
  const info = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!info || Number(info.size) % 2 ** 32 !== size) return false;
  const written = `${info.mtimeNs / second}:${info.mtimeNs % second}`;
  return stamp.split(' ')[1] === written;
}

/** Removes the carriage return before each line feed. */
function withoutCarriageReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** Returns git's object id of a file's content. */
function gitHash(bytes: Buffer, { blob }: IndexEntry): string {
  const hash = createHash(blob.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}

/** Resolves to the paths that exist. Reads each folder once, and none below a missing one. */
export async function existing(top: string, paths: readonly string[]): Promise<Set<string>> {
  const names = new Map<string, Promise<ReadonlySet<string>>>();
  const namesIn = (folder: string): Promise<ReadonlySet<string>> => {
    const known = names.get(folder);
    if (known) return known;
    const found = isFolder(folder).then(async (isThere) =>
      isThere ? new Set(await readdir(join(top, folder)).catch(() => [])) : new Set<string>(),
    );
    names.set(folder, found);
    return found;
  };
  const isFolder = async (folder: string) => {
    if (folder === '.') return true;
    const has = (await namesIn(posix.dirname(folder))).has(posix.basename(folder));
    return has && (await lstat(join(top, folder)).catch(() => undefined))?.isDirectory() === true;
  };
  const found = new Set<string>();
  await inLanes(paths, async (path) => {
    if ((await namesIn(posix.dirname(path))).has(posix.basename(path))) found.add(path);
  });
  return found;
}

/** Resolves to the paths whose size, time, or inode differ from the index, whatever their content. */
export async function dirtyOf({ top }: Repository): Promise<string[] | undefined> {
  const printed = await git(top, ['diff-files', '--name-only', '-z', '--ignore-submodules=all'], patience);
  return printed?.toString('utf8').split('\0').filter(Boolean);
}

/** Parses the output of `git ls-files -s -v --debug -z`. A conflict has several entries for a path, of which the last one counts. */
export async function parseEntries(text: string): Promise<Map<string, IndexEntry>> {
  // A path ends with a zero. The file's times and size follow.
  const piece =
    /^(?: {2}ctime: (\S+)\n {2}mtime: (\S+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: \w+\n)?(?:(\S) (\d+) (\w+) \d\t(.*))?$/s;
  const entries = new Map<string, IndexEntry>();
  let before: RegExpExecArray | undefined;
  const unclear: string[] = [];
  await eachCalmly(text.split('\0'), (one) => {
    const match = piece.exec(one);
    if (!match) {
      unclear.push(one);
      return;
    }
    const [, changed = '', written = '', inode = '', size = ''] = match;
    const [, , , , , tag = '', mode = '', blob = '', path = ''] = before ?? [];
    if (before) {
      const stamp = `${changed} ${written} ${inode}`;
      entries.set(path, { mode, blob, size: Number(size), stamp, isUnseen: tag === 'S' || tag !== tag.toUpperCase() });
    }
    before = match[8] === undefined ? undefined : match;
  });
  return unclear.length === 0 ? entries : new Map();
}

async function foldersAbove(paths: Iterable<string>): Promise<Set<string>> {
  const folders = new Set<string>();
  await eachCalmly(paths, (path) => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  });
  return folders;
}

/** Identifies a version of a file. */
async function stampOf(path: string): Promise<string> {
  const info = await stat(path, { bigint: true }).catch(() => undefined);
  return info ? [info.ino, info.size, info.mtimeNs, info.ctimeNs].join(' ') : 'none';
}

export async function inLanes<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  let at = 0;
  const lane = async () => {
    while (at < items.length) await act(items[at++] as T);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
}

function resolveFrom(folder: string, path: string): string {
  return /^([a-z]:)?[\\/]/i.test(path) ? path : join(folder, path);
}
