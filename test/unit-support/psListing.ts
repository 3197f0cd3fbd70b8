/** What `ps` is asked for: `-E` adds the environment behind the command, but not of programs that come with macOS (`sh`, `sleep`). */
export const psArguments = ['-A', '-E', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='];

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
  readonly line: string;
  /** Started by this process as the leader of a group, by a program that hides its environment. */
  readonly isHiddenLeader: boolean;
}

/**
 * The processes of a listing that carry `mark` in their environment, and those that only can be told by where they come from: what
 * these have started, what `self` has started in a group of its own and hides its environment, and what `seen` names. What is found
 * goes into `seen`, pid and start, since who loses their parent cannot be told any more.
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
  // What has ended and only waits to be collected is not running.
  if (state.startsWith('Z')) return [];
  const isHiddenLeader = Number(parent) === self && group === pid && !/ PATH=/.test(command);
  return [{ pid: Number(pid), parent: Number(parent), started, line, isHiddenLeader }];
}
