import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One process as the operating system lists it. `start` tells two processes apart that had the same id. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: string;
  /** Dead, and only waits for its parent to notice. */
  readonly zombie: boolean;
}

/** All processes of this machine (of this container) that the user may see; none on Windows. */
export async function listProcesses(platform: NodeJS.Platform = process.platform): Promise<ProcessInfo[]> {
  if (platform === 'win32') return [];
  if (platform === 'linux') return listProc();
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { maxBuffer: 16 * 1024 * 1024 });
  return parsePs(stdout);
}

async function listProc(): Promise<ProcessInfo[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        return parseProcStat(await readFile(`/proc/${name}/stat`, 'latin1'));
      } catch {
        // Ended between the listing and the look.
        return undefined;
      }
    }),
  );
  return found.filter((info) => info !== undefined);
}

/** Reads one `/proc/PID/stat`. The name in it may hold spaces and brackets, so the fields count from the last bracket. */
export function parseProcStat(text: string): ProcessInfo | undefined {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const [state, parent, group, session] = fields;
  const pid = Number.parseInt(text, 10);
  if (end < 0 || session === undefined || Number.isNaN(pid)) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start: fields[19] ?? '',
    zombie: state === 'Z' || state === 'X',
  };
}

/** Reads the output of `ps` with the columns id, parent, group, state and start; there are no sessions in it. */
export function parsePs(text: string): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/u.exec(line);
    if (!match) continue;
    const [, pid, parent, group, state, start] = match;
    found.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      start: (start ?? '').trim(),
      zombie: (state ?? '').startsWith('Z'),
    });
  }
  return found;
}

/**
 * The living processes that belong to the command started as `root`, which leads its own group and session: these two,
 * every descendant wherever it moved, and those in `known` (seen before) with their descendants.
 */
export function treeOf(
  processes: readonly ProcessInfo[],
  root: number,
  known: readonly ProcessInfo[] = [],
): ProcessInfo[] {
  const starts = new Map(known.map((info) => [info.pid, info.start]));
  const inTree = new Set<number>();
  const childrenOf = new Map<number, ProcessInfo[]>();
  for (const info of processes) {
    const siblings = childrenOf.get(info.parent);
    if (siblings) siblings.push(info);
    else childrenOf.set(info.parent, [info]);
  }
  const queue = processes.filter(
    (info) => info.pid === root || info.group === root || info.session === root || starts.get(info.pid) === info.start,
  );
  for (let info = queue.pop(); info !== undefined; info = queue.pop()) {
    if (inTree.has(info.pid)) continue;
    inTree.add(info.pid);
    queue.push(...(childrenOf.get(info.pid) ?? []));
  }
  return processes.filter((info) => inTree.has(info.pid) && !info.zombie);
}

/**
 * Ends a command and everything it started: asks with SIGTERM, and after `graceMs` with SIGKILL. Resolves when no
 * process of the tree is left, or when even SIGKILL did not help within a second. `known` are processes of it seen before.
 */
export async function endProcessTree(root: number, graceMs: number, known: readonly ProcessInfo[] = []): Promise<void> {
  if (root <= 1) return;
  if (process.platform === 'win32') {
    await endWindowsTree(root);
    return;
  }
  try {
    await endListedTree(root, graceMs, known);
  } catch {
    // Processes cannot be listed here: the group is all that is known of the tree.
    send(-root, 'SIGTERM');
    await delay(graceMs);
    send(-root, 'SIGKILL');
  }
}

async function endListedTree(root: number, graceMs: number, known: readonly ProcessInfo[]): Promise<void> {
  // Listed before the first signal: a child whose parent dies is no longer seen as its descendant.
  let left = treeOf(await listProcesses(), root, known);
  signalAll('SIGTERM', root, left);
  left = await waitForEnd(root, left, graceMs);
  if (left.length === 0) return;
  signalAll('SIGKILL', root, left);
  await waitForEnd(root, left, 1000);
}

/** Waits up to `timeoutMs` for processes that are not our children, so nothing tells of their end: looking is all there is. */
async function waitForEnd(root: number, tree: readonly ProcessInfo[], timeoutMs: number): Promise<ProcessInfo[]> {
  const deadline = performance.now() + timeoutMs;
  let pause = 5;
  for (;;) {
    const left = treeOf(await listProcesses(), root, tree);
    if (left.length === 0 || performance.now() >= deadline) return left;
    await delay(pause);
    pause = Math.min(pause * 2, 50);
  }
}

function signalAll(signal: NodeJS.Signals, root: number, tree: readonly ProcessInfo[]): void {
  // The group at once, so that no shell goes on to its next command between two signals.
  if (tree.some((info) => info.group === root)) send(-root, signal);
  for (const info of tree) if (info.group !== root) send(info.pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself a moment ago, or became another user's.
  }
}

async function endWindowsTree(root: number): Promise<void> {
  try {
    await run('taskkill', ['/PID', String(root), '/T', '/F'], { windowsHide: true });
  } catch {
    // Not found: it has ended.
  }
}
