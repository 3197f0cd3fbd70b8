// @ts-check

/**
 * The result of a test. A test runs once, and one that fails is a failure.
 * @typedef {{ name: string, file?: string | undefined, durationMs?: number, error?: string | undefined, skipped?: boolean, note?: string }} Outcome
 */

/** How many of the slowest tests are listed at the end of a run. */
const slowest = 10;

/** Counts and prints the outcomes of one layer of tests. Several run at once, so every line names its layer. */
export class Layer {
  /**
   * @param {string} name
   * @param {{ verbose: boolean }} options whether passed tests get a line, too
   */
  constructor(name, options) {
    this.name = name;
    this.verbose = options.verbose;
    this.passed = 0;
    this.skipped = 0;
    /** @type {Outcome[]} */
    this.failures = [];
    /** @type {Outcome[]} */
    this.timed = [];
    /** Time in which at least one of its jobs ran, in milliseconds. */
    this.wallMs = 0;
    this.running = 0;
    this.runningSince = 0;
  }

  /** A job begins. */
  begin() {
    if (this.running === 0) this.runningSince = Date.now();
    this.running += 1;
  }

  /** A job has ended. */
  pause() {
    this.running -= 1;
    if (this.running === 0) this.wallMs += Date.now() - this.runningSince;
  }

  /** @param {Outcome} outcome */
  add(outcome) {
    const line = (/** @type {string} */ text) => console.log(`${this.name.padEnd(11)} ${text}`);
    const place = outcome.file ? ` (${outcome.file})` : '';
    const time = outcome.durationMs === undefined ? '' : ` ${seconds(outcome.durationMs)}`;
    if (outcome.durationMs !== undefined) this.timed.push(outcome);
    if (outcome.skipped) {
      this.skipped += 1;
      line(`- ${outcome.name}${place} skipped${outcome.note ? `: ${outcome.note}` : ''}`);
    } else if (outcome.error === undefined) {
      this.passed += 1;
      if (this.verbose) line(`✓ ${outcome.name}${time}${outcome.note ? ` (${outcome.note})` : ''}`);
    } else {
      this.failures.push(outcome);
      line(`✗ ${outcome.name}${place}${time}\n${indent(outcome.error)}`);
    }
  }

  get total() {
    return this.passed + this.failures.length + this.skipped;
  }

  /** Prints the layer's counts. */
  end() {
    const counts = `${this.passed} passed, ${this.failures.length} failed, ${this.skipped} skipped`;
    const took = this.wallMs === 0 ? '' : ` in ${seconds(this.wallMs)}`;
    console.log(`\n${this.name}: ${counts}${took}\n`);
  }
}

/**
 * Prints where the time went and, once more, what failed and how, since the start of a long output may have been cut off. The very last line has the
 * counts of all layers.
 * @param {readonly Layer[]} layers
 * @param {{ wallMs: number, processorSeconds: ReadonlyMap<string | undefined, number>, unchanged: number }} run the time of the whole run, that of
 * processors by layer, and how many test files it left out
 * @returns {number} the exit code
 */
export function finish(layers, run) {
  printTimes(layers, run);
  const failures = layers.flatMap((layer) =>
    layer.failures.map(({ name, error = '' }) => `${layer.name}: ${name}\n${indent(shorten(error))}`),
  );
  const passed = layers.reduce((sum, layer) => sum + layer.passed, 0);
  const skipped = layers.reduce((sum, layer) => sum + layer.skipped, 0);
  const total = layers.reduce((sum, layer) => sum + layer.total, 0);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ✗ ${failure}`).join('\n')}`);
  if (run.unchanged > 0) console.log(`\n${run.unchanged} test files passed on the same inputs before, and didn’t run.`);
  else if (total === 0) console.log('\nNo test ran.');
  console.log(`\n${passed} passed, ${failures.length} failed, ${skipped} skipped`);
  return failures.length > 0 || (passed === 0 && run.unchanged === 0) ? 1 : 0;
}

/** @param {readonly Layer[]} layers @param {{ wallMs: number, processorSeconds: ReadonlyMap<string | undefined, number> }} took */
function printTimes(layers, took) {
  const ran = layers.filter(({ total }) => total > 0);
  const rows = ran.map((layer) => [
    layer.name,
    String(layer.total),
    String(layer.skipped),
    (took.processorSeconds.get(layer.name) ?? 0).toFixed(0),
    seconds(layer.wallMs),
  ]);
  const sum = (/** @type {(layer: Layer) => number} */ of) => ran.reduce((total, layer) => total + of(layer), 0);
  // The rest of the processor time is the runner's own, such as bundling and printing.
  rows.push([
    'whole run',
    String(sum(({ total }) => total)),
    String(sum(({ skipped }) => skipped)),
    [...took.processorSeconds.values()].reduce((total, one) => total + one, 0).toFixed(0),
    seconds(took.wallMs),
  ]);
  const heads = ['layer', 'tests', 'skipped', 'processor s', 'wall time'];
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`;
  console.log(`\nTime:\n${[heads, ...rows].map(line).join('\n')}`);

  const timed = ran.flatMap((layer) => layer.timed.map((outcome) => ({ layer, outcome })));
  const slow = timed.sort((a, b) => (b.outcome.durationMs ?? 0) - (a.outcome.durationMs ?? 0)).slice(0, slowest);
  if (slow.length === 0) return;
  const list = slow.map(
    ({ layer, outcome }) => `  ${seconds(outcome.durationMs ?? 0).padStart(8)}  ${layer.name}: ${outcome.name}`,
  );
  console.log(`\nSlowest:\n${list.join('\n')}`);
}

/** @param {string} error */
function shorten(error) {
  const lines = error.slice(0, 4000).split('\n');
  return lines.length > 30 ? [...lines.slice(0, 30), '…'].join('\n') : lines.join('\n');
}

/** @param {number} ms */
function seconds(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @param {string} text */
function indent(text) {
  return text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}
