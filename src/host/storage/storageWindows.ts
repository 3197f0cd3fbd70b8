import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { patientlyNow } from '../../disk/patiently';
import { isAlive } from '../../process/isAlive';
import { attempt } from '../../shared/values/attempt';

/** Identifies a window among those that share a storage. Part of the names of its records. */
export type WindowId = string;

/** The content of a window's file. */
interface WindowFile {
  readonly version: 1;
  readonly pid: number;
  /** When the process started, in the system's units. Empty if unknown. Needed because process ids are reused. */
  readonly began: string;
  readonly host: string;
}

/** Checks whether a process is running. */
export interface Processes {
  readonly pid: number;
  readonly host: string;
  lives(pid: number): boolean;
  /** Returns when a process started, in any unit. Empty if unknown. */
  beganAt(pid: number): string;
}

/**
 * How often to check whether other windows are still running, in milliseconds. A window that closes normally is noticed
 * immediately.
 */
const lookMs = 15_000;
/** Early checks after the start, because the previous window may be closing just now. In milliseconds. */
const firstLooksMs = [100, 300, 1000, 3000];
/**
 * How often a window reports that it's running, for other machines. After several missed reports, it counts as closed.
 * In milliseconds.
 */
const beatMs = 60_000;
const silentMs = 5 * beatMs;

/**
 * The windows that share a storage: two tabs on the same folder, or windows without a folder. Each has a file while
 * it's running. A window's records have its id, so that no other window changes them while it's running.
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
  /** Fires when another window has closed and its records can be adopted. */
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

  /** Announces this window. Must be called before anything is stored under its id. Throws if the write fails. */
  enter(): void {
    if (this.isEntered) return;
    const { pid, host } = this.processes;
    const own: WindowFile = { version: 1, pid, began: this.processes.beganAt(pid), host };
    mkdirSync(this.folder, { recursive: true });
    // A half-written file would look like that of a closed window.
    const draft = join(this.folder, this.id);
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
    patientlyNow(() => renameSync(draft, this.fileOf(this.id)));
    this.isEntered = true;
    this.register({ dispose: beat(this.fileOf(this.id)) });
  }

  /** Called when this window stops storing, so that others can adopt its records. */
  leave(): void {
    if (!this.isEntered) return;
    this.isEntered = false;
    // If the file can't be removed, it refers to a process that has exited.
    attempt(() => rmSync(this.fileOf(this.id), { force: true }));
  }

  /** Returns the other running windows. The records of all other ids can be adopted. */
  async others(): Promise<ReadonlySet<WindowId>> {
    const names = (await readdir(this.folder).catch((): string[] => [])).filter((name) => name.endsWith('.json'));
    const living = new Set<WindowId>();
    for (const name of names) {
      const id = name.slice(0, -'.json'.length);
      if (id === this.id) continue;
      if (await this.isAlive(name)) living.add(id);
      // Ids are unique, so the file of a closed window has no more use.
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

  /** Watches for other windows that close, while there are any. */
  private follow(): void {
    if (this.isDisposed) return;
    if (this.known.size === 0) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.watcher?.close();
      this.watcher = undefined;
      return;
    }
    // If watching isn't possible, the regular checks must do.
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
    // Field 22, in clock ticks since boot. The name before it may contain spaces and parentheses.
    const text = attempt(() => readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
    const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
    // A zombie: it has exited, but its parent hasn't read the exit code.
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  },
};

/** Regularly reports that the window with this file is running, for windows on other machines. */
function beat(file: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(file, now, now).catch(() => undefined);
  }, beatMs);
  timer.unref();
  return () => clearInterval(timer);
}
