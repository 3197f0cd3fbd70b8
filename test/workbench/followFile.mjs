// @ts-check
import { EventEmitter } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Emits a program's output to a file as `data` events until the program exits.
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
      // Read once more after the exit for the last output.
      ended = child.exitCode !== null || child.signalCode !== null;
      for (;;) {
        const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(65_536) });
        if (bytesRead === 0) break;
        emitter.emit('data', buffer.subarray(0, bytesRead));
      }
      if (!ended) await delay(50, undefined, { ref: false }); // There is no event for another program's writes.
    }
  } finally {
    await file.close();
  }
}
