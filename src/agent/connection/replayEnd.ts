import type { Schedule } from '../../session/turn/stopWait';

/** How long a replay must be silent to count as finished, in milliseconds. */
const quiet = 500;
/** Maximum time to wait for the rest of a replay, in milliseconds. */
const longest = 10_000;

/**
 * Resolves when the replay of a session seems finished because of its silence; `count` returns how many updates have
 * arrived.
 */
export async function replayed(count: () => number, schedule: Schedule): Promise<void> {
  let before = -1;
  for (let waited = 0; waited < longest && before !== count(); waited += quiet) {
    before = count();
    await new Promise<void>((resolve) => schedule(quiet, resolve));
  }
}
