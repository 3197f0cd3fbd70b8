import assert from 'node:assert/strict';

/** Work on something eight times as long may take so many times as long; what grows with the square takes 64 times. */
const most = 24;
/** Too short (ms) to be compared: collecting garbage takes as long. */
const noise = 40;

/**
 * Fails when `work` takes processor time that grows faster than with the length it is given. What else the machine does does not
 * count, nor how fast it is.
 */
export function assertLinear(work: (length: number) => unknown, length: number, what = 'it'): void {
  work(Math.ceil(length / 8));
  const short = processorTime(() => work(Math.ceil(length / 8)));
  const long = processorTime(() => work(length));
  assert.ok(long <= most * short + noise, `${what}: ${round(short)} ms for an eighth, ${round(long)} ms for the whole`);
}

function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

const round = (ms: number) => String(Math.round(ms));
