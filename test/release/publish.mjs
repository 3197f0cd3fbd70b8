// @ts-check
// Publishes what `npm run release` has left in `dist/release/`: `node test/release/publish.mjs marketplace`, or `open-vsx`. With a token in
// the place's variable, it uses that, and trusted publishing otherwise. The programs are those of `.github/publish`.
import { readFile } from 'node:fs/promises';
import { inRoot, root } from '../root.mjs';
import { run } from '../workbench/run.mjs';
import { channelOf, isPlace, places, publishArgs } from './facts.mjs';
import { packages, sums, sumsOf } from './prepared.mjs';

const [place = ''] = process.argv.slice(2);
try {
  if (!isPlace(place)) throw new Error(`Name a place: ${Object.keys(places).join(' or ')}.`);
  const expected = await readFile(sums, 'utf8').catch(() => '');
  if (expected === '' || expected !== (await sumsOf())) {
    throw new Error('dist/release isn’t what was built and checked. Run “npm run release” first.');
  }
  const { program, token } = places[place];
  const { version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
  const hasToken = Boolean(process.env[token]);
  const args = publishArgs(place, { packages: await packages(), channel: channelOf(version), hasToken });
  console.log(
    await run(process.execPath, [inRoot('.github', 'publish', 'node_modules', program), ...args], { cwd: root }),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
