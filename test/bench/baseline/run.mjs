// @ts-check
// Measures how late a turn begins in a repository of 20,000 files with `core.autocrlf`.
import { compareWithBudgets } from '../budgets.mjs';

await compareWithBudgets('baseline');
