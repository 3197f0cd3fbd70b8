import { asObject, asString } from '../../shared/values/decodeValue';

const longestAnswer = 50_000;

/** Reads the answer to a question aside; empty if the agent has none. */
export function decodeSideAnswer(answer: unknown): string | undefined {
  const told = asObject(answer)?.['answer'];
  return told === null ? '' : asString(told)?.trim().slice(0, longestAnswer);
}
