import type { Session } from '../../session/session';
import { toStored, type StoredSession } from '../../session/storedSession';
import { Disposable, type IDisposable } from '../../shared/disposable';
import { Emitter, type Event } from '../../shared/event';
import type { AgentId, SessionId, SessionKey } from '../../shared/ids';
import type { TranscriptOp } from '../../shared/ops';
import { JsonFiles } from '../storage/jsonFiles';

/** What is known of a stored session without reading it. */
export interface StoredListing {
  readonly key: SessionKey;
  readonly title: string;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly cwd: string;
  /** The agent's own name for it; empty or absent when there is none. */
  readonly sessionId?: SessionId | '';
  /** How many entries its transcript has. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** When something was said in it last; milliseconds since the epoch. */
  readonly updatedAt: number;
  /** The user has not closed it. */
  readonly isOpen: boolean;
  /** It was put away, here and in its agent. */
  readonly isArchived?: boolean;
}

/** Where sessions come and go. */
export interface SessionSource {
  readonly sessions: readonly Session[];
  readonly onDidChangeSessions: Event<void>;
}

/** A session as it is to be written. */
interface Record {
  readonly listing: StoredListing;
  readonly json: string;
}

/** What a crash must not take is written so long (ms) after it came: the page and the agent get it first. */
const urgentMs = 30;
/** A session is on disk so long (ms) after it has come to rest; one that is busy, each so many ms. */
const restMs = 300;
const busyMs = 1500;
/** Making JSON of long sessions may take this share of our time. */
const workShare = 0.05;
/** So many closed sessions are kept. */
const maxClosed = 100;

/** What is known of a session stands in a small file beside it: windows that end and begin at the same time share nothing. */
const listingEnd = '.listing.json';

/** Keeps what was said in every session in a folder of our own, so that it is there after a reload, a crash, or next week. */
export class SessionStore extends Disposable {
  private readonly source: SessionSource;
  private readonly files: JsonFiles;
  private readonly now: () => number;
  private readonly report: (error: unknown) => void;
  private readonly listings = new Map<SessionKey, StoredListing>();
  private readonly followed = new Map<Session, IDisposable>();
  private readonly unsaved = new Set<Session>();
  private readonly waiting: Record[] = [];
  /** What is being written, and may not be on disk yet. */
  private taken: Record | undefined;
  private timer: { readonly handle: ReturnType<typeof setTimeout>; readonly at: number } | undefined;
  private waitMs = 0;
  private saving: Promise<void> = Promise.resolve();
  private readonly removed = this.register(new Emitter<StoredListing>());
  /** A session was forgotten for good. */
  readonly onDidRemove = this.removed.event;

  constructor(source: SessionSource, folder: string, now: () => number, report: (error: unknown) => void) {
    super();
    this.source = source;
    this.files = new JsonFiles(folder);
    this.now = now;
    this.report = report;
    this.register({ dispose: () => clearTimeout(this.timer?.handle) });
    this.register({ dispose: () => this.followed.forEach((listener) => listener.dispose()) });
  }

