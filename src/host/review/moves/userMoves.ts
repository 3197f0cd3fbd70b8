import * as vscode from 'vscode';
import { Disposable } from '../../../shared/values/disposable';
import { changeTimeNow, type ChangeTime } from './noticed';

/** Maximum time for a move to be announced, done, and reported, in milliseconds. */
const patienceMs = 1000;

/** A file or folder that the editor is about to move or delete. */
interface Move {
  readonly to: string | undefined;
  /** The file's stamp before the move. */
  readonly stamp: string | undefined;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** A file or folder that the user deleted, renamed, or moved. */
interface Moved {
  readonly from: string;
  /** Undefined for a deletion. */
  readonly to: string | undefined;
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** When it changed at its new place. In the file system's clock, which may be many milliseconds behind the system's. */
  readonly arrivedAt: number;
  readonly stamp: string | undefined;
}

/**
 * Tracks what the user deletes, renames, or moves in the editor, so that these changes aren't attributed to an agent
 * and pending changes move along. A move is an event: it says nothing about what was at these places earlier or later. Places are URIs of
 * files and folders.
 */
export class UserMoves extends Disposable {
  private readonly isAnyoneAtWork: () => boolean;
  private readonly onMove: (from: string, to: string) => void;
  /** What the user moved and deleted while an agent was running, the latest last. */
  private events: readonly Moved[] = [];
  /** Moves in progress, by old place. */
  private readonly moving = new Map<string, Move>();

  /** `onMove` is called for everything that the user has moved. */
  constructor(isAnyoneAtWork: () => boolean, onMove: (from: string, to: string) => void) {
    super();
    this.isAnyoneAtWork = isAnyoneAtWork;
    this.onMove = onMove;
    const { workspace } = vscode;
    this.register(workspace.onWillDeleteFiles(({ files }) => files.forEach((uri) => this.begin(uri))));
    this.register(workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.ended(uri))));
    this.register(
      workspace.onWillRenameFiles(({ files }) => files.forEach(({ oldUri, newUri }) => this.begin(oldUri, newUri))),
    );
    this.register(
      workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri, newUri }) => this.ended(oldUri, newUri))),
    );
    this.register({ dispose: () => this.moving.forEach(({ end }) => end()) });
  }

  /** Resolves once this file isn't being moved, because a watcher may report a move before the editor does. */
  async settled(uri: string): Promise<void> {
    await Promise.all(
      [...this.moving].flatMap(([from, { to = from, ended }]) => (covers(from, uri) || covers(to, uri) ? ended : [])),
    );
  }

  /** Returns true if the editor is moving a file to its place. A document may open there before the move is announced as done. */
  isArriving(uri: string): boolean {
    return [...this.moving.values()].some(({ to }) => to !== undefined && covers(to, uri));
  }

  /** Returns true if the user moved a file to its place, and nothing has changed it since. */
  hasArrived(uri: string, { at, stamp }: ChangeTime): boolean {
    const last = this.lastOf(uri);
    if (last?.to === undefined || !covers(last.to, uri)) return false;
    // A file in a moved folder keeps its modification time.
    return last.to === uri ? stamp === last.stamp : at < last.arrivedAt;
  }

  /**
   * Returns when the user deleted a file or moved it away, in milliseconds since the epoch. Undefined if the user didn't, or has moved a
   * file to this place since.
   */
  removedAt(uri: string): number | undefined {
    const last = this.lastOf(uri);
    return last && !(last.to !== undefined && covers(last.to, uri)) ? last.at : undefined;
  }

  /**
   * Returns the names that the file at this place has had since a time in milliseconds, the earliest first. Empty if the user has since
   * removed what was here, so that whatever is here now came later.
   */
  namesSince(uri: vscode.Uri, since: number): vscode.Uri[] {
    const names = [uri.toString()];
    for (const { from, to, at } of this.events.toReversed()) {
      const [name = ''] = names;
      if (at < since) break;
      if (to !== undefined && covers(to, name)) names.unshift(from + name.slice(to.length));
      else if (covers(from, name)) return [];
    }
    return names.map((name) => (name === uri.toString() ? uri : vscode.Uri.parse(name)));
  }

  /** Returns where the user has moved a file since a time in milliseconds. Undefined if they haven't, or have deleted it. */
  placeSince(uri: vscode.Uri, since: number): vscode.Uri | undefined {
    const first = uri.toString();
    let place: string | undefined = first;
    for (const { from, to, at } of this.events) {
      if (at < since || place === undefined || !covers(from, place)) continue;
      place = to === undefined ? undefined : to + place.slice(from.length);
    }
    return place === undefined || place === first ? undefined : vscode.Uri.parse(place);
  }

  /** Notes that the user had Parley remove a file or folder. */
  removed(uri: vscode.Uri): void {
    this.ended(uri);
  }

  /** Forgets everything, once no turn is running. */
  forget(): void {
    this.events = [];
  }

  /** Returns the last event at a place. */
  private lastOf(uri: string): Moved | undefined {
    return this.events.findLast(({ from, to }) => covers(from, uri) || (to !== undefined && covers(to, uri)));
  }

  private begin(old: vscode.Uri, now?: vscode.Uri): void {
    const from = old.toString();
    this.moving.get(from)?.end();
    let settle = () => {};
    const ended = new Promise<void>((resolve) => (settle = resolve));
    const end = () => {
      clearTimeout(guard);
      if (this.moving.get(from)?.end === end) this.moving.delete(from);
      settle();
    };
    const guard = setTimeout(end, patienceMs);
    this.moving.set(from, { to: now?.toString(), stamp: now && changeTimeNow(old.fsPath)?.stamp, ended, end });
  }

  private ended(old: vscode.Uri, now?: vscode.Uri): void {
    const [from, to] = [old.toString(), now?.toString()];
    if (this.isAnyoneAtWork()) {
      const { at: arrivedAt = 0, stamp } = (now && changeTimeNow(now.fsPath)) ?? {};
      // A write between the move and now isn't the user's.
      const moved = { from, to, at: Date.now(), arrivedAt, stamp: this.moving.get(from)?.stamp ?? stamp };
      this.events = [...this.events, moved];
    }
    if (to !== undefined) this.onMove(from, to);
    this.moving.get(from)?.end();
  }
}

/** Returns true if `uri` is `place` or is inside it. */
export function covers(place: string, uri: string): boolean {
  return uri === place || uri.startsWith(`${place}/`);
}
