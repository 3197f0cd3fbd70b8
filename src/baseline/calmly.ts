import { setImmediate as breath } from 'node:timers/promises';

/** How long a loop may hold up everything else in this process, in milliseconds. */
const holdMs = 10;
/** Asking for the time costs more than most steps. */
const stepsPerLook = 200;

/** Calls `act` for each item, and lets other work run in between. */
export async function eachCalmly<T>(items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let since = performance.now();
  let steps = 0;
  for (const item of items) {
    act(item);
    if (++steps % stepsPerLook > 0 || performance.now() - since < holdMs) continue;
    await breath();
    since = performance.now();
  }
}
