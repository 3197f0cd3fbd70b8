// @ts-check
'use strict';

/** How many ticks of a clock Linux counts in a second of processor time. */
const ticksPerSecond = 100;

/**
 * The processor time that `/proc/PID/stat` counts, in seconds: of the process, and of those that it started and that have ended.
 * @param {string} stat
 */
function processorSecondsOf(stat) {
  // The name of the program is in parentheses and can contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond;
}

module.exports = { processorSecondsOf };
