import { setTimeout as delay } from 'node:timers/promises';

/** How to wait for another program that holds a file. Defaults to real time on this machine. */
export interface Patience {
  readonly platform?: NodeJS.Platform;
  /** Waits some milliseconds. If it blocks instead of returning a promise, so does `patiently`. */
  readonly pause?: (ms: number) => unknown;
  /** The pauses between the attempts, in milliseconds. */
  readonly pauses?: readonly number[];
}

/** The errors of Windows for a file that another program holds open. Also those of a file that the user can't change. */
const heldCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EBUSY', 'EPERM']);
/** About two seconds. Virus scanners, indexers, and backups hold a new or changed file for much less. */
const usualPauses: readonly number[] = [10, 20, 40, 80, 160, 200, 200, 200, 200, 200, 200, 200, 200];
/** About a third of a second for each file, because the editor waits. */
const shortPauses: readonly number[] = [10, 20, 40, 80, 160];

/** Returns true if an error can mean that another program holds the file. Other systems let files be replaced anyway. */
export function isHeld(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && error instanceof Error && 'code' in error && heldCodes.has(error.code);
}

/**
 * Runs a file operation, and again while another program holds the file, which only happens on Windows. The operation
 * must change nothing if it fails. Rejects with its last error.
 */
export async function patiently<T>(
  act: () => T | Promise<T>,
  { platform = process.platform, pause = (ms) => delay(ms), pauses = usualPauses }: Patience = {},
): Promise<T> {
  for (const ms of pauses) {
    try {
      return await act();
    } catch (error) {
      if (!isHeld(error, platform)) throw error;
    }
    await pause(ms);
  }
  return act();
}

/** Does the same synchronously. Blocks the thread, but not for long. */
export function patientlyNow<T>(
  act: () => T,
  { platform = process.platform, pause = block, pauses = shortPauses }: Patience = {},
): T {
  for (const ms of pauses) {
    try {
      return act();
    } catch (error) {
      if (!isHeld(error, platform)) throw error;
    }
    pause(ms);
  }
  return act();
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
