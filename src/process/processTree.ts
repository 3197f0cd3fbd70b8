import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as breath, setTimeout as delay } from 'node:timers/promises';
import type { ProcessInfo } from './processInfo';
import { run, runPowerShell } from './run';
import { endWindowsTree } from './windowsTree';

/** A process that leads its own group, and its start time if known. */
export interface GroupLeader {
  readonly pid: number;
  readonly started?: string;
}

/** Resolves to all running processes, without zombies, or undefined if they can't be listed, as on Windows. */
export async function listProcesses(): Promise<ProcessInfo[] | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    return process.platform === 'linux' ? await listFromProc() : await listFromPs();
  } catch {
    // /proc isn't mounted, or `ps` is missing.
    return undefined;
  }
}

/** Resolves to the start time of a process as in `ProcessInfo.started`, or undefined if it exited or the system doesn't report it. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return readProcStat(pid)?.started;
    if (process.platform === 'win32') {
      const command = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      return (await runPowerShell(command)).trim() || undefined;
    }
    return parsePs(await run('ps', [...psFormat, '-p', String(pid)]))[0]?.started;
  } catch {
    // The process exited.
    return undefined;
  }
}

/**
 * Returns the members of the leader's session and group, the processes in `known` (seen in the tree before) that still run, and all their
 * descendants in any group. If the leader's pid now belongs to another process, only `known` counts, so that unrelated processes are never
 * included.
 */
export function treeOf(
  leader: GroupLeader,
  processes: readonly ProcessInfo[],
  known: readonly ProcessInfo[] = [],
): ProcessInfo[] {
  const isLeader = (candidate: ProcessInfo) => candidate.pid === leader.pid && candidate.started === leader.started;
  const isTaken =
    leader.started !== undefined && processes.some((other) => other.pid === leader.pid && !isLeader(other));
  // Session and group outlive their leader, and their number stays reserved. A just-forked leader may not lead them yet.
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
 * Ends the leader's whole tree and resolves when it is gone: SIGTERM, then SIGKILL after `graceMs` (immediately if 0). `known` are
 * processes seen in the tree before, which may have lost their parent since. Gives up silently on processes that survive SIGKILL for two
 * seconds.
 */
export async function endTree(leader: GroupLeader, graceMs: number, known: readonly ProcessInfo[] = []): Promise<void> {
  // Signals to "groups" 0 and 1 would reach this process, or all processes.
  if (!Number.isInteger(leader.pid) || leader.pid <= 1) return;
  if (process.platform === 'win32') {
    await endOnWindows(leader);
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

/**
 * Resolves to the running processes of the tree; for `known`, see `treeOf`. If processes can't be listed, one member represents the whole
 * group. POSIX only.
 */
export async function livingTree(leader: GroupLeader, known: readonly ProcessInfo[] = []): Promise<ProcessInfo[]> {
  const processes = await listProcesses();
  if (processes) return treeOf(leader, processes, known);
  return groupExists(leader.pid) ? [blindMember(leader)] : [];
}

/** Processes that aren't direct children emit no event when they exit, so this polls at growing intervals. */
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
    // Processes started between the listing and the signal get the signal, too.
    if (repeat) signalTree(leader, left, repeat);
  }
}

function signalTree(leader: GroupLeader, tree: readonly ProcessInfo[], signal: NodeJS.Signals): void {
  // Signals the whole group together, so that a shell doesn't run its next command between two signals.
  if (tree.some((member) => member.group === leader.pid)) sendSignal(-leader.pid, signal);
  for (const member of tree) if (member.group !== leader.pid) sendSignal(member.pid, signal);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process already exited or belongs to another user.
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

/** Returns a placeholder for a whole group if processes can't be listed. */
function blindMember(leader: GroupLeader): ProcessInfo {
  return { pid: leader.pid, parent: 0, group: leader.pid, started: leader.started ?? '' };
}

async function endOnWindows(leader: GroupLeader): Promise<void> {
  if (leader.started !== undefined && (await startTimeOf(leader.pid)) !== leader.started) return;
  await endWindowsTree(leader.pid);
}

async function listFromProc(): Promise<ProcessInfo[]> {
  const found: ProcessInfo[] = [];
  for (const [index, name] of (await readdir('/proc')).entries()) {
    // Yields every few milliseconds, so that other work on this thread can run.
    if (index % 64 === 63) await breath();
    const info = /^\d/.test(name) ? readProcStat(name) : undefined;
    if (info) found.push(info);
  }
  return found;
}

/** Larger than any entry. Shared, because entries are read one at a time. */
const room = Buffer.alloc(4096);

/** Reads synchronously: the kernel answers from memory, which takes a seventh of the time of asynchronous reads. */
function readProcStat(pid: number | string): ProcessInfo | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/stat`, 'r');
    return parseProcStat(room.toString('latin1', 0, readSync(file, room)));
  } catch {
    // The process exited.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Parses `/proc/PID/stat` (proc(5)). Returns undefined for a zombie. The name in parentheses may contain spaces and parentheses, so fields
 * count from the last parenthesis.
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

/** Parses `ps` output with pid, parent, group, state, and start. Omits zombies. Sessions are unknown, because `ps` doesn't print them. */
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
