/** Arguments for `ps`. `-E` appends the environment to the command, except for programs that come with macOS (`sh`, `sleep`). */
export const psArguments = ['-A', '-E', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='];

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
  readonly line: string;
  /** Whether this process started it as a group leader, and its program hides its environment. */
  readonly isHiddenLeader: boolean;
}

/**
 * Returns the pids of processes with `mark` in their environment, and of those identified only by origin: descendants of marked processes,
 * processes that `self` started as group leaders and that hide their environment, and processes in `seen`. Adds all of them to `seen` with
 * pid and start time, because a process that loses its parent can't be identified later.
 */
export function markedPids(listing: string, mark: string, self: number, seen: Map<number, string>): number[] {
  const all = listing.split('\n').flatMap((line) => parse(line, self));
  const found = new Map<number, Listed>();
  let next = all.filter(
    ({ pid, started, line, isHiddenLeader }) => line.includes(mark) || seen.get(pid) === started || isHiddenLeader,
  );
  while (next.length > 0) {
    for (const one of next) found.set(one.pid, one);
    next = all.filter(({ pid, parent }) => found.has(parent) && !found.has(pid));
  }
  for (const { pid, started } of found.values()) seen.set(pid, started);
  return [...found.keys()];
}

function parse(line: string, self: number): Listed[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\w+\s+[\d:]+\s+\d+)\s(.*)$/.exec(line);
  if (!match) return [];
  const [, pid, parent, group, state = '', started = '', command = ''] = match;
  // A zombie isn't running.
  if (state.startsWith('Z')) return [];
  const isHiddenLeader = Number(parent) === self && group === pid && !/ PATH=/.test(command);
  return [{ pid: Number(pid), parent: Number(parent), started, line, isHiddenLeader }];
}
