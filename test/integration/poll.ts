import { setTimeout as breath } from 'node:timers/promises';

/** Time between two checks in milliseconds, about one frame. */
const breathMs = 16;

/**
 * Resolves once the condition is true, if no event reports it. Waits between checks, because a busy loop would take CPU
 * time from the processes it waits for.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await breath(breathMs);
}
