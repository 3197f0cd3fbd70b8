// @ts-check
// A reporter for Node's test runner that prints the first failed test and ends the process.
import { writeSync } from 'node:fs';

/**
 * @param {AsyncIterable<{ type: string, data: { name: string, details?: { error?: { failureType?: string } } } }>} events
 */
export default async function* firstFailure(events) {
  for await (const { type, data } of events) {
    // A suite fails because a test in it did.
    if (type !== 'test:fail' || data.details?.error?.failureType === 'subtestsFailed') continue;
    writeSync(1, `${data.name}\n`);
    process.exit(1);
  }
  yield '';
}
