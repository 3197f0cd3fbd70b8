// @ts-check
// Measures the parts of review that need no editor: the model, the baselines, and the page.
//   node test/bench/review/run.mjs
import { compareWithBudgets } from '../budgets.mjs';
import { measureInBrowser } from '../inBrowser.mjs';

await compareWithBudgets('review');
if (!(await measureInBrowser('review', 'page.ts'))) process.exitCode = 1;
