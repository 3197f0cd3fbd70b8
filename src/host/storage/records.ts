import { Disposable } from '../../shared/values/disposable';
import type { JsonFiles, fromLaterVersion } from './jsonFiles';
import type { StorageTroubles, StoredKind } from './storageTroubles';

/** Returns a record's content when it's written, or undefined to remove the record. */
type Make = () => string | undefined;

/** Delay before a failed write is retried, in milliseconds. Doubles each time, up to the maximum. */
const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/**
 * Records in one of Parley's folders, each an independent file. A write stays pending until it succeeds: it's retried
 * with the next change, with every flush, and after a while. A full disk never rejects. `troubles` informs the user.
 */
export class Records extends Disposable {
  readonly files: JsonFiles;
  private readonly kind: StoredKind;
  private readonly troubles: StorageTroubles;
  private readonly before: () => void;
  /** Pending writes, the oldest first. */
  private readonly waiting = new Map<string, Make>();
  private writing: Promise<void> = Promise.resolve();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private retryMs = firstRetryMs;
  private hasFailed = false;

  /** `before` runs before each write. If it throws, nothing is written. */
  constructor(files: JsonFiles, kind: StoredKind, troubles: StorageTroubles, before: () => void = () => undefined) {
    super();
    this.files = files;
    this.kind = kind;
    this.troubles = troubles;
    this.before = before;
    this.register({ dispose: () => clearTimeout(this.retry) });
  }

  /** True if a write failed and is still pending. */
  get isBehind(): boolean {
    return this.hasFailed;
  }

  /** Schedules a record for the next flush. */
  set(name: string, json: string | Make): void {
    this.waiting.set(name, typeof json === 'string' ? () => json : json);
  }

  /** Schedules a removal for the next flush. */
  remove(name: string): void {
    this.waiting.set(name, () => undefined);
  }

  /** Reads a record, also one that is still pending. See `JsonFiles.load`. */
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

  /** Returns the names of the records, including pending writes and removals. */
  async names(): Promise<readonly string[]> {
    const names = new Set([...(await this.files.names()), ...this.waiting.keys()]);
    // The drafts of a killed window have another extension.
    return [...names].filter((name) => name.endsWith('.json'));
  }

  /** Resolves once everything up to now is on disk, or was refused and will be retried. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  /** Writes everything synchronously, now and on later changes. */
  flushNow(): Promise<void> {
    this.files.hurry();
    // Writes in progress never finish. They are still pending.
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
      // If another write was requested in the meantime, this one has its content.
      const make = this.waiting.get(name);
      if (!make) continue;
      try {
        const json = make();
        await (json === undefined ? this.files.remove(name) : this.files.write(name, json));
        if (this.waiting.get(name) === make) this.waiting.delete(name);
      } catch (error) {
        // Other records may be small enough.
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
