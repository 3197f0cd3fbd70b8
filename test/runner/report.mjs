// @ts-check

/**
 * What came of a test. A test runs once, and one that fails is a failure.
 * @typedef {{ name: string, file?: string | undefined, durationMs?: number, error?: string | undefined, skipped?: boolean, note?: string }} Outcome
 */

/** Counts and prints the outcomes of one layer of tests; several may run at once, so every line names its layer. */
export class Layer {
  /**
   * @param {string} name
   * @param {{ verbose: boolean }} options whether passed tests get a line too
   */
  constructor(name, options) {
    this.name = name;
    this.verbose = options.verbose;
    this.passed = 0;
    this.skipped = 0;
    /** @type {Outcome[]} */
    this.failures = [];
    /** When its first job began, in milliseconds. @type {number | undefined} */
    this.startedAt = undefined;
  }

  /** Starts the layer's clock; further calls do nothing. */
  begin() {
    this.startedAt ??= Date.now();
  }

  /** @param {Outcome} outcome */
  add(outcome) {
    const line = (/** @type {string} */ text) => console.log(`${this.name.padEnd(11)} ${text}`);
    const place = outcome.file ? ` (${outcome.file})` : '';
    const time = outcome.durationMs === undefined ? '' : ` ${seconds(outcome.durationMs)}`;
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

  /** Prints the layer's sum. */
  end() {
    const counts = `${this.passed} passed, ${this.failures.length} failed, ${this.skipped} skipped`;
    const took = this.startedAt === undefined ? '' : ` in ${seconds(Date.now() - this.startedAt)}`;
    console.log(`\n${this.name}: ${counts}${took}\n`);
  }
}

/**
 * Prints what failed and how once more, since a long output may have been cut at its start, and the sum of all layers as the very last line.
 * @param {readonly Layer[]} layers
 * @returns {number} the exit code
 */
export function finish(layers) {
  const failures = layers.flatMap((layer) =>
    layer.failures.map(({ name, error = '' }) => `${layer.name}: ${name}\n${indent(shorten(error))}`),
  );
  const passed = layers.reduce((sum, layer) => sum + layer.passed, 0);
  const skipped = layers.reduce((sum, layer) => sum + layer.skipped, 0);
  const total = layers.reduce((sum, layer) => sum + layer.total, 0);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ✗ ${failure}`).join('\n')}`);
  if (total === 0) console.log('\nNo test ran.');
  console.log(`\n${passed} passed, ${failures.length} failed, ${skipped} skipped`);
  return failures.length > 0 || passed === 0 ? 1 : 0;
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
