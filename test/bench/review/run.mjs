// @ts-check
// Speed of review where no editor is needed: the model and the baselines.
//   node test/bench/review/run.mjs
import { compareWithBudgets } from '../budgets.mjs';

await compareWithBudgets('review');
