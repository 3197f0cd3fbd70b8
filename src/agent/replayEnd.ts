import type { Schedule } from '../session/turn/stopWait';

/** A replay is over when nothing of it has come for so long, in milliseconds. */
const quiet = 500;
/** Nobody waits longer than this for the rest of a replay, in milliseconds. */
const longest = 10_000;

/** Resolves when the replay of a session is over, as far as its silence tells; `count` is how many updates have come. */
export async function replayed(count: () => number, schedule: Schedule): Promise<void> {
  let before = -1;
  for (let waited = 0; waited < longest && before !== count(); waited += quiet) {
    before = count();
    await new Promise<void>((resolve) => schedule(quiet, resolve));
  }
}
