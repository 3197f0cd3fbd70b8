import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  watch,
} from 'node:fs';
import type { FSWatcher, Stats } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { attempt } from '../../shared/values/attempt';
import { messageOf } from '../../shared/values/messageOf';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import { isBelow } from '../../shared/limits/isBelow';
import { processesOf } from '../temporary/processesOf';
import { leadsToShared } from './runtimeConfig';

/** The programs of the system that make a mount in a running sandbox. */
export interface MountPrograms {
  readonly nsenter: string | undefined;
  readonly mount: string | undefined;
}

type HeldPolicy = Pick<
  SandboxPolicy,
  'folders' | 'state' | 'shared' | 'readOnly' | 'unreadable' | 'stillReadable' | 'placeholders'
>;

interface Held {
  readonly path: string;
  readonly kind: 'readOnly' | 'unreadable';
}

const run = promisify(execFile);
/** A file that is replaced again and again is never held. */
const mostRounds = 20;
/** Opens nothing, and so waits for nobody (`O_PATH`). */
const onlyPath = 0o10000000;

/**
 * Keeps places held while a sandbox runs, on Linux. The system holds a file and not its name: if a program outside replaces
 * the file, as git and most editors do, nothing holds the new one. So the folders around are watched from outside. What has
 * lost its hold gets it again in all running namespaces of the sandbox, whose programs stand still meanwhile.
 */
export class Holds {
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly places: readonly Held[];
  /** Links that are only watched: what they lead to can be changed. */
  private readonly open: ReadonlySet<Held>;
  private turn: Promise<void> = Promise.resolve();
  /** The places of each folder that is watched. */
  private readonly around = new Map<string, readonly Held[]>();
  /** The names in each of these folders that lead to a place. Others come and go all the time. */
  private readonly names = new Map<string, Set<string>>();
  private readonly dirty = new Set<string>();
  private isDisposed = false;

  /** Those that are there: whoever starts the sandbox makes them, and removes them afterwards. */
  private readonly placeholders: readonly string[];
  private readonly temporary: string;
  private readonly programs: MountPrograms;
  private readonly onLost: (path: string) => void;
  /** Links to what is held. A link can't be held itself. */
  private readonly links: ReadonlyMap<string, string>;

  /** What is shown in the place of unreadable files. */
  private readonly sources: ReadonlyMap<string, string>;

  /** Calls `onLost` with a place that can't be held any more, when the programs of the sandbox have been ended. */
  constructor(
    policy: HeldPolicy,
    temporary: string,
    programs: MountPrograms,
    onLost: (path: string) => void,
    sources: ReadonlyMap<string, string> = new Map(),
  ) {
    this.sources = sources;
    this.placeholders = (policy.placeholders ?? []).filter((path) => existsSync(path));
    this.temporary = temporary;
    this.programs = programs;
    this.onLost = onLost;
    this.places = heldOf(policy);
    this.open = new Set(
      this.places.filter(({ path, kind }) => kind === 'readOnly' && leadsToShared(path, policy.shared)),
    );
    this.links = new Map(
      this.places.flatMap(({ path, kind }) => {
        const to = kind === 'readOnly' ? attempt(() => readlinkSync(path)) : undefined;
        return to === undefined ? [] : [[path, to] as const];
      }),
    );
  }

  /** Begins to watch. Throws if the system can't. */
  start(): void {
    this.watchAll();
  }

