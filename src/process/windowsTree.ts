import { run, type ProcessInfo } from './processTree';

/** A process in the Windows process table. `started` is in units of 100 ns since 1601. */
export type WindowsProcess = Pick<ProcessInfo, 'pid' | 'parent'> & { readonly started: bigint };

/** The system functions to use. Defaults to the real ones. */
export interface WindowsSystem {
  readonly list: () => Promise<readonly WindowsProcess[]>;
  /** Ends a process with its children. */
  readonly kill: (pid: number) => Promise<unknown>;
  readonly now: () => number;
}

const system: WindowsSystem = {
  list: async () => {
    const each = '"$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())"';
    const command = `Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { ${each} }`;
    return parseWindowsList(await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command]));
  },
  kill: (pid) => run('taskkill.exe', ['/pid', String(pid), '/T', '/F']),
  now: () => Date.now(),
};

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
