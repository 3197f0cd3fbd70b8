import { execFile } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as breath, setTimeout as delay } from 'node:timers/promises';

/** One running process. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Session id; only where the system tells it (Linux). */
  readonly session?: number;
  /** When it started, in the system's own words: equal texts and equal pids mean the same process. */
  readonly started: string;
}

/** A process that leads a group of its own, and the moment it started where that is known. */
export interface GroupLeader {
  readonly pid: number;
  readonly started?: string;
}

/** All running processes, without those that have ended and only wait to be collected; undefined where they cannot be listed, as on Windows. */
export async function listProcesses(): Promise<ProcessInfo[] | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    return process.platform === 'linux' ? await listFromProc() : await listFromPs();
  } catch {
    // No /proc mounted, or no `ps`.
    return undefined;
  }
}

/** When the process started, as in `ProcessInfo.started`; undefined when it has ended or the system does not tell. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return readProcStat(pid)?.started;
    if (process.platform === 'win32') {
      const command = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      return (await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command])).trim() || undefined;
    }
    return parsePs(await run('ps', [...psFormat, '-p', String(pid)]))[0]?.started;
  } catch {
    // The process has ended.
    return undefined;
  }
}

/**
 * The members of the leader's session and group, what `known` names (seen in the tree before) and still runs, and everything they
 * started, wherever it moved. When the leader's pid now belongs to another process, only `known` counts, so that nothing foreign is
 * ever named.
 */
export function treeOf(
  leader: GroupLeader,
  processes: readonly ProcessInfo[],
  known: readonly ProcessInfo[] = [],
): ProcessInfo[] {
  const isLeader = (candidate: ProcessInfo) => candidate.pid === leader.pid && candidate.started === leader.started;
  const isTaken =
    leader.started !== undefined && processes.some((other) => other.pid === leader.pid && !isLeader(other));
  // Session and group outlive their leader, and their number stays taken. What was just forked may not lead them yet.
  const isMember = (candidate: ProcessInfo) =>
    isLeader(candidate) || (candidate.session ?? candidate.group) === leader.pid;
  const starts = new Map(known.map(({ pid, started }) => [pid, started]));
  const tree = new Map<number, ProcessInfo>();
  let found = processes.filter(
    (candidate) => starts.get(candidate.pid) === candidate.started || (!isTaken && isMember(candidate)),
  );
  while (found.length > 0) {
    for (const member of found) tree.set(member.pid, member);
    found = processes.filter((candidate) => tree.has(candidate.parent) && !tree.has(candidate.pid));
  }
  return [...tree.values()];
}

/**
 * Ends the leader's whole tree and resolves when none of it is left: SIGTERM, then SIGKILL after `graceMs` (at once when 0). `known` are
 * processes seen in the tree before, which may have lost their parent since. Gives up quietly on what even SIGKILL does not end
 * within two seconds.
 */
export async function endTree(leader: GroupLeader, graceMs: number, known: readonly ProcessInfo[] = []): Promise<void> {
  // Signals to "groups" 0 and 1 would reach this very process, or everything.
  if (!Number.isInteger(leader.pid) || leader.pid <= 1) return;
  if (process.platform === 'win32') {
    await taskkill(leader);
    return;
  }
  let left = await livingTree(leader, known);
  if (left.length === 0) return;
  if (graceMs > 0) {
    signalTree(leader, left, 'SIGTERM');
    left = await waitUntilGone(leader, left, graceMs);
  }
  if (left.length === 0) return;
  signalTree(leader, left, 'SIGKILL');
  await waitUntilGone(leader, left, 2000, 'SIGKILL');
}

/** What runs of the tree now, `known` as in `treeOf`. Where processes cannot be listed, one member stands for the whole group. POSIX only. */
export async function livingTree(leader: GroupLeader, known: readonly ProcessInfo[] = []): Promise<ProcessInfo[]> {
  const processes = await listProcesses();
  if (processes) return treeOf(leader, processes, known);
  return groupExists(leader.pid) ? [blindMember(leader)] : [];
}

