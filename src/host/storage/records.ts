import { Disposable } from '../../shared/disposable';
import type { JsonFiles, fromLaterVersion } from './jsonFiles';
import type { StorageTroubles, StoredKind } from './storageTroubles';

/** What a record is to hold: asked for when it is written; undefined when the record is to go. */
type Make = () => string | undefined;

/** What the disk did not take is tried again after so long (ms), and after twice as long each time, up to the longest. */
const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/**
 * Records in a folder of ours, each a file that stands alone. What is to be written stays to be written until the disk has taken it: it is
 * tried again with the next change, with every flush, and after a while by itself. Nothing here rejects because of a full disk;
 * the user is told by `troubles`.
 */
export class Records extends Disposable {
  readonly files: JsonFiles;
  private readonly kind: StoredKind;
  private readonly troubles: StorageTroubles;
  private readonly before: () => void;
  /** What the disk has not taken yet, what was asked for first in front. */
  private readonly waiting = new Map<string, Make>();
  private writing: Promise<void> = Promise.resolve();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private retryMs = firstRetryMs;
  private hasFailed = false;

  /** `before` is done before anything is written; when it throws, nothing is. */
  constructor(files: JsonFiles, kind: StoredKind, troubles: StorageTroubles, before: () => void = () => undefined) {
    super();
    this.files = files;
    this.kind = kind;
    this.troubles = troubles;
    this.before = before;
    this.register({ dispose: () => clearTimeout(this.retry) });
  }

  /** Whether something waits that the disk did not take. */
  get isBehind(): boolean {
    return this.hasFailed;
  }

  /** The record is to hold this from the next flush on. */
  put(name: string, json: string | Make): void {
    this.waiting.set(name, typeof json === 'string' ? () => json : json);
  }

  /** The record is to go with the next flush. */
  remove(name: string): void {
    this.waiting.set(name, () => undefined);
  }

  /** What a record holds, also one that is still to be written; see `JsonFiles.load`. */
  async load<T>(
    name: string,
    parse: (json: unknown) => T | typeof fromLaterVersion | undefined,
  ): Promise<T | undefined> {
    const make = this.waiting.get(name);
    if (!make) return this.files.load(name, parse);
    const json = make();
    const parsed = json === undefined ? undefined : parse(JSON.parse(json));
    return typeof parsed === 'symbol' ? undefined : parsed;
  }

  /** Names of the records, also of those that are still to be written or to go. */
  async names(): Promise<readonly string[]> {
    const names = new Set([...(await this.files.names()), ...this.waiting.keys()]);
    // What was being written when a window was killed ends otherwise.
    return [...names].filter((name) => name.endsWith('.json'));
  }

  /** Resolves when everything up to now is on disk, or the disk has refused some of it; that is tried again. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  /** Writes everything up to now before anything else in this process can happen, now and from now on. */
  flushNow(): Promise<void> {
    this.files.hurry();
    // What is being written never comes to its end; it is still among what waits.
    this.writing = Promise.resolve();
    return this.flush();
  }

  private async write(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    let failure: { readonly error: unknown } | undefined;
    if (this.waiting.size > 0) {
      try {
        this.before();
      } catch (error) {
        failure = { error };
      }
    }
    for (const name of failure ? [] : [...this.waiting.keys()]) {
      // Asked for again meanwhile, it is written as it is now.
      const make = this.waiting.get(name);
      if (!make) continue;
      try {
        const json = make();
        await (json === undefined ? this.files.remove(name) : this.files.write(name, json));
        if (this.waiting.get(name) === make) this.waiting.delete(name);
      } catch (error) {
        // The others may be small enough.
        failure ??= { error };
      }
    }
    this.after(failure);
  }

  private after(failure: { readonly error: unknown } | undefined): void {
    if (failure) {
      this.hasFailed = true;
      this.troubles.notSaved(this.kind, failure.error);
      if (this.isDisposed) return;
      this.retry = setTimeout(() => void this.flush(), this.retryMs);
      this.retry.unref();
      this.retryMs = Math.min(longestRetryMs, this.retryMs * 2);
      return;
    }
    this.retryMs = firstRetryMs;
    if (!this.hasFailed || this.waiting.size > 0) return;
    this.hasFailed = false;
    this.troubles.saved(this.kind);
  }
}
