// Runs beside the extension host. Reads from stdin which process groups to guard, one line each: `+PID`, `-PID`,
// `goodbye`. If stdin ends without a goodbye, the host has died, and the groups are stopped.
import { createInterface } from 'node:readline';
import { endTree, livingTree, startTimeOf, type GroupLeader } from '../../../process/processTree';

/**
 * Time between SIGTERM and SIGKILL, in milliseconds. The agents' own stdin has also ended, so most of them are already
 * exiting.
 */
const graceMs = 2000;

/** The start time of each process, so that a later one with the same pid is left alone. */
const guarded = new Map<number, Promise<string | undefined>>();
let hasSaidGoodbye = false;

function obey(line: string): void {
  if (line === 'goodbye') {
    hasSaidGoodbye = true;
    return;
  }
  const pid = Number(line.slice(1));
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (line.startsWith('+')) guarded.set(pid, startTimeOf(pid));
  else if (line.startsWith('-')) guarded.delete(pid);
}

async function end(pid: number, starting: Promise<string | undefined>): Promise<void> {
  const started = await starting;
  const leader: GroupLeader = started === undefined ? { pid } : { pid, started };
  // Windows has no groups, so only the start time distinguishes a guarded process from a later one.
  if (process.platform === 'win32' && started === undefined) return;
  await endTree(leader, graceMs, process.platform === 'win32' ? [] : await livingTree(leader));
}

// Only the end of stdin ends it, because a signal to everything that the editor started must not end it first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', obey);
lines.on('close', () => {
  if (hasSaidGoodbye) return;
  void Promise.all([...guarded].map(([pid, starting]) => end(pid, starting)));
});
