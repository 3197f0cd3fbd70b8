// @ts-check
// Time that a session needs for an update in version 2 of the protocol, as a multiple of that in version 1.
//   node test/bench/versions/run.mjs
import { compareWithBudgets } from '../budgets.mjs';

await compareWithBudgets('versions');
