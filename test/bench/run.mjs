// @ts-check
// Measures the protocol core against the protocol's own SDK, version 2 against version 1, review's model and baselines, the start of a
// turn, the search for mentions, the page alone, the list of sessions, the editor's tools, sandboxes, the activation, and the packaged
// extension in a real VS Code.
// `node test/bench/run.mjs [protocol|versions|review|baseline|mentions|page|sessions|tools|sandbox|activation|workbench]`
// Fails if a budget is exceeded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inRoot, root } from '../root.mjs';
import { installPackages } from '../runner/steps.mjs';

const parts = [
  'protocol',
  'versions',
  'review',
  'baseline',
  'mentions',
  'page',
  'sessions',
  'tools',
  'sandbox',
  'activation',
  'workbench',
];
const [asked, ...rest] = process.argv.slice(2);
if (asked !== undefined && !parts.includes(asked)) {
  console.error(`There is no part "${asked}". Parts: ${parts.join(', ')}.`);
  process.exit(2);
}
await installPackages();
let failed = false;
for (const part of asked === undefined ? parts : [asked]) {
  console.log(`\n${part}`);
  const args = [inRoot('test', 'bench', part, 'run.mjs'), ...rest];
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }), 'exit');
  failed ||= code !== 0;
}
process.exit(failed ? 1 : 0);
