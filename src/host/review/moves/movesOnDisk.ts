import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TrackedFileData } from '../../../review/log/trackedFileData';
import { changeTime } from './noticed';
import { covers } from './userMoves';

/** Maximum number of files and folders to remember. */
const remembered = 1000;

/** A file under review that was moved without the editor. */
export interface MovedOnDisk {
  readonly from: string;
  readonly to: string;
  /** What waited for review, if its removal was noticed first. */
  readonly review: TrackedFileData | undefined;
}

/**
 * Recognizes files under review that the user moved without the editor, such as in a terminal: a file has gone, and the same one, by its
 * stamp, is elsewhere. Either may be reported first. Places are URIs.
 */
export class MovesOnDisk {
  /** The stamps of files under review when they were last read. */
  private readonly stamps = new Map<string, string>();
  private readonly gone = new Map<string, { readonly stamp: string; readonly review: TrackedFileData }>();
  /** New files by stamp, and new folders. */
  private readonly files = new Map<string, string>();
  private readonly folders = new Map<string, true>();

  /** Notes a file under review as it is on disk. */
  saw(uri: string, stamp: string | undefined): void {
    if (stamp === undefined) return;
    this.stamps.set(uri, stamp);
    this.gone.delete(uri);
  }

  /** Notes that a file or folder has another name. Its files keep their stamps. */
  renamed(from: string, to: string): void {
    for (const [uri, stamp] of [...this.stamps].filter(([one]) => covers(from, one))) {
      this.stamps.delete(uri);
      this.stamps.set(to + uri.slice(from.length), stamp);
    }
  }

  /** Notes what isn't under review and may have been moved to its place. Returns the moves that ended there. */
  async came(uri: vscode.Uri): Promise<readonly MovedOnDisk[]> {
    const key = uri.toString();
    const info = await lstat(uri.fsPath).catch(() => undefined);
    if (!info) return [];
    if (info.isDirectory()) {
      remember(this.folders, key, true);
      const found = await Promise.all([...this.gone].map(([from, { stamp }]) => placeIn(key, from, stamp)));
      return [...this.gone].flatMap(([from, { review }], at) => this.moved(from, found[at], review));
    }
    const { stamp } = await changeTime(uri.fsPath);
    if (stamp === undefined) return [];
    remember(this.files, stamp, key);
    const [from, known] = [...this.gone].find(([, one]) => one.stamp === stamp) ?? [];
    return from === undefined ? [] : this.moved(from, key, known?.review);
  }

  /** Notes that the user removed a file under review. Returns where it is now, if that was noticed first. */
  async went(from: string, review: TrackedFileData): Promise<MovedOnDisk | undefined> {
    const stamp = this.stamps.get(from);
    if (stamp === undefined) return undefined;
    let to = this.files.get(stamp);
    if (to !== undefined && (await stampAt(to)) !== stamp) to = undefined;
    for (const folder of [...this.folders.keys()].reverse()) to ??= await placeIn(folder, from, stamp);
    if (to === undefined) remember(this.gone, from, { stamp, review });
    return this.moved(from, to, undefined)[0];
  }

  private moved(from: string, to: string | undefined, review: TrackedFileData | undefined): MovedOnDisk[] {
    if (to === undefined || to === from) return [];
    this.gone.delete(from);
    return [{ from, to, review }];
  }
}

/** Resolves to where a file is in a new folder, if the file or a folder around it was moved there. */
async function placeIn(folder: string, from: string, stamp: string): Promise<string | undefined> {
  const base = vscode.Uri.parse(folder);
  const parts = vscode.Uri.parse(from).path.split('/');
  for (let at = parts.length - 1; at > 0; at--) {
    const uri = vscode.Uri.file(join(base.fsPath, ...parts.slice(at)));
    if ((await stampAt(uri.toString())) === stamp) return uri.toString();
  }
  return undefined;
}

async function stampAt(uri: string): Promise<string | undefined> {
  return (await changeTime(vscode.Uri.parse(uri).fsPath)).stamp;
}

function remember<T>(all: Map<string, T>, key: string, value: T): void {
  all.delete(key);
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > remembered && oldest !== undefined) all.delete(oldest);
}
