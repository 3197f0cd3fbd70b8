// @ts-check
// How long the processes of a run keep processors busy: tests, browsers, servers, agents, and what those start.
import { readFileSync, readdirSync } from 'node:fs';
import { runMark } from '../workbench/processes.mjs';

/** Names the layer of a process to all that it starts. */
export const layerMark = 'PARLEY_TEST_LAYER';

/** How many ticks of a clock Linux counts in a second of processor time. */
const ticksPerSecond = 100;
/** How often processes are looked at. What one that has ended used since the last look is found at the process that waited for it. */
const everyMs = 1000;
/** How many looks may find no environment, as while a process starts another program. */
const mostBareLooks = 5;

/**
 * A process as it was last seen. `own` is its time, and `waited` that of descendants that have ended and were waited for, in ticks.
 * @typedef {{ parent: string | undefined, layer: string | undefined, own: number, waited: number, isEnded: boolean }} SeenProcess
 */

/**
 * What `/proc/PID/stat` says of a process.
 * @param {string} stat
 */
export function readStat(stat) {
  // The name of the program is in parentheses and can contain anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11);
  return { parent, own: user + system, waited: waitedUser + waitedSystem, startedAt: fields[19] ?? 0 };
}

/**
 * Sums the time of processes by layer, in seconds. What a process waited for includes children that nobody has seen, and what the others used
 * after they were last seen.
 * @param {Iterable<readonly [id: string, process: SeenProcess]>} seen
 * @returns {Map<string | undefined, number>} undefined is what belongs to no layer
 */
export function sumByLayer(seen) {
  const all = [...seen];
  /** @type {Map<string, number>} */
  const ofEndedChildren = new Map();
  for (const [, { parent, own, waited, isEnded }] of all) {
    if (parent !== undefined && isEnded) ofEndedChildren.set(parent, (ofEndedChildren.get(parent) ?? 0) + own + waited);
  }
  /** @type {Map<string | undefined, number>} */
  const sums = new Map();
  for (const [id, { layer, own, waited }] of all) {
    const unseen = Math.max(0, waited - (ofEndedChildren.get(id) ?? 0));
    sums.set(layer, (sums.get(layer) ?? 0) + (own + unseen) / ticksPerSecond);
  }
  return sums;
}

/** The layer whose tests a command line runs: their bundles are in a folder with its name. @param {string} command */
export function layerOfCommand(command) {
  return /[\\/]out[\\/]([a-z][a-z\d-]*?)-\d+[\\/]/.exec(command)?.[1];
}

/** Sums the time of all processes that carry a run's mark. Only on Linux; elsewhere, it knows only of the run's own process. */
export class ProcessorMeter {
  /** @param {string} mark of the run */
  constructor(mark) {
    this.mark = `${runMark}=${mark}`;
    /** By id and time of the start. @type {Map<string, SeenProcess>} */
    this.seen = new Map();
    /** How often others were looked at without finding an environment; Infinity if they had one. @type {Map<string, number>} */
    this.others = new Map();
    if (process.platform === 'linux') setInterval(() => this.look(), everyMs).unref();
  }

  /** The seconds of each layer so far; undefined is what belongs to no layer, such as bundling and printing. */
  sums() {
    if (process.platform === 'linux') {
      this.look();
      return sumByLayer(this.seen);
    }
    const { user, system } = process.cpuUsage();
    return new Map([[undefined, (user + system) / 1e6]]);
  }

  look() {
    const found = readdirSync('/proc').flatMap((entry) => {
      const text = /^\d+$/.test(entry) ? readNow(`/proc/${entry}/stat`) : undefined;
      return text === undefined ? [] : [{ pid: Number(entry), ...readStat(text) }];
    });
    const ids = new Map(found.map(({ pid, startedAt }) => [pid, `${pid} ${startedAt}`]));
    // Parents first: a child can belong to the run by its parent alone.
    for (const { pid, parent, own, waited } of found.sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid)) {
      const id = ids.get(pid) ?? '';
      const known = this.seen.get(id) ?? this.meet(pid, id, ids.get(parent));
      if (!known) continue;
      known.own = own;
      known.waited = waited;
    }
    const running = new Set(ids.values());
    for (const [id, one] of this.seen) one.isEnded = !running.has(id);
    for (const id of this.others.keys()) if (!running.has(id)) this.others.delete(id);
  }

  /**
   * Looks at a process for the first time, or once more while its environment was empty.
   * @param {number} pid
   * @param {string} id
   * @param {string | undefined} parent
   * @returns {SeenProcess | undefined} undefined if it isn't the run's
   */
  meet(pid, id, parent) {
    const looks = this.others.get(id) ?? 0;
    if (looks >= mostBareLooks) return undefined;
    const variables = (readNow(`/proc/${pid}/environ`) ?? '').split('\0');
    const known = parent === undefined ? undefined : this.seen.get(parent);
    if (pid !== process.pid && known === undefined && !variables.includes(this.mark)) {
      this.others.set(id, variables.length > 1 ? Infinity : looks + 1);
      return undefined;
    }
    this.others.delete(id);
    const named = variables.find((one) => one.startsWith(`${layerMark}=`))?.slice(layerMark.length + 1);
    const layer = named ?? layerOfCommand(readNow(`/proc/${pid}/cmdline`) ?? '') ?? known?.layer;
    /** @type {SeenProcess} */
    const met = { parent: known === undefined ? undefined : parent, layer, own: 0, waited: 0, isEnded: false };
    this.seen.set(id, met);
    return met;
  }
}

/** Reads a file in /proc synchronously, because asynchronous reads take several times as long. @param {string} path */
function readNow(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
