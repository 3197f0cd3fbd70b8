// @ts-check
// Measures the sessions page with 1,000 stored sessions of 6 agents: in the extension host, and in a browser.
//   node test/bench/sessions/run.mjs
import { compareWithBudgets } from '../budgets.mjs';
import { measureInBrowser } from '../inBrowser.mjs';

await compareWithBudgets('sessions');
if (!(await measureInBrowser('sessions', 'measurePage.ts'))) process.exitCode = 1;
