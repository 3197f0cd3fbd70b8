// @ts-check
// Measures the parts of review that need no editor: the model and the baselines.
//   node test/bench/review/run.mjs
import { compareWithBudgets } from '../budgets.mjs';

await compareWithBudgets('review');
