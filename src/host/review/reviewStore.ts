import { join } from 'node:path';
import * as z from 'zod/mini';
import type { AgentAuthor } from '../../review/hunk';
import type { ReviewLog, ReviewLogMarks } from '../../review/reviewLog';
import { fromFileJson, keepsOf, toFileJson, withKeepsAfter, type TrackedFileJson } from '../../review/trackedFileData';
import { Disposable } from '../../shared/disposable';
import { fromLaterVersion, JsonFiles } from '../storage/jsonFiles';
import { Records } from '../storage/records';
import type { StoragePlace } from '../storage/storageTroubles';
import type { StorageWindows } from '../storage/storageWindows';

/** A change is on disk this long (ms) after it was made, or later while saving takes long. */
const shortestWaitMs = 50;
const longestWaitMs = 10_000;
/** Making JSON may take this share of our time. */
const workShare = 0.05;
/** While changes go on, so many characters a millisecond are written at most: a large file that is typed in is whole each time. */
const mostPerMs = 4000;

/** A turn that ran when the log was stored: what it changed since belongs to it. */
export interface StoredTurn {
  readonly author: AgentAuthor;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** A file under review. It says itself which file it is of, so that no list of them can be lost. */
interface FileRecord {
  readonly version: 2;
  readonly uri: string;
  readonly file: TrackedFileJson;
}

/** What a window knows beside its files. */
interface Marks extends Omit<ReviewLogMarks, 'version'> {
  readonly version: 2;
  readonly turns: readonly StoredTurn[];
}

const turnsShape = z.array(
  z.looseObject({
    author: z.looseObject({ agentName: z.string(), session: z.string(), turn: z.number() }),
    startedAt: z.number(),
  }),
);
const counted = { nextHunk: z.number(), nextKeep: z.number(), keeps: z.array(z.number()), turns: turnsShape };
const marksShape = z.looseObject({ version: z.literal(2), ...counted });
/** Of earlier versions, which kept a list of the files and nothing in them that named them. */
const indexShape = z.looseObject({ version: z.literal(1), files: z.array(z.string()), ...counted });
const recordShape = z.looseObject({ version: z.literal(2), uri: z.string(), file: z.looseObject({}) });

/** The name of a record: a file's, by the hash of its URI, or the marks'; and the window whose it is, absent for earlier versions. */
const recordName = /^([0-9a-f]{40}|marks)(?:\.([\da-z-]+))?\.json$/;
const indexName = 'index.json';

/** What is there of one window that is gone. */
interface Left {
  readonly marks: string | undefined;
  readonly files: string[];
}

/**
 * Keeps a review log in a folder of its own, one file per file under review and window, so that nothing that waits for the user is
 * lost when the window is loaded again or the extension host dies. Each write is whole or not there.
 */
export class ReviewStore extends Disposable {
  private readonly log: ReviewLog;
  private readonly records: Records;
  private readonly windows: StorageWindows;
  private readonly turns: () => readonly StoredTurn[];
  private isLoaded = false;
  private writtenMarks = '';
  private waitMs = shortestWaitMs;
  private busyMs = 0;
  private size = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `turns` tells of the turns that run now. */
  constructor(log: ReviewLog, turns: () => readonly StoredTurn[], { storage, windows, troubles }: StoragePlace) {
    super();
    this.log = log;
    this.turns = turns;
    this.windows = windows;
    const files = new JsonFiles(join(storage, 'review'), (path) => troubles.setAside('changes', path));
    this.records = this.register(new Records(files, 'changes', troubles, () => windows.enter()));
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  /**
   * Brings back what windows that are gone have stored, for the first time before anything else is in the log; from then on its changes are
   * stored. What is of a file that is under review here already stays where it is.
   */
  async load(): Promise<{ readonly files: readonly string[]; readonly turns: readonly StoredTurn[] }> {
    const loaded = { files: [] as string[], turns: [] as StoredTurn[] };
    for (const left of await this.left()) {
      const { files, turns } = await this.takeUp(left);
      loaded.files.push(...files);
      loaded.turns.push(...turns);
    }
    if (this.isDisposed) return { files: [], turns: [] };
    if (!this.isLoaded) this.register(this.log.onDidChange((uris) => this.changed(uris)));
    this.isLoaded = true;
    if (loaded.files.length > 0) this.changed([]);
    return loaded;
  }

  /** Which turns run has changed. */
  turnsChanged(): void {
    this.changed([]);
  }

  /** Resolves when everything up to now is on disk, or waits to be tried again. */
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

  /** Writes everything up to now before anything else in this process can happen, now and from now on. */
  flushNow(): void {
    this.putMarks();
    void this.records.flushNow();
  }

  private changed(uris: readonly string[]): void {
    for (const uri of uris) this.records.put(this.nameOf(uri), () => this.make(uri));
    if (this.isDisposed) return;
    this.timer ??= setTimeout(() => void this.flush(), this.waitMs);
  }

  /** The record of a file as it is now; undefined when nothing of it has to be kept. */
  private make(uri: string): string | undefined {
    const data = this.log.file(uri)?.snapshot;
    const isPending = this.log.file(uri)?.status !== undefined;
    if (data === undefined || (!isPending && data.kept.length + data.keptTraits.length === 0)) return undefined;
    const start = performance.now();
    const json = JSON.stringify({ version: 2, uri, file: toFileJson(data) } satisfies FileRecord);
    this.busyMs += performance.now() - start;
    this.size += json.length;
    return json;
  }

  private putMarks(): void {
    // A window can end before it knows what the one before it left.
    if (!this.isLoaded) return;
    const { nextHunk, nextKeep, keeps } = this.log.marks;
    const turns = this.turns();
    const json = JSON.stringify({ version: 2, nextHunk, nextKeep, keeps, turns } satisfies Marks);
    // A window in which nothing ever happened leaves nothing.
    if (json === this.writtenMarks || (this.writtenMarks === '' && nextHunk === 1 && turns.length === 0)) return;
    this.writtenMarks = json;
    this.records.put(this.marksName, json);
  }

  /** What windows left that are gone, window by window; without an id that of earlier versions. */
  private async left(): Promise<readonly Left[]> {
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

  private async takeUp({
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
    }
    if (read.length > 0) {
      // Their keeps are no keeps of this window's, whatever their numbers.
      const after = this.log.marks.nextKeep - 1;
      const taken = read.map(([uri, file]) => [uri, withKeepsAfter(file, after)] as const);
      const keeps = [...new Set(taken.flatMap(([, file]) => keepsOf(file)))].sort((a, b) => a - b);
      const nextHunk = Math.max(marks?.nextHunk ?? 1, ...taken.map(([, file]) => lastHunk(file) + 1));
      const nextKeep = Math.max(after + (marks?.nextKeep ?? 1), (keeps.at(-1) ?? 0) + 1);
      this.log.adopt({ version: 1, nextHunk, nextKeep, keeps, files: taken });
      for (const [uri] of taken) this.records.put(this.nameOf(uri), () => this.make(uri));
    }
    // Nothing that is left needs it.
    const rest = await files.names();
    if (name !== undefined && marks && !names.some((one) => rest.includes(one))) this.records.remove(name);
    return { files: read.map(([uri]) => uri), turns: marks?.turns ?? [] };
  }

  /** A record of a window that is gone becomes one of this window's, unless another was quicker. */
  private async claim(name: string, { uri }: FileRecord): Promise<boolean> {
    try {
      this.windows.enter();
    } catch {
      // A disk that takes nothing: nobody else can take it up either.
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

function versionOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null ? (json as { readonly version?: unknown }).version : undefined;
}

function isLater(json: unknown): boolean {
  const version = versionOf(json);
  return typeof version === 'number' && version > 2;
}

function readMarks(json: unknown) {
  if (isLater(json)) return fromLaterVersion;
  return marksShape.safeParse(json).success ? (json as Marks) : undefined;
}

function readIndex(json: unknown) {
  if (isLater(json)) return fromLaterVersion;
  type Index = Omit<Marks, 'version'> & { readonly files: readonly string[] };
  return indexShape.safeParse(json).success ? (json as Index) : undefined;
}

/** `uri`: what an index of an earlier version says that the record is of. */
function readRecord(json: unknown, uri: string | undefined) {
  if (isLater(json)) return fromLaterVersion;
  const isRecord = recordShape.safeParse(json).success;
  const record = isRecord ? (json as FileRecord) : { version: 2 as const, uri, file: json as TrackedFileJson };
  if (record.uri === undefined || fromFileJson(record.file) === undefined) return undefined;
  return { ...record, uri: record.uri };
}

/** The highest number among the ids of a file's changes. */
function lastHunk({ hunks, kept, traits, keptTraits }: TrackedFileJson): number {
  const ids = [...hunks, ...kept, ...traits.changes, ...keptTraits.map(({ change }) => change)].map(({ id }) => id);
  return Math.max(0, ...ids.map((id) => Number(id.slice(1)) || 0));
}