  dispose(): void {
    this.isDisposed = true;
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  /** Watches the folder of each place, or the nearest one that is there. */
  private watchAll(): void {
    const around = new Map<string, Held[]>();
    for (const place of this.places) {
      for (const path of new Set([place.path, attempt(() => realpathSync(place.path)) ?? place.path])) {
        let folder = dirname(path);
        while (folder !== dirname(folder) && !existsSync(folder)) folder = dirname(folder);
        around.set(folder, [...(around.get(folder) ?? []), place]);
        const [name = ''] = relative(folder, path).split(sep);
        this.names.set(folder, (this.names.get(folder) ?? new Set()).add(name));
      }
    }
    this.around.clear();
    for (const [folder, places] of around) {
      this.around.set(folder, places);
      if (this.watchers.has(folder) || folder === dirname(folder)) continue;
      const watcher = watch(folder, { persistent: false }, (_type, name) => this.changed(folder, name));
      watcher.on('error', () => this.changed(folder, null));
      this.watchers.set(folder, watcher);
    }
  }

  /** `name` is of what has come or gone in the folder, if the system says it. The folder itself has its own name. */
  private changed(folder: string, name: string | null): void {
    const isMeant = name === null || name === basename(folder) || this.names.get(folder)?.has(name) === true;
    if (!isMeant) return;
    const isWaiting = this.dirty.size > 0;
    this.dirty.add(folder);
    if (isWaiting || this.isDisposed) return;
    this.turn = this.turn.then(() => this.holdAgain());
  }

  private async holdAgain(): Promise<void> {
    const folders = [...this.dirty];
    this.dirty.clear();
    if (this.isDisposed) return;
    const places = new Set(folders.flatMap((folder) => this.around.get(folder) ?? []));
    await this.hold([...places]);
    // What has come or gone in these folders changes what is to be watched.
    if (this.needsWatching(folders)) {
      for (const folder of folders) this.unwatch(folder);
      attempt(() => {
        this.watchAll();
      });
      await this.hold([...places]);
    }
  }

  private needsWatching(folders: readonly string[]): boolean {
    return folders.some(
      (folder) =>
        !existsSync(folder) ||
        (this.around.get(folder) ?? []).some(
          ({ path }) => dirname(path) !== folder && (existsSync(dirname(path)) || attempt(() => realpathSync(path))),
        ),
    );
  }

  private unwatch(folder: string): void {
    if (existsSync(folder)) return;
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }

  private async hold(places: readonly Held[]): Promise<void> {
    for (const path of this.placeholders)
      if (attempt(() => lstatSync(path)) === undefined) attempt(() => mkdirSync(path));
    const replaced = [...this.links].find(([path, to]) => attempt(() => readlinkSync(path)) !== to);
    if (replaced) {
      this.end(replaced[0]);
      return;
    }
    for (let round = 0; round < mostRounds; round += 1) {
      const lost = this.lost(places.filter((place) => !this.open.has(place)));
      if (lost.length === 0) return;
      const last = round === mostRounds - 1 ? lost[0]?.place.path : await this.mountAll(lost);
      if (last === undefined) continue;
      this.end(last);
      return;
    }
  }

  private end(path: string): void {
    for (const { ids } of namespaces(this.temporary)) signal(ids, 'SIGKILL');
    this.onLost(path);
  }

  /** Returns what isn't held in a namespace, with a process there. */
  private lost(places: readonly Held[]): readonly Lost[] {
    return namespaces(this.temporary).flatMap(({ pid, ids }) =>
      places.flatMap((place) => {
        const path = attempt(() => realpathSync(place.path));
        const stat = path === undefined ? undefined : attempt(() => lstatSync(path));
        if (path === undefined || stat === undefined) return [];
        const seen = attempt(() => lstatSync(`/proc/${pid}/root${path}`));
        // Programs there don't see the place that is outside.
        if (seen === undefined || seen.dev !== stat.dev || seen.ino !== stat.ino) return [];
        const flags = mountFlags(pid, path);
        return place.kind === 'readOnly' && flags.includes('ro')
          ? []
          : [{ place: { ...place, path }, stat, pid, ids, flags }];
      }),
    );
  }

  /** Holds places again; returns one that can't be, or is in use by a program of the sandbox. */
  private async mountAll(lost: readonly Lost[]): Promise<string | undefined> {
    const ids = [...new Set(lost.flatMap((one) => one.ids))];
    signal(ids, 'SIGSTOP');
    try {
      for (const { place, stat, pid, flags } of lost) {
        const isDone = await this.mount(place, stat, pid, flags);
        const isThere = attempt(() => lstatSync(place.path))?.ino === stat.ino;
        if (isThere && (!isDone || isOpen(ids, place, stat))) return place.path;
      }
      return undefined;
    } finally {
      signal(ids.toReversed(), 'SIGCONT');
    }
  }

  private async mount({ path, kind }: Held, stat: Stats, pid: number, flags: readonly string[]): Promise<boolean> {
    const { nsenter, mount } = this.programs;
    const source = this.sources.get(path);
    if (nsenter === undefined || mount === undefined) return false;
    const inside = ['-U', '-m', '--preserve-credentials', '-t', String(pid), mount];
    // What the mount around has can't be taken away.
    const kept = flags.filter((flag) => /^(?:nosuid|nodev|noexec)$/.test(flag));
    const steps =
      kind === 'unreadable' && stat.isDirectory()
        ? [['-t', 'tmpfs', '-o', 'ro,nosuid,nodev', 'tmpfs', path]]
        : [
            ['--bind', kind === 'unreadable' ? (source ?? '/dev/null') : path, path],
            // A device that can't be opened: programs learn that they aren't permitted.
            ['-o', ['remount', 'bind', 'ro', ...(kind === 'unreadable' ? ['nosuid', 'nodev'] : kept)].join(','), path],
          ];
    try {
      for (const step of steps) await run(nsenter, [...inside, ...step], { env: {} });
      return true;
    } catch (error) {
      process.stderr.write(`${messageOf(error)}\n`);
      return false;
    }
  }
}

interface Lost {
  readonly place: Held;
  readonly stat: Stats;
  readonly pid: number;
  readonly ids: readonly number[];
  readonly flags: readonly string[];
}

function heldOf({ folders, state, shared, readOnly, unreadable }: HeldPolicy): readonly Held[] {
  const changeable = [...folders, ...state, ...shared];
  return [
    ...readOnly.filter((path) => isBelow(path, changeable)).map((path) => ({ path, kind: 'readOnly' }) as const),
    ...unreadable.map((path) => ({ path, kind: 'unreadable' }) as const),
  ];
}

/** Returns the mount namespaces of a sandbox, each with one of its processes, and all of them. */
function namespaces(temporary: string): readonly { readonly pid: number; readonly ids: readonly number[] }[] {
  const own = readlinkSync('/proc/self/ns/mnt');
  const found = new Map<string, number[]>();
  for (const pid of processesOf([temporary])) {
    const id = attempt(() => readlinkSync(`/proc/${pid}/ns/mnt`));
    if (id !== undefined && id !== own) found.set(id, [...(found.get(id) ?? []), pid]);
  }
  return [...found.values()].flatMap((ids) => (ids[0] === undefined ? [] : [{ pid: ids[0], ids }]));
}

/** Returns the options of the mount in which a process sees a path. */
function mountFlags(pid: number, path: string): readonly string[] {
  const info = attempt(() => {
    const fd = openSync(`/proc/${pid}/root${path}`, onlyPath);
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    } finally {
      closeSync(fd);
    }
  });
  const id = /^mnt_id:\s*(\d+)$/m.exec(info ?? '')?.[1];
  if (id === undefined) return [];
  const mounts = attempt(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8')) ?? '';
  const fields = mounts
    .split('\n')
    .find((line) => line.startsWith(`${id} `))
    ?.split(' ');
  return fields?.[5]?.split(',') ?? [];
}

/** Whether a program has a place open that it must not read, or must not change. */
function isOpen(ids: readonly number[], { kind }: Held, { dev, ino }: Stats): boolean {
  return ids.some((pid) =>
    (attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []).some((fd) => {
      const { lstat, flags } = openFile(pid, fd);
      return lstat?.dev === dev && lstat.ino === ino && (kind === 'unreadable' || (flags & 3) !== 0);
    }),
  );
}

function openFile(pid: number, fd: string) {
  // The link leads to the open file itself, whatever has its name by now.
  const real = attempt(() => realpathSync(`/proc/${pid}/fd/${fd}`));
  const lstat = real === undefined ? undefined : attempt(() => lstatSync(real));
  const info = attempt(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? '';
  return { lstat, flags: Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? '0', 8) };
}

function signal(ids: readonly number[], name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  for (const pid of ids) attempt(() => process.kill(pid, name));
}
