// @ts-check
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { inRoot, root } from '../root.mjs';
import { filesUnder } from '../runner/files.mjs';
import { Compiler } from './compiler.mjs';
import { mutantsOf, mutated } from './places.mjs';

/** @typedef {import('./places.mjs').Mutant} Mutant */
/** A mutant that compiles. @typedef {Mutant & { to: string }} Drawn */

/**
 * Draws mutants that compile: half of them from `src/host`, half from the rest of the product, each place as likely as any other. The
 * same seed draws the same mutants wherever the code is the same.
 * @param {{ seed: number, count: number, filter: string, only?: string | undefined }} options
 * @returns {Promise<Drawn[]>}
 */
export async function drawMutants({ seed, count, filter, only }) {
  const paths = await filesUnder(inRoot('src'), '.ts');
  const files = paths
    .map((path) => relative(root, path).replaceAll('\\', '/'))
    .filter((path) => !/\.(test|d)\.ts$/.test(path) && path.includes(filter));
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const file of files) texts.set(file, await readFile(inRoot(file), 'utf8'));
  const all = [...texts].flatMap(([file, text]) => mutantsOf(file, text));
  const shuffled = all
    .map((mutant) => ({ mutant, rank: createHash('sha256').update(`${seed}\0${mutant.id}`).digest('hex') }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
  const compiler = await Compiler.read();
  /** @param {readonly Mutant[]} mutants @param {number} most */
  const draw = (mutants, most) => {
    /** @type {Drawn[]} */
    const drawn = [];
    for (const mutant of mutants) {
      if (drawn.length === most) break;
      const text = texts.get(mutant.file) ?? '';
      const to = mutant.texts.find((other) => compiler.compiles(mutant.file, mutated(text, mutant, other)));
      if (to !== undefined) drawn.push({ ...mutant, to });
    }
    return drawn;
  };
  if (only !== undefined) {
    const drawn = draw(
      all.filter(({ id }) => id === only),
      1,
    );
    return drawn;
  }
  const inHost = shuffled.filter(({ file }) => file.startsWith('src/host/'));
  const others = shuffled.filter((mutant) => !inHost.includes(mutant));
  const half = inHost.length === 0 ? count : others.length === 0 ? 0 : Math.ceil(count / 2);
  const drawn = [...draw(others, half), ...draw(inHost, count - half)];
  await compiler.write();
  return drawn;
}
