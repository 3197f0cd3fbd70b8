import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import { isAlive } from '../../process/isAlive';
import { attempt } from '../../shared/attempt';

/** Names a window among those that share a storage; part of the names of its records. */
export type WindowId = string;

/** What a window says of itself. */
interface WindowFile {
  readonly version: 1;
  readonly pid: number;
  /** When its process began, as the system counts; empty where that cannot be known. Process ids are used again. */
  readonly began: string;
  readonly host: string;
}

/** How to find out whether a process lives. */
export interface Processes {
  readonly pid: number;
  readonly host: string;
  lives(pid: number): boolean;
  /** When a process began, in whatever unit; empty where that cannot be known. */
  beganAt(pid: number): string;
}

/** While others are there, whether they still live is looked at so often (ms); that they have left is heard at once. */
const lookMs = 15_000;
/** Soon after the start, for the window before this one may be ending just now. */
const firstLooksMs = [100, 300, 1000, 3000];
/** A window on another machine says so often (ms) that it lives, and is taken for gone after so long. */
const beatMs = 60_000;
const silentMs = 5 * beatMs;

/**
 * The windows that share a storage: two tabs on the same folder, or windows without a folder. Each has a file there for as long as it
 * lives. What a window stores carries its id, so that nobody writes what belongs to another one that lives.
 */
export class StorageWindows extends Disposable {
  readonly id: WindowId;
  private readonly folder: string;
  private readonly processes: Processes;
  private isEntered = false;
  private known = new Set<WindowId>();
  private watcher: FSWatcher | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private looks = 0;
  private readonly left = this.register(new Emitter<void>());
  /** A window that lived has gone; what it stored can be taken up. */
  readonly onDidLeave = this.left.event;

  constructor(storage: string, processes = thisMachine, id: WindowId = randomUUID().slice(0, 8)) {
    super();
    this.folder = join(storage, 'windows');
    this.processes = processes;
    this.id = id;
    this.register({
      dispose: () => {
        clearTimeout(this.timer);
        this.watcher?.close();
      },
    });
  }

  /** Says that this window is there. To be called before anything is stored under its id; throws when the disk does not take it. */
  enter(): void {
    if (this.isEntered) return;
    const { pid, host } = this.processes;
    const own: WindowFile = { version: 1, pid, began: this.processes.beganAt(pid), host };
    mkdirSync(this.folder, { recursive: true });
    // Half written it would be that of a window that is gone.
    const draft = join(this.folder, this.id);
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
    renameSync(draft, this.fileOf(this.id));
    this.isEntered = true;
    this.register({ dispose: beat(this.fileOf(this.id)) });
  }

  /** This window stores nothing any more, and leaves what it has stored to others. */
  leave(): void {
    if (!this.isEntered) return;
    this.isEntered = false;
    // One that cannot be removed names a process that is gone.
    attempt(() => rmSync(this.fileOf(this.id), { force: true }));
  }

  /** The other windows that live now. What belongs to any other is free to be taken up. */
  async others(): Promise<ReadonlySet<WindowId>> {
    const names = (await readdir(this.folder).catch((): string[] => [])).filter((name) => name.endsWith('.json'));
    const living = new Set<WindowId>();
    for (const name of names) {
      const id = name.slice(0, -'.json'.length);
      if (id === this.id) continue;
      if (await this.isAlive(name)) living.add(id);
      // Nobody else is called so: its file is of no more use.
      else await rm(join(this.folder, name), { force: true }).catch(() => undefined);
    }
    const hasLeft = [...this.known].some((id) => !living.has(id));
    this.known = living;
    this.follow();
    if (hasLeft) this.left.fire();
    return living;
  }

  private async isAlive(name: string): Promise<boolean> {
    const file = join(this.folder, name);
    const said = await readFile(file, 'utf8').then(
      (text) => attempt(() => JSON.parse(text) as Partial<WindowFile> | null),
      () => undefined,
    );
    if (typeof said?.pid !== 'number') return false;
    if (said.host !== this.processes.host) {
      const at = await stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return Date.now() - at < silentMs;
    }
    return this.processes.lives(said.pid) && this.processes.beganAt(said.pid) === (said.began ?? '');
  }

  /** Hears of others that leave, as long as there are some. */
  private follow(): void {
    if (this.isDisposed) return;
    if (this.known.size === 0) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.watcher?.close();
      this.watcher = undefined;
      return;
    }
    // Where it cannot be watched, looking now and then has to do.
    this.watcher ??= attempt(() =>
      watch(this.folder, { persistent: false }, (_event, name) => {
        if (name !== null && this.known.has(name.slice(0, -'.json'.length))) void this.others();
      }).on('error', () => undefined),
    );
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.others();
    }, firstLooksMs[this.looks++] ?? lookMs);
    this.timer.unref();
  }

  private fileOf(id: WindowId): string {
    return join(this.folder, `${id}.json`);
  }
}

/** The processes of this machine. */
export const thisMachine: Processes = {
  pid: process.pid,
  host: hostname(),
  lives: isAlive,
  beganAt(pid) {
    if (process.platform !== 'linux') return '';
    // Field 22, in ticks since the machine has started; the name in front of it may hold spaces and brackets.
    const text = attempt(() => readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
    const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
    // One that has ended and that nobody has asked for its end yet.
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  },
};

/** Says now and then that the window with this file lives, for those on other machines. */
function beat(file: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(file, now, now).catch(() => undefined);
  }, beatMs);
  timer.unref();
  return () => clearInterval(timer);
}
