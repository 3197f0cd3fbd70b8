import { watch, type FSWatcher } from 'node:fs';
import type { Session } from '../../../session/session';
import { sessionWork } from '../../../session/transcript/sessionWork';
import { fromStored, toStored, type StoredSession } from '../../../session/transcript/storedSession';
import { attempt } from '../../../shared/values/attempt';
import { compact } from '../../../shared/values/decodeValue';
import { Disposable, toDisposable, type IDisposable } from '../../../shared/values/disposable';
import { Emitter, type Event } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import type { TranscriptOp } from '../../../shared/transcript/ops';
import { fromLaterVersion, JsonFiles } from '../../storage/jsonFiles';
import { Records } from '../../storage/records';
import type { StorageTroubles } from '../../storage/storageTroubles';
import type { StorageWindows } from '../../storage/storageWindows';
import { readListing, type StoredListing } from './storedListing';

/** Listings that were read while the folder is watched, by file name, and the names of those that changed since. */
interface Watched {
  readonly read: Map<string, StoredListing>;
  readonly stale: Set<string>;
}

/** The source of opened and closed sessions. */
export interface SessionSource {
  readonly sessions: readonly Session[];
  readonly onDidChangeSessions: Event<void>;
}

/** The dependencies of a store. */
export interface SessionStoreOptions {
  readonly now: () => number;
  /** The windows that share the folder. */
  readonly windows: StorageWindows;
  readonly troubles: StorageTroubles;
  /** Returns the branch that is checked out in a folder. Undefined if none is known. */
  readonly branchOf?: (cwd: string) => string | undefined;
}

/**
 * Delay before changes that must survive a crash are written, in milliseconds. The page and the agent get them first.
 */
const urgentMs = 30;
/** Delay before an idle session is written, and interval for a busy one, in milliseconds. */
const restMs = 300;
const busyMs = 1500;
/** Maximum fraction of time spent on creating JSON of long sessions. */
const workShare = 0.05;
/** Maximum number of stored closed sessions. */
const maxClosed = 1000;

/**
 * A session's listing is a small file beside its record, so that closing and opening windows share no file. The listing
 * of an open session has the window's id in its name, so renaming the file claims the session.
 */
const listingName = /^([0-9a-f]{40}\.json)(?:\.([\da-z-]+))?\.listing\.json$/;

/** Stores the transcript of every session in a folder, so that it survives reloads and crashes. */
export class SessionStore extends Disposable {
  private readonly source: SessionSource;
  private readonly records: Records;
  private readonly now: () => number;
  private readonly windows: StorageWindows;
  private readonly branchOf: (cwd: string) => string | undefined;
  private listings = new Map<SessionKey, StoredListing>();
  /** The listing files of sessions that a closed window left open. */
  private readonly abandoned = new Map<SessionKey, string>();
  /** Sessions that are listed as open in this window. */
  private readonly openHere = new Set<SessionKey>();
  private readonly followed = new Map<Session, IDisposable>();
  private readonly unsaved = new Set<Session>();
  private timer: { readonly handle: ReturnType<typeof setTimeout>; readonly at: number } | undefined;
  private waitMs = 0;
  private isStarted = false;
  /** What was read while the folder is watched. */
  private watched: Watched | undefined;
  private readonly removed = this.register(new Emitter<StoredListing>());
  /** Fires after a session was deleted. */
  readonly onDidRemove = this.removed.event;
  private readonly changedList = this.register(new Emitter<void>());
  /** Fires when `stored` may have changed. */
  readonly onDidChange = this.changedList.event;
  /** Fires when sessions that were open in another window may no longer be. */
  readonly onDidFree: Event<void>;

  constructor(
    source: SessionSource,
    folder: string,
    { now, windows, troubles, branchOf = () => undefined }: SessionStoreOptions,
  ) {
    super();
    this.source = source;
    this.now = now;
    this.windows = windows;
    this.branchOf = branchOf;
    this.onDidFree = windows.onDidLeave;
    const files = new JsonFiles(folder, (path) => troubles.setAside('sessions', path));
    this.records = this.register(new Records(files, 'sessions', troubles, () => windows.enter()));
    this.register({ dispose: () => clearTimeout(this.timer?.handle) });
    this.register({ dispose: () => this.followed.forEach((listener) => listener.dispose()) });
  }

