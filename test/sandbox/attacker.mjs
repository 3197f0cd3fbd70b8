// @ts-check
// Tries to get out of the sandbox that it runs in, by every way that is known. Prints a line of JSON for each attempt. With
// `--dry`, it leaves out what would change the machine if it succeeded.
import { parseArgs } from 'node:util';
import { guarded, reading, writing } from './fileAttempts.mjs';
import { copy, leaveTraps } from './copyAttempts.mjs';
import { network } from './networkAttempts.mjs';
import { processes, rights } from './systemAttempts.mjs';

const groups = { writing, guarded, reading, processes, rights, network, copy };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dry: { type: 'boolean' }, traps: { type: 'string' } },
});

if (values.traps !== undefined) leaveTraps(values.traps);

for (const group of positionals) {
  for (const { name, run, isOnMachine } of groups[/** @type {keyof typeof groups} */ (group)]) {
    if (values.dry && isOnMachine) continue;
    let outcome;
    try {
      const got = await run();
      outcome = { got: String(got ?? 'it was done').slice(0, 300) };
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      outcome = { error: message };
    }
    process.stdout.write(`${JSON.stringify({ name, ...outcome })}\n`);
  }
}
process.exit(0);
