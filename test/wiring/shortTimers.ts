// Waits that only make the product calmer take a millisecond here, and the tests know when nothing is left to happen.
import type childProcess from 'node:child_process';
import timers from 'node:timers/promises';

/** Longer waits are promises to the user, such as how long something may take. They are kept. */
const longestShortMs = 600;
/** What is awaited without another way to end is over after a while, such as how long changes still belong to a turn. */
const longestDelayMs = 3000;
const pending = new Set<NodeJS.Timeout>();
const running = new Set<childProcess.ChildProcess>();
const immediates = new Set<NodeJS.Immediate>();
const realNow = performance.now.bind(performance);
/** How much of short waits was left out. The clock is ahead by that, because some loops wait until a time. */
let skippedMs = 0;
const realDate = Date.now.bind(Date);
const realSetTimeout = globalThis.setTimeout;
const realClearTimeout = globalThis.clearTimeout;

function shortSetTimeout(action: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout {
  if (!(ms <= longestShortMs)) return realSetTimeout(action, ms, ...args);
  return schedule(() => action(...args), ms);
}

function schedule(action: () => void, ms: number): NodeJS.Timeout {
  const timer = realSetTimeout(
    () => {
      pending.delete(timer);
      skippedMs += Math.max(0, ms - 1);
      action();
    },
    Math.min(ms, 1),
  );
  pending.add(timer);
  return timer;
}

const { setImmediate: turn, setTimeout: realDelay } = timers;
Object.assign(timers, {
  setTimeout: (ms = 0, ...rest: [value?: unknown, options?: object]) =>
    ms > longestDelayMs ? realDelay(ms, ...rest) : new Promise((resolve) => schedule(() => resolve(rest[0]), ms)),
});

Object.assign(globalThis, {
  setTimeout: shortSetTimeout,
  clearTimeout: (timer: NodeJS.Timeout | undefined) => {
    if (timer) pending.delete(timer);
    realClearTimeout(timer);
  },
});
// What goes on from one turn of the event loop to the next isn't calm either.
const { setImmediate: realSetImmediate, clearImmediate: realClearImmediate } = globalThis;
Object.assign(globalThis, {
  setImmediate: (action: (...args: unknown[]) => void, ...args: unknown[]) => {
    const immediate = realSetImmediate(() => {
      immediates.delete(immediate);
      action(...args);
    });
    immediates.add(immediate);
    return immediate;
  },
  clearImmediate: (immediate: NodeJS.Immediate | undefined) => {
    if (immediate) immediates.delete(immediate);
    realClearImmediate(immediate);
  },
});
performance.now = () => realNow() + skippedMs;
Date.now = () => realDate() + Math.round(skippedMs);

/** Counts a program as something that is going to happen until it has ended. */
export function awaitProgram(child: childProcess.ChildProcess): void {
  running.add(child);
  child.once('error', () => running.delete(child));
  child.once('close', () => running.delete(child));
}

/** Whether files are read or written. Watchers and sockets stay, so they don't count. */
const isBusy = () =>
  pending.size > 0 ||
  running.size > 0 ||
  immediates.size > 0 ||
  process
    .getActiveResourcesInfo()
    .some((name) => /^(FSReq|FileHandleCloseReq|CloseReq|GetAddrInfo|Zlib|Hash)/i.test(name));

/** What happens outside of the product once it's calm: returns whether anything did. */
export const outside: { happens: () => boolean } = { happens: () => false };

/** Resolves once nothing is left that could still happen by itself. */
export async function quiet(withinMs = 60_000): Promise<void> {
  const start = realNow();
  for (let calm = 0; calm < 4;) {
    await turn();
    calm = isBusy() || (calm === 3 && outside.happens()) ? 0 : calm + 1;
    if (calm === 0) await new Promise((resolve) => realSetTimeout(resolve, 1));
    if (realNow() - start > withinMs) {
      const programs = [...running].map(({ spawnargs }) => spawnargs.join(' '));
      throw new Error(`It never becomes quiet: ${[...process.getActiveResourcesInfo(), ...programs].join(', ')}`);
    }
  }
}
