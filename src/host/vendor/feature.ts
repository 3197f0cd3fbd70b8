import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { compact } from '../../shared/values/decodeValue';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import { showInformation } from '../ui/notifications';
import { askText } from '../ui/quickInput';
import { reported } from '../ui/reported';
import { askContext, followContext } from './askContext';
import { Asides } from './asides';
import type { ForkAsideNeeds } from './forkAside';
import { askGoal, clearGoal } from './goals';

export interface VendorFeatureNeeds {
  readonly pool: AgentPool;
  readonly pages: Pick<ChatPages, 'activeSession' | 'broadcast'>;
  /** Hides a session that an agent stores from all lists. */
  readonly hide: ForkAsideNeeds['hide'];
  readonly count: ForkAsideNeeds['count'];
  readonly log: Log;
}

/** The longest question that agents take. */
const longestQuestion = 4000;

/** What certain agents offer outside of the protocol. What an agent doesn't have isn't shown. */
export function vendorFeature({ pool, pages, hide, count, log }: VendorFeatureNeeds) {
  const asides = new Asides({ pool, hide, count }, (session, aside) =>
    pages.broadcast({ type: 'asideOf', session, ...compact({ aside }) }),
  );
  const askAside = async (session: Session) => {
    const { agentName, canAskAside } = session.transcript.view;
    if (!canAskAside) {
      void showInformation(l10n.t('{0} can’t answer questions aside.', agentName));
      return;
    }
    const question = await askText({
      title: l10n.t('Ask aside'),
      prompt: l10n.t('{0} answers from what it knows about the session. The conversation doesn’t change.', agentName),
      placeHolder: l10n.t('Type a question'),
      ignoreFocusOut: true,
      validateInput: (typed) =>
        typed.length > longestQuestion ? l10n.t('Enter at most {0} characters.', longestQuestion) : undefined,
    });
    const text = question?.trim() ?? '';
    if (text !== '') await asides.ask(session, text);
  };
  const messages: Handlers<'fetchContext' | 'changeGoal' | 'askAside' | 'fetchAside' | 'dismissAside'> = {
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
    askAside: inSession((session) => reported(log, askAside(session))),
    fetchAside: inSession((session, _message, page) => {
      page.post({ type: 'asideOf', session: session.key, ...compact({ aside: asides.of(session.key) }) });
    }),
    dismissAside: inSession((session) => asides.dismiss(session.key)),
  };
  const inActive = (act: (session: Session) => Promise<void>) => async () => {
    if (pages.activeSession) await act(pages.activeSession);
  };
  const commands = commandTable({
    'parley.setGoal': inActive((session) => askGoal(pool, session)),
    'parley.clearGoal': inActive((session) => clearGoal(pool, session)),
    'parley.askAside': inActive(askAside),
  });
  const following = followContext(pool);
  return { messages, commands, dispose: () => following.dispose() };
}
