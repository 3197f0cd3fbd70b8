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
  const eighth = Math.ceil(length / 8);
  work(eighth);
  let said = '';
  // What grows faster is always slow; what other programs do to the caches is over the next time.
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
