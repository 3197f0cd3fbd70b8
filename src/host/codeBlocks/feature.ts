import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import type { CodeReview } from './usedCode';

/** What the user does with an agent's code. */
export function codeBlocksFeature({ review, log }: { readonly review: CodeReview; readonly log: Pick<Log, 'error'> }) {
  const messages: Handlers<'useCode'> = {
    useCode: inSession((session, message) => {
      const use = async () => (await import('./useCode')).useCode(review, session, message);
      reported(log, use());
    }),
  };
  return { messages };
}
