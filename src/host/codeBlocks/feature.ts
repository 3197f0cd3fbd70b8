import type { Log } from '../log/log';
import { codeMessages } from './codeMessages';
import type { CodeReview } from './usedCode';

/** What the user does with an agent's code. */
export function codeBlocksFeature({ review, log }: { readonly review: CodeReview; readonly log: Pick<Log, 'error'> }) {
  return { messages: codeMessages(review, log) };
}
