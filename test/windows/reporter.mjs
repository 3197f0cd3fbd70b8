// @ts-check
// A reporter for Node's test runner on Windows. Writes each outcome as a line of JSON.
import { outcomeOf } from '../runner/outcome.mjs';

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* reporter(events) {
  for await (const event of events) {
    const outcome = outcomeOf(event);
    if (outcome !== undefined) yield `${JSON.stringify(outcome)}\n`;
  }
}
