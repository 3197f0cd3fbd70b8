import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import { changeTimeNow, type ChangeTime } from './noticed';

/** A move is announced, done and told within this time (ms), else nobody waits for it. */
const patienceMs = 1000;

/** A file or folder that the editor is about to move, or to delete. */
interface Move {
  readonly to: string | undefined;
  /** Of the file before it moves. */
  readonly stamp: string | undefined;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Where a file or folder was before anybody at work now began, and what came to where it is. */
interface Arrival {
  readonly origin: string;
  /** By the file system's own clock, which may be many milliseconds behind ours; 0 when nothing has come. */
  readonly at: number;
  readonly stamp: string | undefined;
}

/**
 * What the user deletes, renames or moves in the editor: that a file is gone, or is in its new place, is nobody else's doing,
 * and what waits for review in it goes along. Places are URIs of files and folders.
 */
export class UserMoves extends Disposable {
  private readonly isAnyoneAtWork: () => boolean;
  private readonly onMove: (from: string, to: string) => void;
  /** What was taken away while an agent was at work. */
  private readonly removed = new Set<string>();
  /** The same for where it came to. */
  private readonly placed = new Map<string, Arrival>();
  /** By old place. */
  private readonly moving = new Map<string, Move>();

  /** `onMove` hears of everything that the user has moved. */
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

  /** Resolves when this file is not on its way: a watcher may tell of a move before the editor does. */
  async settled(uri: string): Promise<void> {
    await Promise.all(
      [...this.moving].flatMap(([from, { to = from, ended }]) => (covers(from, uri) || covers(to, uri) ? ended : [])),
    );
  }

  /** Whether it was the user who took a file away, or brought it where it is: the change at that time, and none after it. */
  made(uri: string, { at, isGone, stamp }: ChangeTime): boolean {
    if (isGone) return [...this.removed].some((place) => covers(place, uri));
    // What is there again may be taken away by somebody else.
    this.removed.delete(uri);
    const arrival = this.arrivalOf(uri);
    // What came in a folder is as old as it was there.
    return arrival !== undefined && (arrival.place === uri ? stamp === arrival.stamp : at < arrival.at);
  }

  /** Where a file was before those who are at work began. */
  originOf(uri: vscode.Uri): vscode.Uri {
    const { origin } = this.arrivalOf(uri.toString()) ?? {};
    return origin === undefined ? uri : vscode.Uri.parse(origin);
  }

  /** Nobody is at work any more. */
  forget(): void {
    this.removed.clear();
    this.placed.clear();
  }

  /** Of the file itself, or of a folder around it, which is then `place`. */
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
      // The last move is to be found first.
      if (to !== undefined) this.placed.delete(to);
      if (now) {
        const { at = 0, stamp } = changeTimeNow(now.fsPath) ?? {};
        // What was written to it between the move and now is not the user's.
        this.placed.set(now.toString(), { origin, at, stamp: this.moving.get(from)?.stamp ?? stamp });
      }
    }
    if (to !== undefined) this.onMove(from, to);
    this.moving.get(from)?.end();
  }
}

/** Whether a URI is that of a file or folder, or of something below it. */
export function covers(place: string, uri: string): boolean {
  return uri === place || uri.startsWith(`${place}/`);
}