  /** All stored sessions, newest first. */
  get stored(): readonly StoredListing[] {
    return [...this.listings.values()].sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** From now on sessions are stored. To be called once what was stored is brought back. */
  start(): void {
    if (this.isDisposed) return;
    this.register(this.source.onDidChangeSessions(() => this.follow()));
    this.follow();
  }

  /** The stored sessions that are open, in the order in which they were made, but for those that live in this window. */
  async open(): Promise<readonly StoredSession[]> {
    await this.flush();
    await this.look();
    const live = new Set(this.source.sessions.map(({ key }) => key));
    const listed = [...this.listings.values()].filter(({ isOpen, key }) => isOpen && !live.has(key));
    const read = await Promise.all(listed.sort((a, b) => a.madeAt - b.madeAt).map(({ key }) => this.read(key)));
    return this.isDisposed ? [] : read.filter((session) => session !== undefined);
  }

  /** Looks which sessions are stored now: a window that was closing when this one began may have added some. */
  async look(): Promise<void> {
    const names = (await this.files.names()).filter((name) => name.endsWith(listingEnd));
    const found = await Promise.all(names.map((name) => this.files.read(name)));
    const live = new Set(this.source.sessions.map(({ key }) => key));
    for (const listing of found as (StoredListing | undefined)[]) {
      if (typeof listing?.key === 'string' && !live.has(listing.key)) this.listings.set(listing.key, listing);
    }
  }

  /** A stored session; undefined when there is none, or it is damaged or of another version. */
  async read(key: SessionKey): Promise<StoredSession | undefined> {
    const stored = (await this.files.read(JsonFiles.nameOf(key))) as Partial<StoredSession> | undefined;
    const isWhole = stored?.version === 1 && Array.isArray(stored.snapshot?.entries);
    return isWhole ? (stored as StoredSession) : undefined;
  }

  /** Gives a closed session another title; see `Session.rename`. */
  async rename(key: SessionKey, title: string, titleFrom: 'user' | 'agent' = 'user'): Promise<void> {
    const listing = this.listings.get(key);
    const stored = await this.read(key);
    if (!listing || !stored) return;
    const snapshot = { ...stored.snapshot, view: { ...stored.snapshot.view, title, titleFrom } };
    await this.files.write(JsonFiles.nameOf(key), JSON.stringify({ ...stored, snapshot }));
    this.listings.set(key, { ...listing, title });
    await this.list({ ...listing, title });
  }

  /** Puts a closed session away, or takes it out again. */
  async archive(key: SessionKey, isArchived: boolean): Promise<void> {
    // It may have been closed a moment ago, which is stored first.
    await this.flush();
    const listing = this.listings.get(key);
    if (!listing) return;
    this.listings.set(key, { ...listing, isArchived });
    await this.list({ ...listing, isArchived });
  }

  /** Forgets a closed session for good. */
  async delete(key: SessionKey): Promise<void> {
    // It may have been closed a moment ago, which is stored first.
    await this.flush();
    await this.remove(key);
  }

  /** Resolves when everything up to now is on disk; what happens later does not change what is written. */
  flush(): Promise<void> {
    clearTimeout(this.timer?.handle);
    this.timer = undefined;
    this.waiting.push(...this.takeRecords());
    this.saving = this.saving.then(() => this.save()).catch(this.report);
    return this.saving;
  }

  /** Writes everything up to now before anything else in this process can happen, now and from now on. */
  flushNow(): Promise<void> {
    this.files.hurry();
    if (this.taken) this.waiting.unshift(this.taken);
    this.saving = Promise.resolve();
    return this.flush();
  }

  private follow(): void {
    const live = new Set(this.source.sessions);
    for (const session of live) {
      if (this.followed.has(session)) continue;
      this.followed.set(
        session,
        session.onDidApply((ops) => this.changed(session, ops.some(isUrgent) ? urgentMs : undefined)),
      );
      // One that was brought back is open again.
      if (session.transcript.order.length > 0) this.changed(session);
    }
    for (const [session, listener] of this.followed) {
      if (live.has(session)) continue;
      listener.dispose();
      this.followed.delete(session);
      this.changed(session);
    }
  }

  private changed(session: Session, delay?: number): void {
    if (this.isDisposed) return;
    this.unsaved.add(session);
    // One that was never stored is, even if it is busy.
    const isBusy = session.transcript.view.activity.state !== 'idle' && this.listings.has(session.key);
    const at = performance.now() + Math.max(delay ?? (isBusy ? busyMs : restMs), this.waitMs);
    if (this.timer && this.timer.at <= at) return;
    clearTimeout(this.timer?.handle);
    const handle = setTimeout(() => void this.flush(), at - performance.now());
    this.timer = { handle, at };
  }

  /** What is to be written, made at once: sessions are closed while a window ends, and open they must be in the next. */
  private takeRecords(): Record[] {
    const start = performance.now();
    const sessions = [...this.unsaved].filter(
      ({ transcript }) => transcript.order.length + transcript.view.queue.length > 0,
    );
    this.unsaved.clear();
    const records = sessions.map((session) => {
      const { transcript, key } = session;
      const { title, agentId, agentName, cwd, sessionId } = transcript.view;
      const size = transcript.order.length;
      const known = this.listings.get(key);
      // That it was opened, or closed, makes it no newer.
      const updatedAt = known?.size === size ? known.updatedAt : this.now();
      const names = { key, title, agentId, agentName, cwd, sessionId, isArchived: known?.isArchived ?? false };
      const listing = { ...names, size, madeAt: known?.madeAt ?? updatedAt, updatedAt, isOpen: !session.isClosed };
      this.listings.set(key, listing);
      return { listing, json: JSON.stringify(toStored(key, transcript)) };
    });
    this.waitMs = (performance.now() - start) / workShare;
    return records;
  }

  private async save(): Promise<void> {
    for (this.taken = this.waiting.shift(); this.taken; this.taken = this.waiting.shift()) {
      const { listing, json } = this.taken;
      await this.files.write(JsonFiles.nameOf(listing.key), json);
      await this.list(listing);
    }
    const gone = this.stored.filter(({ isOpen }) => !isOpen).slice(maxClosed);
    for (const { key } of gone) await this.remove(key);
  }

  private async list(listing: StoredListing): Promise<void> {
    await this.files.write(`${JsonFiles.nameOf(listing.key)}${listingEnd}`, JSON.stringify(listing));
  }

  private async remove(key: SessionKey): Promise<void> {
    const listing = this.listings.get(key);
    this.listings.delete(key);
    await this.files.remove(`${JsonFiles.nameOf(key)}${listingEnd}`);
    await this.files.remove(JsonFiles.nameOf(key));
    if (listing) this.removed.fire(listing);
  }
}

/** What the user said, and whether a turn runs: without it the next window would not know that there was a turn. */
function isUrgent(op: TranscriptOp): boolean {
  if (op.op === 'insert') return op.entry.kind === 'user_message';
  return op.op === 'view' && (op.fields.activity !== undefined || op.fields.queue !== undefined);
}
