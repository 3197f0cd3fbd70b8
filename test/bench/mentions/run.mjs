// @ts-check
// Measures the search for files to mention in a workspace of 100,000 files.
//   node test/bench/mentions/run.mjs
import { compareWithBudgets } from '../budgets.mjs';

await compareWithBudgets('mentions');
