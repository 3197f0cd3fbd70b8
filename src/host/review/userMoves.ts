import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
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

/** A file's or folder's URI before the running turns began, and its arrival at the current URI. */
interface Arrival {
  readonly origin: string;
  /** In the file system's clock, which may be many milliseconds behind the system's. 0 if nothing has arrived. */
  readonly at: number;
  readonly stamp: string | undefined;
}

/**
 * Tracks what the user deletes, renames, or moves in the editor, so that these changes aren't attributed to an agent
 * and pending changes move along. Places are URIs of files and folders.
 */
export class UserMoves extends Disposable {
  private readonly isAnyoneAtWork: () => boolean;
  private readonly onMove: (from: string, to: string) => void;
  /** Places that the user deleted or moved while an agent was running. */
  private readonly removed = new Set<string>();
  /** Arrivals of moved files and folders, by new place. */
  private readonly placed = new Map<string, Arrival>();
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

  /** Returns true if the user deleted a file or moved it to its place with this change, and nothing changed since. */
  made(uri: string, { at, isGone, stamp }: ChangeTime): boolean {
    if (isGone) return [...this.removed].some((place) => covers(place, uri));
    // If the file exists again, a later deletion may be another author's.
    this.removed.delete(uri);
    const arrival = this.arrivalOf(uri);
    // A file in a moved folder keeps its modification time.
    return arrival !== undefined && (arrival.place === uri ? stamp === arrival.stamp : at < arrival.at);
  }

  /** Returns a file's URI from before the running turns began. */
  originOf(uri: vscode.Uri): vscode.Uri {
    const { origin } = this.arrivalOf(uri.toString()) ?? {};
    return origin === undefined ? uri : vscode.Uri.parse(origin);
  }

  /** Forgets everything, once no turn is running. */
  forget(): void {
    this.removed.clear();
    this.placed.clear();
  }

  /** Returns the arrival of a file, or of a folder that contains it. `place` is the one that arrived. */
  private arrivalOf(uri: string): (Arrival & { readonly place: string }) | undefined {
    const [place, arrival] = [...this.placed].findLast(([one]) => covers(one, uri)) ?? [];
    return place === undefined || !arrival
      ? undefined
      : { ...arrival, place, origin: arrival.origin + uri.slice(place.length) };
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
      const origin = this.arrivalOf(from)?.origin ?? from;
      this.removed.add(from);
      this.placed.delete(from);
      // Delete first, so that the last move comes last in order.
      if (to !== undefined) this.placed.delete(to);
      if (now) {
        const { at = 0, stamp } = changeTimeNow(now.fsPath) ?? {};
        // A write between the move and now isn't the user's.
        this.placed.set(now.toString(), { origin, at, stamp: this.moving.get(from)?.stamp ?? stamp });
      }
    }
    if (to !== undefined) this.onMove(from, to);
    this.moving.get(from)?.end();
  }
}

/** Returns true if `uri` is `place` or is inside it. */
export function covers(place: string, uri: string): boolean {
  return uri === place || uri.startsWith(`${place}/`);
}
