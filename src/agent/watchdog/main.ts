// Runs beside the extension host. It is told on stdin which process groups to guard, one line each: `+PID`, `-PID`, `goodbye`.
// When stdin ends without a goodbye, the host has died, and the groups are ended.
import { createInterface } from 'node:readline';
import { endTree, livingTree, startTimeOf, type GroupLeader } from '../../process/processTree';

/** Between SIGTERM and SIGKILL. The agents' own stdin has ended too, so most of them are on their way already. */
const graceMs = 2000;

/** When a pid's process started, so that a later one with the same pid is left alone. */
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
  // Windows has no groups: without the start time nothing tells a guarded process from a later one.
  if (process.platform === 'win32' && started === undefined) return;
  await endTree(leader, graceMs, process.platform === 'win32' ? [] : await livingTree(leader));
}

// Only the end of stdin ends it: a signal to everything the editor started must not reach it first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', obey);
lines.on('close', () => {
  if (hasSaidGoodbye) return;
  void Promise.all([...guarded].map(([pid, starting]) => end(pid, starting)));
});
