// @ts-check
import { EventEmitter } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Emits what a program writes to a file, as `data`, until the program ends.
 * @param {string} path
 * @param {import('node:child_process').ChildProcess} child
 */
export function followFile(path, child) {
  const emitter = new EventEmitter();
  void follow(path, child, emitter);
  return emitter;
}

/** @param {string} path @param {import('node:child_process').ChildProcess} child @param {EventEmitter} emitter */
async function follow(path, child, emitter) {
  const file = await open(path);
  try {
    for (let ended = false; !ended;) {
      // What was printed before the end is read once more after it.
      ended = child.exitCode !== null || child.signalCode !== null;
      for (;;) {
        const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(65_536) });
        if (bytesRead === 0) break;
        emitter.emit('data', buffer.subarray(0, bytesRead));
      }
      if (!ended) await delay(50, undefined, { ref: false }); // Another program writes: there is no event to wait for.
    }
  } finally {
    await file.close();
  }
}
