import type { AgentPool } from '../../agent/pool/agentPool';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import { askContext } from './askContext';

export interface VendorFeatureNeeds {
  readonly pool: AgentPool;
  readonly log: Log;
}

/** What certain agents offer outside of the protocol. What an agent doesn't have isn't shown. */
export function vendorFeature({ pool, log }: VendorFeatureNeeds) {
  const messages: Handlers<'fetchContext'> = {
    fetchContext: inSession((session, _message, page) => {
      const answer = async () => {
        const told = await askContext(pool, session);
        if (told) page.post({ type: 'contextOf', session: session.key, ...told });
      };
      reported(log, answer());
    }),
  };
  return { messages, commands: {}, dispose: () => undefined };
}
