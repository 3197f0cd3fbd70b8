// @ts-check
// Draws mutants of the copy of the project that this file is in, and runs the tests that can notice them (run.mjs).
import { parseArgs } from 'node:util';
import { Noticers } from './noticers.mjs';
import { drawMutants } from './sample.mjs';
import { tableOf } from './table.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
if (!Number.isInteger(seed) || !Number.isInteger(count) || count < 1) {
  console.error('--seed and --count take whole numbers.');
  process.exit(2);
}
const mutants = await drawMutants({ seed, count, filter: positionals.join(' '), only: values.only });
if (mutants.length === 0) {
  console.error('There is nothing to change in these files.');
  process.exit(2);
}
if (values.list) {
  for (const mutant of mutants) console.log(describe(mutant));
  process.exit(0);
}
const noticers = await Noticers.read();
await noticers.look(mutants);
/** @type {(typeof mutants[number] & { noticed: string | undefined })[]} */
const results = [];
for (const [at, mutant] of mutants.entries()) {
  const startedAt = Date.now();
  const noticed = await noticers.noticed(mutant);
  results.push({ ...mutant, noticed });
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(`${noticed === undefined ? '✗' : '✓'} ${at + 1}/${mutants.length} (${seconds} s) ${describe(mutant)}`);
  if (noticed !== undefined) console.log(`  by: ${noticed}`);
}
const survivors = results.filter(({ noticed }) => noticed === undefined);
console.log(`\n${tableOf(results)}`);
if (survivors.length > 0) console.log(`\nNo test noticed:\n${survivors.map(describe).join('\n')}`);
const share = Math.round((100 * (results.length - survivors.length)) / results.length);
console.log(`\nseed ${seed}: ${results.length - survivors.length} of ${results.length} noticed, ${share}%`);

/** @param {typeof mutants[number]} mutant */
function describe({ id, file, line, kind, from, to }) {
  return `${id} ${file}:${line} ${kind}: ${short(from)} → ${short(to)}`;
}

/** @param {string} text */
function short(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 60)}…${line.slice(-36)}` : line;
}
