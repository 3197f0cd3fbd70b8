// @ts-check
// Measures a session's time per update in version 2 of the protocol as a multiple of version 1.
//   node test/bench/versions/run.mjs
import { compareWithBudgets } from '../budgets.mjs';

await compareWithBudgets('versions');
