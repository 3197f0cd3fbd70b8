import * as l10n from '@vscode/l10n';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Logins } from '../../agent/login/logins';
import { choicesOf } from '../../session/loginCard';
import type { Session } from '../../session/session';
import { plainLabel } from '../../shared/text/plainText';
import type { ChatPages } from '../pages/chatPages';
import { createSession, type CreateServices } from '../sessions/start/createSession';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** The services that a login started by the user needs. */
export interface LoginServices extends CreateServices {
  readonly pages: ChatPages;
  readonly logins: Logins;
}

/**
 * Logs in to an agent with a login method that the user selects, in a session with the agent. Opens a session if there
 * is none.
 */
export async function logInTo(services: LoginServices, spec: AgentSpec): Promise<void> {
  const { pages, logins } = services;
  const session = sessionWith(services, spec) ?? createSession(services, { agent: spec.id });
  if (!session) return;
  const methodId = await pickMethod(services, session);
  // Not earlier, because the page takes the focus, and a quick pick closes when it loses the focus.
  await pages.withPage((page) => page.show(session.key));
  if (methodId === undefined) return;
  if (!session.login.card.isAsked) session.login.ask();
  await logins.login(session, methodId);
}

/** Returns the session used last if it's with this agent, or the newest session with it. */
function sessionWith({ pool, pages }: LoginServices, spec: AgentSpec): Session | undefined {
  const fits = (session: Session | undefined) => session && pool.specOf(session)?.id === spec.id;
  return fits(pages.activeSession) ? pages.activeSession : pool.sessions.findLast(fits);
}

async function pickMethod({ pool }: LoginServices, session: Session): Promise<string | undefined> {
  const { agentName } = session.transcript.view;
  const gone = new AbortController();
  const watch = pool.onDidChangeSessions(() => {
    if (session.isClosed) gone.abort();
  });
  try {
    const { agent } = await pool.agentOf(session, gone.signal);
    if (agent.authMethods.length === 0) {
      void showInformation(l10n.t('{0} doesn’t support logging in.', agentName));
      return undefined;
    }
    const items = choicesOf(agent.authMethods).map(({ methodId, name, description, command }) => ({
      label: plainLabel(name),
      detail: plainLabel(command ?? description ?? ''),
      methodId,
    }));
    const placeHolder = l10n.t('Select how to log in to {0}', agentName);
    return (await pickOne(items, { placeHolder }))?.methodId;
  } catch {
    // The agent didn't start, which the session shows, or the session was closed.
    return undefined;
  } finally {
    watch.dispose();
  }
}
