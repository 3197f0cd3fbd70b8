import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../process/isAlive';
import { attempt } from '../../shared/values/attempt';

/** The pause before each look whether another process has let go, and how many there are. The work takes milliseconds. */
const pauseMs = 5;
const looks = 1000;

let turn: Promise<unknown> = Promise.resolve();

/** Does something with the records in a folder while no other sandbox does, of any window. */
export function alone<T>(records: string, action: () => T | Promise<T>): Promise<T> {
  const done = turn.then(async () => {
    const lock = join(records, 'lock');
    const isHeld = await take(records, lock);
    try {
      return await action();
    } finally {
      if (isHeld) rmSync(lock, { force: true });
    }
  });
  turn = done.catch(() => undefined);
  return done;
}

/** Resolves to whether the lock was taken. A start must not wait forever for a window that hangs. */
async function take(records: string, lock: string): Promise<boolean> {
  mkdirSync(records, { recursive: true });
  for (let look = 0; look < looks; look += 1) {
    const isTaken = attempt(() => {
      writeFileSync(lock, `${process.pid} ${hostname()}`, { flag: 'wx', mode: 0o600 });
      return true;
    });
    if (isTaken === true) return true;
    const owner = attempt(() => readFileSync(lock, 'utf8'));
    const [pid, host] = owner?.split(' ') ?? [];
    if (host === hostname() && !isAlive(Number(pid))) {
      // Only one of those who see it gets it.
      const gone = join(records, `lock.${randomUUID()}`);
      attempt(() => renameSync(lock, gone));
      rmSync(gone, { force: true });
    } else await delay(pauseMs);
  }
  return false;
}
