import { join } from 'node:path';
import type { AgentAuthor } from '../../../review/hunks/hunk';
import type { ReviewLog, ReviewLogMarks } from '../../../review/log/reviewLog';
import {
  fromFileJson,
  keepsOf,
  toFileJson,
  withKeepsAfter,
  type TrackedFileJson,
} from '../../../review/log/trackedFileData';
import { Disposable } from '../../../shared/values/disposable';
import { fields, list, number, oneOf, optional, text } from '../../../shared/values/shape';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../../storage/jsonFiles';
import { Records } from '../../storage/records';
import type { StoragePlace } from '../../storage/storageTroubles';
import type { StorageWindows } from '../../storage/storageWindows';

/** Minimum delay before a change is written, in milliseconds. Longer while saving is slow. */
const shortestWaitMs = 50;
const longestWaitMs = 10_000;
/** Maximum fraction of time spent on creating JSON. */
const workShare = 0.05;
/** Maximum characters written per millisecond while changes continue, because each write has the whole file. */
const mostPerMs = 4000;

/** A turn that was running when the log was stored. Later changes during it belong to it. */
export interface StoredTurn {
  readonly author: AgentAuthor;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** A file under review. Contains the file's URI, so that it can be read without an index. */
interface FileRecord {
  readonly version: 2;
  readonly uri: string;
  readonly file: TrackedFileJson;
  /** Folders above the file that an agent created, so that an undo removes them. */
  readonly folders?: readonly string[];
}

/** The folders above reviewed files that an agent created. Paths are absolute. */
export interface CreatedFolders {
  foldersFor(uri: string): readonly string[];
  /** Called with what `foldersFor` returned when the file was stored. */
  noteFoldersFor(uri: string, folders: readonly string[]): void;
}

const noFolders: CreatedFolders = { foldersFor: () => [], noteFoldersFor: () => undefined };

/** A window's data besides its files. */
interface Marks extends Omit<ReviewLogMarks, 'version'> {
  readonly version: 2;
  readonly turns: readonly StoredTurn[];
}

const turnsShape = list(
  fields({
    author: fields({ agentName: text, session: text, turn: number }),
    startedAt: number,
  }),
);
const counted = { nextHunk: number, nextKeep: number, keeps: list(number), turns: turnsShape };
const marksShape = fields({ version: oneOf(2), ...counted });
/** Earlier versions had an index of files, and no URI in the files themselves. */
const indexShape = fields({ version: oneOf(1), files: list(text), ...counted });
const recordShape = fields({
  version: oneOf(2),
  uri: text,
  file: fields({}),
  folders: optional(list(text)),
});

/**
 * The name of a record: the hash of a file's URI or `marks`, and the window's id, which is absent in earlier versions.
 */
const recordName = /^([0-9a-f]{40}|marks)(?:\.([\da-z-]+))?\.json$/;
const indexName = 'index.json';

/** The records of a closed window. */
interface Left {
  readonly marks: string | undefined;
  readonly files: string[];
}

/**
 * Stores a review log in a folder, one file per reviewed file and window, so that pending changes survive a reload or a
 * crash of the extension host. Writes are atomic.
 */
export class ReviewStore extends Disposable {
  private readonly log: ReviewLog;
  private readonly records: Records;
  private readonly windows: StorageWindows;
  private readonly turns: () => readonly StoredTurn[];
  private readonly folders: CreatedFolders;
  private isLoaded = false;
  private writtenMarks = '';
  private waitMs = shortestWaitMs;
  private busyMs = 0;
  private size = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `turns` returns the running turns. `folders` knows which folders above a file an agent created. */
  constructor(
    log: ReviewLog,
    turns: () => readonly StoredTurn[],
    { storage, windows, troubles }: StoragePlace,
    folders: CreatedFolders = noFolders,
  ) {
    super();
    this.folders = folders;
    this.log = log;
    this.turns = turns;
    this.windows = windows;
    const files = new JsonFiles(join(storage, 'review'), (path) => troubles.setAside('changes', path));
    this.records = this.register(new Records(files, 'changes', troubles, () => windows.enter()));
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  /**
   * Loads the records of closed windows. The first call must come before anything else is in the log, and starts
   * storing its changes. Records of files that are already under review in this window stay where they are.
   */
  async load(): Promise<{
    readonly files: readonly string[];
    readonly turns: readonly StoredTurn[];
    /** How many closed windows they are of. */
    readonly windows: number;
  }> {
    const closed = await this.recordsOfClosedWindows();
    const loaded = { files: [] as string[], turns: [] as StoredTurn[], windows: closed.length };
    for (const left of closed) {
      const { files, turns } = await this.adoptRecords(left);
      loaded.files.push(...files);
      loaded.turns.push(...turns);
    }
    if (this.isDisposed) return { files: [], turns: [], windows: 0 };
    if (!this.isLoaded) this.register(this.log.onDidChange((uris) => this.changed(uris)));
    this.isLoaded = true;
    if (loaded.files.length > 0) this.changed([]);
    return loaded;
  }

  /** Called when a turn starts or ends. */
  turnsChanged(): void {
    this.changed([]);
  }

  /** Resolves once all changes up to now are on disk or scheduled for a retry. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.putMarks();
    this.busyMs = 0;
    this.size = 0;
    await this.records.flush();
    const { busyMs, size } = this;
    this.waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, busyMs / workShare, size / mostPerMs));
  }

  /** Writes all changes synchronously, now and from now on. */
  flushNow(): void {
    this.putMarks();
    void this.records.flushNow();
  }

  private changed(uris: readonly string[]): void {
    for (const uri of uris) this.records.set(this.nameOf(uri), () => this.make(uri));
    if (this.isDisposed) return;
    this.timer ??= setTimeout(() => void this.flush(), this.waitMs);
  }

  /** Returns the record of a file, or undefined if there is nothing to store. */
  private make(uri: string): string | undefined {
    const data = this.log.file(uri)?.snapshot;
    const isPending = this.log.file(uri)?.status !== undefined;
    if (data === undefined || (!isPending && data.kept.length + data.keptTraits.length === 0)) return undefined;
    const start = performance.now();
    const folders = this.folders.foldersFor(uri);
    const record: FileRecord = { version: 2, uri, file: toFileJson(data), ...(folders.length > 0 && { folders }) };
    const json = JSON.stringify(record);
    this.busyMs += performance.now() - start;
    this.size += json.length;
    return json;
  }

  private putMarks(): void {
    // The window may close before it has loaded the records of the previous one.
    if (!this.isLoaded) return;
    const { nextHunk, nextKeep, keeps } = this.log.marks;
    const turns = this.turns();
    const json = JSON.stringify({ version: 2, nextHunk, nextKeep, keeps, turns } satisfies Marks);
    // A window without any changes writes no file.
    if (json === this.writtenMarks || (this.writtenMarks === '' && nextHunk === 1 && turns.length === 0)) return;
    this.writtenMarks = json;
    this.records.set(this.marksName, json);
  }

  /** Returns the records of closed windows, by window. Records of earlier versions have no window id. */
  private async recordsOfClosedWindows(): Promise<readonly Left[]> {
    const others = await this.windows.others();
    const byOwner = new Map<string, Left>();
    for (const name of await this.records.files.names()) {
      const [, what, owner = ''] = recordName.exec(name) ?? [];
      const isIndex = name === indexName;
      if ((what === undefined && !isIndex) || owner === this.windows.id || others.has(owner)) continue;
      const known = byOwner.get(owner) ?? { marks: undefined, files: [] };
      if (what === 'marks' || isIndex) byOwner.set(owner, { ...known, marks: name });
      else byOwner.set(owner, { ...known, files: [...known.files, name] });
    }
    return [...byOwner.values()];
  }

  private async adoptRecords({
    marks: name,
    files: names,
  }: Left): Promise<{ files: string[]; turns: readonly StoredTurn[] }> {
    const { files } = this.records;
    const index = name === indexName ? await files.load(name, readIndex) : undefined;
    const marks = index ?? (name === undefined || name === indexName ? undefined : await files.load(name, readMarks));
    const uris = new Map(index?.files.map((uri) => [JsonFiles.nameOf(uri), uri]));
    const read: (readonly [uri: string, file: TrackedFileJson])[] = [];
    for (const one of names) {
      const record = await files.load(one, (json) => readRecord(json, uris.get(one)));
      if (!record || this.log.file(record.uri) || !(await this.claim(one, record))) continue;
      read.push([record.uri, record.file]);
      this.folders.noteFoldersFor(record.uri, record.folders ?? []);
    }
    if (read.length > 0) {
      // Gives keeps new numbers, because those of other windows may overlap with this window's.
      const after = this.log.marks.nextKeep - 1;
      const taken = read.map(([uri, file]) => [uri, withKeepsAfter(file, after)] as const);
      const keeps = [...new Set(taken.flatMap(([, file]) => keepsOf(file)))].sort((a, b) => a - b);
      const nextHunk = Math.max(marks?.nextHunk ?? 1, ...taken.map(([, file]) => lastHunk(file) + 1));
      const nextKeep = Math.max(after + (marks?.nextKeep ?? 1), (keeps.at(-1) ?? 0) + 1);
      this.log.adopt({ version: 1, nextHunk, nextKeep, keeps, files: taken });
      for (const [uri] of taken) this.records.set(this.nameOf(uri), () => this.make(uri));
    }
    // No remaining record needs the index.
    const rest = await files.names();
    if (name !== undefined && marks && !names.some((one) => rest.includes(one))) this.records.remove(name);
    return { files: read.map(([uri]) => uri), turns: marks?.turns ?? [] };
  }

  /** Renames a record of a closed window to this window's, unless another window was faster. */
  private async claim(name: string, { uri }: FileRecord): Promise<boolean> {
    try {
      this.windows.enter();
    } catch {
      // The disk isn't writable, so no other window can claim the record either.
    }
    return (await this.records.files.rename(name, this.nameOf(uri))) !== 'gone';
  }

  private nameOf(uri: string): string {
    return JsonFiles.nameOf(uri).replace('.json', `.${this.windows.id}.json`);
  }

  private get marksName(): string {
    return `marks.${this.windows.id}.json`;
  }
}

function readMarks(json: unknown) {
  if (isOfLaterVersion(json, 2)) return fromLaterVersion;
  return marksShape(json) ? (json as unknown as Marks) : undefined;
}

function readIndex(json: unknown) {
  if (isOfLaterVersion(json, 2)) return fromLaterVersion;
  type Index = Omit<Marks, 'version'> & { readonly files: readonly string[] };
  return indexShape(json) ? (json as unknown as Index) : undefined;
}

/** `uri`: the record's file according to an index of an earlier version. */
function readRecord(json: unknown, uri: string | undefined) {
  if (isOfLaterVersion(json, 2)) return fromLaterVersion;
  const record: Omit<FileRecord, 'uri'> & { readonly uri: string | undefined } = recordShape(json)
    ? (json as unknown as FileRecord)
    : { version: 2 as const, uri, file: json as TrackedFileJson };
  if (record.uri === undefined || fromFileJson(record.file) === undefined) return undefined;
  return { ...record, uri: record.uri };
}

/** Returns the highest number in the ids of a file's changes. */
function lastHunk({ hunks, kept, traits, keptTraits }: TrackedFileJson): number {
  const ids = [...hunks, ...kept, ...traits.changes, ...keptTraits.map(({ change }) => change)].map(({ id }) => id);
  return Math.max(0, ...ids.map((id) => Number(id.slice(1)) || 0));
}
