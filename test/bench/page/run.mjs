// @ts-check
// Measures the built page in a long session, in a separate browser. Prints a table and one line of JSON.
//   node test/bench/page/run.mjs
import { measureInBrowser } from '../inBrowser.mjs';

process.exit((await measureInBrowser('page', 'measure.ts')) ? 0 : 1);
