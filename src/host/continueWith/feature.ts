import type { Session } from '../../session/session';
import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import type { ContinueServices } from './continueWindow';

export interface ContinueNeeds extends ContinueServices {
  readonly pages: Pick<ChatPages, 'activeSession' | 'withPage'>;
  readonly log: Log;
}

/** Continues a session with another agent or model, from chat pages and as a command. */
export function continueFeature(needs: ContinueNeeds) {
  const { pool, pages, log } = needs;
  const begin = async (session: Session | undefined, bySummary = false) => {
    const { continueHere } = await import('./continueWindow');
    await continueHere(needs, session, bySummary);
  };
  const actions = actionTable({
    continueWith: (key) => begin(pool.sessions.find((session) => session.key === key) ?? pages.activeSession),
  });
  const commands = commandTable({
    'parley.continueWith': (key) => actions.continueWith(sessionIn(key)),
  });
  const messages: Handlers<'newFromSummary'> = {
    newFromSummary: inSession((session) => reported(log, begin(session, true))),
  };
  return { commands, actions, messages };
}