/** Processes that are no children of ours send no event when they end, so this looks again and again, less often with time. */
async function waitUntilGone(
  leader: GroupLeader,
  known: readonly ProcessInfo[],
  timeoutMs: number,
  repeat?: NodeJS.Signals,
): Promise<ProcessInfo[]> {
  const deadline = performance.now() + timeoutMs;
  let left: ProcessInfo[] = [...known];
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    await delay(Math.max(1, Math.min(pause, deadline - performance.now())));
    left = await livingTree(leader, left);
    if (left.length === 0 || performance.now() >= deadline) return left;
    // What was started between the look and the signal is not spared.
    if (repeat) signalTree(leader, left, repeat);
  }
}

function signalTree(leader: GroupLeader, tree: readonly ProcessInfo[], signal: NodeJS.Signals): void {
  // The group at once, so that no shell goes on to its next command between two signals.
  if (tree.some((member) => member.group === leader.pid)) sendSignal(-leader.pid, signal);
  for (const member of tree) if (member.group !== leader.pid) sendSignal(member.pid, signal);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime, or runs as another user: nothing we may do.
  }
}

function groupExists(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Stands for a whole group where processes cannot be listed. */
function blindMember(leader: GroupLeader): ProcessInfo {
  return { pid: leader.pid, parent: 0, group: leader.pid, started: leader.started ?? '' };
}

async function taskkill(leader: GroupLeader): Promise<void> {
  if (leader.started !== undefined && (await startTimeOf(leader.pid)) !== leader.started) return;
  try {
    await run('taskkill.exe', ['/pid', String(leader.pid), '/T', '/F']);
  } catch {
    // It has ended in the meantime.
  }
}

async function listFromProc(): Promise<ProcessInfo[]> {
  const found: ProcessInfo[] = [];
  for (const [index, name] of (await readdir('/proc')).entries()) {
    // What else waits for this thread has its turn between two milliseconds of this.
    if (index % 64 === 63) await breath();
    const info = /^\d/.test(name) ? readProcStat(name) : undefined;
    if (info) found.push(info);
  }
  return found;
}

/** Longer than any; it holds one at a time. */
const room = Buffer.alloc(4096);

/** Without waiting: the kernel answers out of its memory, which takes a seventh of the time of asking through other threads. */
function readProcStat(pid: number | string): ProcessInfo | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/stat`, 'r');
    return parseProcStat(room.toString('latin1', 0, readSync(file, room)));
  } catch {
    // The process has ended.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Reads one `/proc/PID/stat` (proc(5)); undefined for a process that has ended and only waits to be collected. The name in brackets
 * may hold blanks and brackets, so everything is counted from the last one.
 */
export function parseProcStat(stat: string): ProcessInfo | undefined {
  const pid = Number.parseInt(stat, 10);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (Number.isNaN(pid) || started === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), started };
}

const psFormat = ['-o', 'pid=,ppid=,pgid=,stat=,lstart='];

async function listFromPs(): Promise<ProcessInfo[]> {
  return parsePs(await run('ps', ['-A', ...psFormat]));
}

/** Reads what `ps` prints for pid, parent, group, state and start: the living ones, without sessions, which it does not tell. */
export function parsePs(output: string): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const line of output.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
    if (!match || match[4]?.startsWith('Z')) continue;
    const [, pid, parent, group, , started = ''] = match;
    found.push({ pid: Number(pid), parent: Number(parent), group: Number(group), started });
  }
  return found;
}

/** Runs a program to its end and resolves to what it prints; dates in C's spelling, whatever the user's language. */
export function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, LC_ALL: 'C' };
    execFile(program, args, { env, timeout: 10_000, windowsHide: true }, (error, stdout) => {
      if (error) reject(new Error(error.message, { cause: error }));
      else resolve(stdout);
    });
  });
}