  /** All stored sessions, newest first. */
  get stored(): readonly StoredListing[] {
    return [...this.listings.values()].sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /**
   * Calls `changed` when another window has changed the list of sessions, until the result is disposed. `look` then reads
   * only what has changed.
   */
  watchOthers(changed: () => void): IDisposable {
    const watched: Watched = { read: new Map(), stale: new Set() };
    const watcher = attempt((): FSWatcher =>
      watch(this.records.files.folder, { persistent: false }, (_event, name) => {
        if (name === null) watched.read.clear();
        else watched.stale.add(name);
        const [isListing, , owner] = (name === null ? undefined : listingName.exec(name)) ?? [];
        if (name === null || (isListing !== undefined && owner !== this.windows.id)) changed();
      }),
    );
    // If watching isn't possible, the list is as it was when it was opened.
    watcher?.on('error', () => (this.watched = undefined));
    if (watcher) this.watched = watched;
    return toDisposable(() => {
      watcher?.close();
      if (this.watched === watched) this.watched = undefined;
    });
  }

  /** Starts storing sessions. Must be called after the stored sessions are restored. */
  start(): void {
    if (this.isDisposed || this.isStarted) return;
    this.isStarted = true;
    this.register(this.source.onDidChangeSessions(() => this.follow()));
    this.follow();
  }

  /** Returns the open sessions of closed windows, in order of creation. They now belong to this window. */
  async open(): Promise<readonly StoredSession[]> {
    await this.flush();
    await this.look();
    const free = [...this.abandoned].flatMap(([key, name]) => {
      const listing = this.listings.get(key);
      return listing ? [{ listing, name }] : [];
    });
    const read: StoredSession[] = [];
    for (const { listing, name } of free.sort((a, b) => a.listing.madeAt - b.listing.madeAt)) {
      const session = this.isDisposed ? undefined : await this.read(listing.key);
      if (session && (await this.claim(listing, name))) read.push(session);
    }
    return this.isDisposed ? [] : read;
  }

  /** Sets aside a session that is readable but can't be shown. */
  async setAside(key: SessionKey): Promise<void> {
    this.listings.delete(key);
    this.openHere.delete(key);
    const name = JsonFiles.nameOf(key);
    await this.records.files.setAside(name);
    this.records.remove(this.openName(name));
    this.records.remove(closedName(name));
    await this.records.flush();
  }

  /**
   * Updates the list of stored sessions and where they are open, because other windows may have added or closed some.
   */
  async look(): Promise<void> {
    const others = await this.windows.others();
    const known = this.watched;
    const names = await this.records.names();
    const live = new Set(this.source.sessions.map(({ key }) => key));
    const found = await Promise.all(
      names.map(async (name) => {
        const [, of, owner] = listingName.exec(name) ?? [];
        const listing = of === undefined ? undefined : await this.readListing(name, known);
        return of === undefined || !listing ? [] : [{ of, owner, name, listing }];
      }),
    );
    const listings = new Map([...this.listings].filter(([key]) => live.has(key)));
    this.abandoned.clear();
    // Open listings come last, because a window that exited while closing or opening a session may have left both.
    const inOrder = found.flat().sort((a, b) => Number(a.owner !== undefined) - Number(b.owner !== undefined));
    for (const { owner, name, listing } of inOrder) {
      const { key } = listing;
      if (live.has(key)) continue;
      const isElsewhere = owner !== undefined && others.has(owner);
      const isOurs = owner === this.windows.id;
      const isOpen = owner === undefined ? listing.isOpen : !isOurs || this.openHere.has(key);
      listings.set(key, { ...listing, isOpen, ...(isElsewhere ? { isElsewhere } : {}) });
      if (isOpen && !isElsewhere && !isOurs) this.abandoned.set(key, name);
      else this.abandoned.delete(key);
    }
    const listed = new Set(found.flat().map(({ of }) => of));
    const unlisted = names.filter((name) => name.length === 45 && !listed.has(name));
    for (const name of unlisted) await this.relist(name, listings, live);
    // Changes made by this window in the meantime take precedence.
    for (const [key, listing] of this.listings) if (live.has(key)) listings.set(key, listing);
    this.listings = listings;
    this.changedList.fire();
  }

  private async readListing(name: string, watched: Watched | undefined): Promise<StoredListing | undefined> {
    if (watched && !watched.stale.delete(name)) {
      const read = watched.read.get(name);
      if (read) return read;
    }
    const listing = await this.records.load(name, readListing);
    if (listing) watched?.read.set(name, listing);
    return listing;
  }

  /** Reads a stored session. Resolves to undefined if it's missing, damaged, or of another version. */
  read(key: SessionKey): Promise<StoredSession | undefined> {
    return this.records.load(JsonFiles.nameOf(key), (json) => {
      const stored = fromStored(json);
      if (stored === 'later') return fromLaterVersion;
      return stored?.key === key ? stored : undefined;
    });
  }

  /** Renames a closed session. See `Session.rename`. */
  async rename(key: SessionKey, title: string, titleFrom: 'user' | 'agent' = 'user'): Promise<void> {
    const listing = this.listings.get(key);
    const stored = await this.read(key);
    if (!listing || listing.isElsewhere || !stored) return;
    const snapshot = { ...stored.snapshot, view: { ...stored.snapshot.view, title, titleFrom } };
    this.records.set(JsonFiles.nameOf(key), JSON.stringify({ ...stored, snapshot }));
    this.list({ ...listing, title });
    await this.records.flush();
  }

  /** Archives or unarchives a closed session. */
  async archive(key: SessionKey, isArchived: boolean): Promise<void> {
    // If the session has just been closed, store that first.
    await this.flush();
    const listing = this.listings.get(key);
    if (!listing || listing.isElsewhere) return;
    this.list({ ...listing, isArchived });
    await this.records.flush();
  }

  /** Pins or unpins a session, so that it stays at the top of the list. */
  async pin(key: SessionKey, isPinned: boolean): Promise<void> {
    await this.flush();
    const listing = this.listings.get(key);
    if (!listing || listing.isElsewhere) return;
    this.list({ ...listing, isPinned });
    await this.records.flush();
  }

  /** Deletes a closed session permanently. */
  async delete(key: SessionKey): Promise<void> {
    // If the session has just been closed, store that first.
    await this.flush();
    this.forget(key);
    await this.records.flush();
  }

  /** Deletes a closed session permanently with the next flush. */
  forget(key: SessionKey): void {
    if (this.listings.get(key)?.isElsewhere) return;
    for (const session of this.unsaved) if (session.key === key) this.unsaved.delete(session);
    this.remove(key);
  }

  /** Resolves once everything up to now is on disk or scheduled for a retry. Later changes are not included. */
  async flush(): Promise<void> {
    this.take();
    await this.records.flush();
    const gone = this.stored.filter(({ isOpen }) => !isOpen).slice(maxClosed);
    for (const { key } of gone) this.remove(key);
    if (gone.length > 0) await this.records.flush();
  }

  /** Writes everything synchronously, now and on later changes. */
  flushNow(): Promise<void> {
    // A window that closes right after it opened has sessions, too.
    this.start();
    this.take();
    return this.records.flushNow();
  }

  private follow(): void {
    const live = new Set(this.source.sessions);
    for (const session of live) {
      if (this.followed.has(session)) continue;
      this.followed.set(
        session,
        session.onDidApply((ops) => this.changed(session, ops.some(isUrgent) ? urgentMs : undefined)),
      );
      // A restored session is open again.
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
    // A session that was never stored is written even if it's busy.
    const isBusy = session.transcript.view.activity.state !== 'idle' && this.listings.has(session.key);
    const at = performance.now() + Math.max(delay ?? (isBusy ? busyMs : restMs), this.waitMs);
    if (this.timer && this.timer.at <= at) return;
    clearTimeout(this.timer?.handle);
    const handle = setTimeout(() => void this.flush(), at - performance.now());
    this.timer = { handle, at };
  }

  /**
   * Creates the records of changed sessions immediately, because sessions close while the window closes and must be
   * open in the next window.
   */
  private take(): void {
    clearTimeout(this.timer?.handle);
    this.timer = undefined;
    const start = performance.now();
    const sessions = [...this.unsaved].filter(
      ({ transcript }) => transcript.order.length + transcript.view.queue.length > 0,
    );
    this.unsaved.clear();
    for (const session of sessions) {
      const { transcript, key } = session;
      const { title, agentId, agentName, cwd, sessionId, askedBy, updatedAt: said = 0 } = transcript.view;
      const size = transcript.order.length;
      const known = this.listings.get(key);
      // Opening or closing a session doesn't change its time. One that was only replayed has its agent's.
      const isOnlyShown = said > 0 && said <= this.now() && session.endedTurns.count === 0;
      const updatedAt = known?.size === size ? known.updatedAt : isOnlyShown ? said : this.now();
      const names = { key, title, agentId, agentName, cwd, sessionId, isArchived: known?.isArchived ?? false };
      const branch = this.branchOf(cwd) ?? known?.branch;
      // Comes first, so that another window doesn't treat an unlisted session as closed.
      this.list({
        ...names,
        size,
        madeAt: known?.madeAt ?? updatedAt,
        updatedAt,
        isOpen: !session.isClosed,
        ...(known?.isPinned ? { isPinned: true } : {}),
        ...compact({ askedBy: askedBy?.session, branch }),
        ...(session.isClosed ? {} : { work: sessionWork(transcript) }),
      });
      this.records.set(JsonFiles.nameOf(key), JSON.stringify(toStored(key, transcript)));
    }
    this.waitMs = (performance.now() - start) / workShare;
  }

  /** Writes the listing of a session of this window, or of a closed one. */
  private list(listing: StoredListing): void {
    const { key, isOpen } = listing;
    this.listings.set(key, listing);
    this.changedList.fire();
    const name = JsonFiles.nameOf(key);
    const [open, closed] = [this.openName(name), closedName(name)];
    this.records.set(isOpen ? open : closed, JSON.stringify(listing));
    if (isOpen === this.openHere.has(key)) return;
    this.records.remove(isOpen ? closed : open);
    if (isOpen) this.openHere.add(key);
    else this.openHere.delete(key);
  }

  /** Claims a session of a closed window for this one, unless another window was faster. */
  private async claim(listing: StoredListing, name: string): Promise<boolean> {
    const { key } = listing;
    this.abandoned.delete(key);
    try {
      this.windows.enter();
    } catch {
      // The disk isn't writable, so no other window can claim the session either.
    }
    const how = await this.records.files.rename(name, this.openName(JsonFiles.nameOf(key)));
    if (how === 'gone') {
      this.listings.set(key, { ...listing, isElsewhere: true });
      return false;
    }
    this.openHere.add(key);
    return true;
  }

  /** Recreates a lost listing from the transcript, as that of a closed session. */
  private async relist(
    name: string,
    listings: Map<SessionKey, StoredListing>,
    live: ReadonlySet<SessionKey>,
  ): Promise<void> {
    const stored = await this.records.load(name, (json) => {
      const read = fromStored(json);
      return read === 'later' ? fromLaterVersion : read && JsonFiles.nameOf(read.key) === name ? read : undefined;
    });
    if (!stored || live.has(stored.key)) return;
    const { view, entries } = stored.snapshot;
    const { title, agentId, agentName, cwd, sessionId, askedBy } = view;
    const times = { madeAt: this.now(), updatedAt: this.now() };
    const names = {
      key: stored.key,
      title,
      agentId,
      agentName,
      cwd,
      sessionId,
      ...compact({ askedBy: askedBy?.session }),
    };
    listings.set(stored.key, { ...names, size: entries.length, ...times, isOpen: false });
  }

  private remove(key: SessionKey): void {
    const listing = this.listings.get(key);
    this.listings.delete(key);
    this.openHere.delete(key);
    const name = JsonFiles.nameOf(key);
    for (const one of [this.openName(name), closedName(name), name]) this.records.remove(one);
    if (listing) this.removed.fire(listing);
    this.changedList.fire();
  }

  private openName(name: string): string {
    return `${name}.${this.windows.id}.listing.json`;
  }
}

function closedName(name: string): string {
  return `${name}.listing.json`;
}

/**
 * Returns true for the user's messages and for turn starts. Otherwise, the next window wouldn't detect an interrupted
 * turn.
 */
function isUrgent(op: TranscriptOp): boolean {
  if (op.op === 'insert') return op.entry.kind === 'user_message';
  return op.op === 'view' && (op.fields.activity !== undefined || op.fields.queue !== undefined);
}
