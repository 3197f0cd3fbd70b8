import assert from 'node:assert/strict';
import { setTimeout as breath } from 'node:timers/promises';

/** Time between two checks in milliseconds. */
const breathMs = 25;

/**
 * Resolves once the condition is true, if no event and no element of the page tells, and fails with the complaint after a minute. Waits
 * between checks, because a busy loop would take the processor from what it waits for.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  complaint: string | (() => string | Promise<string>),
): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(typeof complaint === 'string' ? complaint : await complaint());
    await breath(breathMs);
  }
}
