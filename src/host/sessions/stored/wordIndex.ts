import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { StoredSession } from '../../../session/transcript/storedSession';
import { attempt } from '../../../shared/values/attempt';
import { Disposable } from '../../../shared/values/disposable';
import { Emitter, type Event } from '../../../shared/values/event';
import type { EntryId, SessionKey } from '../../../shared/values/ids';
import { isRecord } from '../../../shared/values/isRecord';
import { JsonFiles } from '../../storage/jsonFiles';
import { findSaid, saidIn, wordsOf, type Said } from './saidText';
import type { StoredListing } from './storedListing';
import { mayHave, signText } from './wordSignature';

/** The sessions whose words are indexed. */
export interface IndexedStore {
  readonly stored: readonly StoredListing[];
  readonly onDidRemove: Event<StoredListing>;
  read(key: SessionKey): Promise<StoredSession | undefined>;
}

/** A session in which all words were said. */
export interface FoundWords {
  readonly key: SessionKey;
  readonly entry: EntryId;
  readonly sentence: string;
}

/** What the index knows of a session without reading its text. */
interface Indexed {
  /** The session's listing when it was indexed. */
  readonly size: number;
  readonly updatedAt: number;
  readonly signature: Uint8Array;
}

const indexName = 'index.json';
/** Maximum number of results. */
const maxFound = 50;
/** Making the index takes at most this fraction of the time. */
const workShare = 0.25;
/** How many sessions are indexed before the index is written. */
const writeEvery = 50;

/**
 * Finds words that were said in stored sessions. Beside the sessions, it keeps their texts without secrets, and one file
 * with a signature of each text, so that a search reads only the texts that may have the words. It is made in the
 * background, and made again where it is missing or damaged: nothing else depends on it.
 */
export class WordIndex extends Disposable {
  private readonly source: IndexedStore;
  private readonly files: JsonFiles;
  private indexed: Map<string, Indexed> | undefined;
  private working: Promise<void> | undefined;
  /** The removals of texts that are under way. */
  private removing: Promise<unknown> = Promise.resolve();
  /** Whether the index on disk has sessions that were deleted. */
  private isStale = false;
  private readonly grown = this.register(new Emitter<void>());
  /** Fires when more sessions can be found. */
  readonly onDidGrow = this.grown.event;

  constructor(source: IndexedStore, folder: string) {
    super();
    this.source = source;
    this.files = new JsonFiles(folder);
    this.register(source.onDidRemove(({ key }) => this.forget(key)));
  }

  /** Indexes what isn't yet, in the background. Resolves when that is done. Never rejects. */
  update(): Promise<void> {
    this.working ??= this.work()
      .catch(() => undefined)
      .finally(() => (this.working = undefined));
    return this.working;
  }

  /** Returns the sessions in which all words of a text were said, the newest first. */
  async search(text: string): Promise<readonly FoundWords[]> {
    const words = wordsOf(text);
    if (words.length === 0) return [];
    const indexed = await this.load();
    const found: FoundWords[] = [];
    for (const { key } of this.source.stored) {
      const known = indexed.get(key);
      if (!known || !words.every((word) => mayHave(known.signature, word))) continue;
      const said = readSaid(await this.files.read(JsonFiles.nameOf(key)));
      // The text is gone or damaged, so it is made again.
      if (!said) indexed.delete(key);
      const match = said && findSaid(said, words);
      if (match) found.push({ key, ...match });
      if (found.length >= maxFound) break;
    }
    return found;
  }

  private async work(): Promise<void> {
    const indexed = await this.load();
    let added = 0;
    const stored = new Set<string>(this.source.stored.map(({ key }) => key));
    for (const key of indexed.keys()) if (!stored.has(key)) this.forget(key as SessionKey);
    for (const { key, size, updatedAt } of this.source.stored) {
      if (this.isDisposed) return;
      const known = indexed.get(key);
      if (size === 0 || (known?.size === size && known.updatedAt === updatedAt)) continue;
      const start = performance.now();
      const session = await this.source.read(key);
      if (!session) continue;
      const said = saidIn(session.snapshot.entries);
      await this.files.write(JsonFiles.nameOf(key), JSON.stringify({ version: 1, said }));
      // Not before its text is on the disk. The session may have been deleted in the meantime.
      if (!this.source.stored.some((listing) => listing.key === key)) {
        await this.files.remove(JsonFiles.nameOf(key));
        continue;
      }
      indexed.set(key, { size, updatedAt, signature: signatureOf(said) });
      added += 1;
      if (added % writeEvery === 0) await this.write(indexed);
      await delay((performance.now() - start) * (1 / workShare - 1));
    }
    await this.removing;
    if (added > 0 || this.isStale) await this.write(indexed);
  }

  private async write(indexed: ReadonlyMap<string, Indexed>): Promise<void> {
    const sessions = [...indexed].map(([key, { size, updatedAt, signature }]) => [
      key,
      size,
      updatedAt,
      Buffer.from(signature).toString('base64'),
    ]);
    this.isStale = false;
    await this.files.write(indexName, JSON.stringify({ version: 1, sessions }));
    if (!this.isDisposed) this.grown.fire();
  }

  private async load(): Promise<Map<string, Indexed>> {
    if (this.indexed) return this.indexed;
    const read = readIndex(await this.files.read(indexName));
    await nextTurn();
    return (this.indexed ??= read);
  }

  private forget(key: SessionKey): void {
    this.indexed?.delete(key);
    this.isStale = true;
    // A text that can't be removed now is never searched, because its session isn't stored any more.
    const removed = this.files.remove(JsonFiles.nameOf(key)).catch(() => undefined);
    this.removing = Promise.all([this.removing, removed]);
  }
}

function signatureOf(said: readonly Said[]): Uint8Array {
  const signature = signText('');
  for (const [, text] of said) signText(text, signature);
  return signature;
}

function readIndex(json: unknown): Map<string, Indexed> {
  const sessions = isRecord(json) && json['version'] === 1 ? json['sessions'] : [];
  const read = new Map<string, Indexed>();
  for (const one of Array.isArray(sessions) ? (sessions as unknown[]) : []) {
    const [key, size, updatedAt, text] = Array.isArray(one) ? (one as unknown[]) : [];
    if (typeof key !== 'string' || typeof size !== 'number' || typeof updatedAt !== 'number') continue;
    const signature = typeof text === 'string' ? attempt(() => new Uint8Array(Buffer.from(text, 'base64'))) : undefined;
    if (signature?.length === signText('').length) read.set(key, { size, updatedAt, signature });
  }
  return read;
}

function readSaid(json: unknown): Said[] | undefined {
  const said = isRecord(json) && json['version'] === 1 ? json['said'] : undefined;
  if (!Array.isArray(said)) return undefined;
  const isSaid = (one: unknown): one is Said =>
    Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string';
  return said.every(isSaid) ? said : undefined;
}
