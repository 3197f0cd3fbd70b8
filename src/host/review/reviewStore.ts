import type { AgentAuthor } from '../../review/hunk';
import type { ReviewLog, ReviewLogMarks } from '../../review/reviewLog';
import { toFileJson, type TrackedFileJson } from '../../review/trackedFileData';
import { Disposable } from '../../shared/disposable';
import { JsonFiles } from '../storage/jsonFiles';

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

interface Index extends ReviewLogMarks {
  readonly files: readonly string[];
  readonly turns: readonly StoredTurn[];
}

/**
 * Keeps a review log in a folder of its own, one file per file under review, so that nothing that waits for the user is
 * lost when the window is loaded again or the extension host dies. Each write is whole or not there.
 */
export class ReviewStore extends Disposable {
  private readonly log: ReviewLog;
  private readonly files: JsonFiles;
  private readonly turns: () => readonly StoredTurn[];
  private readonly report: (error: unknown) => void;
  private readonly unsaved = new Set<string>();
  /** What is being saved, and may not be on disk yet. */
  private taken: readonly string[] = [];
  private stored = new Set<string>();
  private isLoaded = false;
  private writtenIndex = '';
  private waitMs = shortestWaitMs;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> = Promise.resolve();

  /** `turns` tells of the turns that run now. */
  constructor(log: ReviewLog, folder: string, turns: () => readonly StoredTurn[], report: (error: unknown) => void) {
    super();
    this.log = log;
    this.files = new JsonFiles(folder);
    this.turns = turns;
    this.report = report;
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  /** Brings back what was stored, once, before anything else is in the log; from now on its changes are stored. */
  async load(): Promise<{ readonly files: readonly string[]; readonly turns: readonly StoredTurn[] }> {
    const index = await this.readIndex();
    if (index) {
      const files = await Promise.all(index.files.map(async (uri) => [uri, await this.readFile(uri)] as const));
      const read = files.filter((one): one is readonly [string, TrackedFileJson] => one[1] !== undefined);
      const { version, nextHunk, nextKeep, keeps } = index;
      this.log.takeUp({ version, nextHunk, nextKeep, keeps, files: read });
      this.stored = new Set(index.files);
    }
    this.isLoaded = true;
    if (this.isDisposed) return { files: [], turns: [] };
    this.register(this.log.onDidChange((uris) => this.changed(uris)));
    return { files: index?.files ?? [], turns: index?.turns ?? [] };
  }

  /** Which turns run has changed. */
  turnsChanged(): void {
    this.changed([]);
  }

  /** Resolves when everything up to now is on disk. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.saving = this.saving.then(() => this.save()).catch(this.report);
    return this.saving;
  }

  /** Writes everything up to now before anything else in this process can happen, now and from now on. */
  flushNow(): void {
    this.files.hurry();
    for (const uri of this.taken) this.unsaved.add(uri);
    this.saving = Promise.resolve();
    void this.flush();
  }

  private changed(uris: readonly string[]): void {
    for (const uri of uris) this.unsaved.add(uri);
    if (this.isDisposed) return;
    this.timer ??= setTimeout(() => void this.flush(), this.waitMs);
  }

  private async save(): Promise<void> {
    // A window can end before it knows what the one before it left.
    if (!this.isLoaded) return;
    const uris = [...this.unsaved];
    this.taken = uris;
    this.unsaved.clear();
    const gone: string[] = [];
    let busyMs = 0;
    let size = 0;
    for (const uri of uris) {
      const data = this.log.file(uri)?.snapshot;
      const isSettled = data === undefined || (!this.isPending(uri) && data.kept.length + data.keptTraits.length === 0);
      if (isSettled) {
        if (this.stored.delete(uri)) gone.push(uri);
        continue;
      }
      const start = performance.now();
      const json = JSON.stringify(toFileJson(data));
      busyMs += performance.now() - start;
      size += json.length;
      await this.files.write(JsonFiles.nameOf(uri), json);
      this.stored.add(uri);
    }
    const start = performance.now();
    const index: Index = { ...this.log.marks, files: [...this.stored], turns: this.turns() };
    const written = JSON.stringify(index);
    busyMs += performance.now() - start;
    this.waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, busyMs / workShare, size / mostPerMs));
    if (written !== this.writtenIndex) await this.files.write('index.json', written);
    this.writtenIndex = written;
    this.taken = [];
    // Only now does nothing name them any more.
    for (const uri of gone) if (!this.stored.has(uri)) await this.files.remove(JsonFiles.nameOf(uri));
  }

  private isPending(uri: string): boolean {
    return this.log.file(uri)?.status !== undefined;
  }

  private async readIndex(): Promise<Index | undefined> {
    const index = (await this.files.read('index.json')) as Partial<Index> | undefined;
    const lists: readonly unknown[] = [index?.files, index?.turns, index?.keeps];
    return lists.every(Array.isArray) ? (index as Index) : undefined;
  }

  private async readFile(uri: string): Promise<TrackedFileJson | undefined> {
    return (await this.files.read(JsonFiles.nameOf(uri))) as TrackedFileJson | undefined;
  }
}
