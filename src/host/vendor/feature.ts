import type { AgentPool } from '../../agent/pool/agentPool';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import { askContext } from './askContext';
import { askGoal, clearGoal } from './goals';

export interface VendorFeatureNeeds {
  readonly pool: AgentPool;
  readonly pages: Pick<ChatPages, 'activeSession'>;
  readonly log: Log;
}

/** What certain agents offer outside of the protocol. What an agent doesn't have isn't shown. */
export function vendorFeature({ pool, pages, log }: VendorFeatureNeeds) {
  const messages: Handlers<'fetchContext' | 'changeGoal'> = {
    fetchContext: inSession((session, _message, page) => {
      const answer = async () => {
        const told = await askContext(pool, session);
        if (told) page.post({ type: 'contextOf', session: session.key, ...told });
      };
      reported(log, answer());
    }),
    changeGoal: inSession((session, { action }) => {
      reported(log, action === 'set' ? askGoal(pool, session) : clearGoal(pool, session));
    }),
  };
  const commands = commandTable({
    'parley.setGoal': async () => {
      if (pages.activeSession) await askGoal(pool, pages.activeSession);
    },
    'parley.clearGoal': async () => {
      if (pages.activeSession) await clearGoal(pool, pages.activeSession);
    },
  });
  return { messages, commands, dispose: () => undefined };
}
