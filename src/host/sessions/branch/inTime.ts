import { abortable } from '../../../agent/base/abortable';

/** An agent that is slower doesn't answer, in milliseconds. */
const patience = 15_000;

/**
 * Rejects if an answer takes too long. What an agent was told to do can still happen then, so `late` is called with the answer
 * when it comes.
 */
export async function inTime<T>(
  answer: Promise<T | undefined>,
  late: (value: T) => void,
  signal = AbortSignal.timeout(patience),
): Promise<T | undefined> {
  try {
    return await abortable(answer, signal);
  } catch (error) {
    if (signal.aborted) {
      answer.then(
        (value) => value !== undefined && late(value),
        // It did nothing.
        () => undefined,
      );
    }
    throw error;
  }
}
