import assert from 'node:assert/strict';

/** Maximum factor in time for input of eight times the length. Quadratic growth takes 64 times as long. */
const most = 24;
/** Shortest time to compare, in milliseconds. Garbage collection can take as long, and Windows counts time in steps of 16 ms. */
const noise = process.platform === 'win32' ? 100 : 40;

/**
 * Fails if the processor time of `work` grows faster than linearly with the length it is given. Other programs and the machine's speed
 * don't matter.
 */
export function assertLinear(work: (length: number) => unknown, length: number, what = 'it'): void {
  const eighth = Math.ceil(length / 8);
  work(eighth);
  let said = '';
  // Superlinear work is slow every time, while cache effects of other programs pass.
  for (let measured = 0; measured < 3; measured += 1) {
    const short = processorTime(() => work(eighth));
    const long = processorTime(() => work(length));
    if (long <= most * short + noise) return;
    said = `${what}: ${round(short)} ms for an eighth, ${round(long)} ms for the whole`;
  }
  assert.fail(said);
}

function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

const round = (ms: number) => String(Math.round(ms));
