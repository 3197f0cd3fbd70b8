import { run, type ProcessInfo } from './processTree';

/** A process of Windows' table: `started` in 100 ns since 1601. */
export type WindowsProcess = Pick<ProcessInfo, 'pid' | 'parent'> & { readonly started: bigint };

/** What the system is asked; the real one when absent. */
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

/** Reads lines of pid, parent and start. */
export function parseWindowsList(output: string): WindowsProcess[] {
  return [...output.matchAll(/^\s*(\d+) (\d+) (\d+)\s*$/gm)].map(([, pid, parent, started]) => ({
    pid: Number(pid),
    parent: Number(parent),
    started: BigInt(started ?? 0),
  }));
}

/**
 * What a process of Windows started, also when that process has ended: the system forgets trees, but not who the parent was. Numbers are
 * used again, so only what was started in the life of the process counts. Made as soon as the process runs.
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

  /** Remembers what runs of it now: children whose own parent ends are found by that alone. */
  async look(): Promise<void> {
    this.known = this.membersOf(await this.list());
  }

  /** To be called as soon as the process has ended. */
  ended(): void {
    this.until ??= fileTime(this.system.now() + 1);
  }

  /** Ends what is left after the process has ended; the same each time. */
  endRest(): Promise<void> {
    return (this.sweeping ??= this.sweep());
  }

  private async sweep(): Promise<void> {
    const left = this.membersOf(await this.list());
    // One that has ended in the meantime, maybe with its parent, cannot be ended.
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
    // The list grows while it is gone through.
    for (const { pid, started } of members) {
      for (const one of processes) {
        if (one.parent !== pid || one.started < started || one.pid === this.pid || found.has(one.pid)) continue;
        found.set(one.pid, one);
        members.push(one);
      }
    }
    return members;
  }

  /** Nothing where the system does not tell. */
  private list(): Promise<readonly WindowsProcess[]> {
    return this.system.list().catch(() => []);
  }
}

function fileTime(ms: number): bigint {
  return (BigInt(ms) + 11_644_473_600_000n) * 10_000n;
}
