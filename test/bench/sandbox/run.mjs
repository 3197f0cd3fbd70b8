// @ts-check
// Measures how long an agent takes to start in a sandbox, and how fast its messages arrive. Prints a table and one line of JSON.
//   node test/bench/sandbox/run.mjs
import { inRoot, root } from '../../root.mjs';
import { run } from '../../workbench/run.mjs';
import { ensureSandboxPrograms, sandboxPath } from '../../workbench/sandboxPrograms.mjs';
import { compareWithBudgets } from '../budgets.mjs';

if (process.platform === 'linux') {
  await ensureSandboxPrograms(console.log);
  process.env['PATH'] = sandboxPath();
  await run(process.execPath, [inRoot('esbuild.mjs')], { cwd: root });
  await compareWithBudgets('sandbox');
} else {
  console.log('The sandbox is measured on Linux.');
}
