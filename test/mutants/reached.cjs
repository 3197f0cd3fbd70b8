// @ts-check
// Loaded before tests: notes which of the sampled places they reach. The places call it (noticers.mjs).
'use strict';
const { writeFileSync } = require('node:fs');

/** @type {Set<string>} */
const reached = new Set();
/** @type {any} */ (globalThis).parleyReached = (/** @type {string} */ id) => void reached.add(id);
const file = process.env['PARLEY_REACHED'];
// Programs that tests start have the variable, too.
delete process.env['PARLEY_REACHED'];
if (file) process.once('exit', () => writeFileSync(file, JSON.stringify([...reached])));
