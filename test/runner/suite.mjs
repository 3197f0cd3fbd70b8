// @ts-check
// Runs the suites of one extension host in a process of their own, so that their time is counted as theirs, and sends each outcome.
import { runConformance } from '../conformance/run.mjs';
import { runIntegration } from '../integration/run.mjs';

const [name = '', filter = ''] = process.argv.slice(2);
/** @param {import('./report.mjs').Outcome} outcome */
const onResult = (outcome) => void process.send?.(outcome);
if (name.startsWith('conformance')) await runConformance({ filter, onResult });
else await runIntegration({ release: name === 'floor' ? 'floor' : 'latest', filter, onResult });
// What was sent has arrived by then.
process.once('disconnect', () => process.exit());
process.disconnect();
