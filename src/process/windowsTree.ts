import { isAlive } from './isAlive';
import type { ProcessInfo } from './processInfo';
import { run, runPowerShell, systemProgram } from './run';

/** A process in the Windows process table. `started` is in units of 100 ns since 1601. */
export type WindowsProcess = Pick<ProcessInfo, 'pid' | 'parent'> & { readonly started: bigint };

/** The system functions to use. Defaults to the real ones. */
export interface WindowsSystem {
  readonly list: () => Promise<readonly WindowsProcess[]>;
  /** Ends a process with its children. */
  readonly kill: (pid: number) => Promise<unknown>;
  readonly now: () => number;
}

/** The ways to end a tree. Defaults to the real ones. */
export interface WindowsEnders extends Pick<WindowsSystem, 'list'> {
  /** Ends a process and its children with the system's own program. */
  readonly killTree: (pid: number) => Promise<unknown>;
  /** Ends a single process. Throws if that isn't possible. */
  readonly killOne: (pid: number) => unknown;
  readonly isAlive: (pid: number) => boolean;
}

const enders: WindowsEnders = {
  list: async () => {
    const each = '"$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())"';
    const command = `Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { ${each} }`;
    return parseWindowsList(await runPowerShell(command));
  },
  killTree: (pid) => run(systemProgram('taskkill.exe'), ['/pid', String(pid), '/T', '/F']),
  killOne: (pid) => process.kill(pid, 'SIGKILL'),
  isAlive,
};

const system: WindowsSystem = { list: enders.list, kill: (pid) => endWindowsTree(pid), now: () => Date.now() };

/**
 * Ends a process and its descendants. If taskkill is missing, forbidden, or ends only a part, ends each process found in
 * the process table, and at least the process itself.
 */
export async function endWindowsTree(
  pid: number,
  { list, killTree, killOne, isAlive: lives }: WindowsEnders = enders,
): Promise<void> {
  // The id of a process that has exited may be reused at any time.
  if (!lives(pid)) return;
  const isEnded = await killTree(pid).then(
    () => true,
    () => false,
  );
  if (isEnded) return;
  // Before the process itself ends, so that the table still has its children's parent.
  const processes = await list().catch(() => []);
  const tree = new Map<number, bigint>();
  const started = processes.find((one) => one.pid === pid)?.started;
  if (started !== undefined) addDescendants(new Map([[pid, started]]), processes, tree);
  for (const one of [pid, ...tree.keys()]) {
    try {
      killOne(one);
    } catch {
      // It already exited, or belongs to another user.
    }
  }
}

/** Adds the descendants of `parents` to `found`. Ids are reused, so a child is never older than its parent. */
function addDescendants(
  parents: ReadonlyMap<number, bigint>,
  processes: readonly WindowsProcess[],
  found: Map<number, bigint>,
): void {
  let latest = parents;
  while (latest.size > 0) {
    const children = new Map<number, bigint>();
    for (const { pid, parent, started } of processes) {
      const from = latest.get(parent);
      if (from === undefined || started < from || parents.has(pid) || found.has(pid)) continue;
      children.set(pid, started);
    }
    for (const [pid, started] of children) found.set(pid, started);
    latest = children;
  }
}

/** Parses lines of pid, parent, and start time. */
export function parseWindowsList(output: string): WindowsProcess[] {
  return [...output.matchAll(/^\s*(\d+) (\d+) (\d+)\s*$/gm)].map(([, pid, parent, started]) => ({
    pid: Number(pid),
    parent: Number(parent),
    started: BigInt(started ?? 0),
  }));
}

/**
 * Finds the descendants of a Windows process, even after it exited: Windows doesn't track trees, but records each process's parent. Ids are
 * reused, so only processes started during the process's lifetime count. Must be created as soon as the process runs.
 */
export class WindowsTree {
  private readonly pid: number;
  private readonly system: WindowsSystem;
  private readonly from: bigint;
  private until: bigint | undefined;
  private known: readonly WindowsProcess[] = [];
  private sweeping: Promise<void> | undefined;

  constructor(pid: number, asked = system) {
    this.pid = pid;
    this.system = asked;
    this.from = fileTime(asked.now());
  }

  /** Records the running descendants now. Those whose own parent exits later are found only this way. */
  async look(): Promise<void> {
    this.known = this.membersOf(await this.list());
  }

  /** Must be called as soon as the process exits. */
  ended(): void {
    this.until ??= fileTime(this.system.now() + 1);
  }

  /** Ends the remaining descendants after the process exited. Repeated calls return the same promise. */
  endRest(): Promise<void> {
    return (this.sweeping ??= this.sweep());
  }

  private async sweep(): Promise<void> {
    const left = this.membersOf(await this.list());
    // A process that already exited, perhaps with its parent, can't be ended.
    for (const { pid } of left) await this.system.kill(pid).catch(() => undefined);
  }

  private membersOf(processes: readonly WindowsProcess[]): WindowsProcess[] {
    const starts = new Map(this.known.map(({ pid, started }) => [pid, started]));
    const isChild = ({ parent, started }: WindowsProcess) =>
      parent === this.pid && started >= this.from && (this.until === undefined || started <= this.until);
    const members = processes.filter(
      (one) => one.pid !== this.pid && (starts.get(one.pid) === one.started || isChild(one)),
    );
    const found = new Map(members.map((one) => [one.pid, one]));
    // The list grows during the iteration.
    for (const { pid, started } of members) {
      for (const one of processes) {
        if (one.parent !== pid || one.started < started || one.pid === this.pid || found.has(one.pid)) continue;
        found.set(one.pid, one);
        members.push(one);
      }
    }
    return members;
  }

  /** Resolves to an empty list if the system doesn't report processes. */
  private list(): Promise<readonly WindowsProcess[]> {
    return this.system.list().catch(() => []);
  }
}

function fileTime(ms: number): bigint {
  return (BigInt(ms) + 11_644_473_600_000n) * 10_000n;
}
