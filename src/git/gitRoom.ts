import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../process/isAlive';
import { attempt } from '../shared/values/attempt';
import { toDisposable, type IDisposable } from '../shared/values/disposable';
import { settingsText, type Setting } from './settingsText';

/** Where the folders of all windows are. Undefined until one is chosen. */
let base: string | undefined;
let room: string | undefined;
let count = 0;

/**
 * Chooses the folder in which Parley keeps what git reads in place of a repository's own settings, until disposed. No agent may write
 * there.
 */
export function keepGitRoomIn(folder: string): IDisposable {
  base = folder;
  return toDisposable(() => {
    if (base === folder) base = undefined;
  });
}

/** Returns a folder of this process alone. It's removed when the process ends. */
function ownRoom(): string {
  if (room !== undefined && isThere(room)) return room;
  const name = `${hostname()}-${process.pid}-`;
  const around = base ?? tmpdir();
  mkdirSync(around, { recursive: true, mode: 0o700 });
  if (base !== undefined) sweep(around);
  const made = mkdtempSync(join(around, base === undefined ? 'parley-git-' : name));
  mkdirSync(join(made, 'empty'));
  process.once('exit', () => attempt(() => rmSync(made, { recursive: true, force: true })));
  return (room = made);
}

/** Removes what processes of this machine left that were killed. */
function sweep(around: string): void {
  const own = `${hostname()}-`;
  for (const name of attempt(() => readdirSync(around)) ?? []) {
    const pid = name.startsWith(own) ? /^(\d+)-/.exec(name.slice(own.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    attempt(() => rmSync(join(around, name), { recursive: true, force: true }));
  }
}

/** Returns an empty folder of Parley's own. */
export function emptyRoom(): string {
  return join(ownRoom(), 'empty');
}

/**
 * Stands in for the folder that the worktrees of a repository share: git reads its settings here, and finds no hooks. References and objects
 * are those of the repository.
 */
export class StandIn {
  private readonly common: string;
  private made: string | undefined;
  private text: string | undefined;

  constructor(common: string) {
    this.common = common;
  }

  /** The folder, with the settings that it was given last. */
  get folder(): string {
    if (this.made === undefined || !isThere(join(this.made, 'config'))) {
      this.made = join(ownRoom(), String(++count));
      mkdirSync(join(this.made, 'refs'), { recursive: true });
      // Links of folders need no rights on Windows, either.
      for (const name of ['info', 'worktrees']) symlinkSync(join(this.common, name), join(this.made, name), 'junction');
      writeFileSync(join(this.made, 'config'), this.text ?? '', { flag: 'wx' });
    }
    return this.made;
  }

  /** Puts these settings there in place of the others. */
  take(settings: readonly Setting[]): void {
    const text = settingsText(settings);
    if (text === this.text) return;
    this.text = text;
    const fresh = join(this.folder, randomUUID());
    writeFileSync(fresh, text, { flag: 'wx' });
    // Another git may be reading it.
    renameSync(fresh, join(this.folder, 'config'));
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
