import { setTimeout as breath } from 'node:timers/promises';

/** Between two looks, in milliseconds: as long as a screen shows a picture. */
const breathMs = 16;

/**
 * Resolves when the condition holds, for what no event tells of. A loop without a breath would take the processor from what it
 * waits for, in this process and in those that each look asks.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await breath(breathMs);
}
