import * as l10n from '@vscode/l10n';
import type { AgentSpec } from '../../agent/agentSpec';
import type { Logins } from '../../agent/logins';
import { choicesOf } from '../../session/loginCard';
import type { Session } from '../../session/session';
import { plainLabel } from '../../shared/plainText';
import type { ChatPages } from '../pages/chatPages';
import { createSession, type CreateServices } from '../sessions/createSession';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** What a login that the user asks for works on. */
export interface LoginServices extends CreateServices {
  readonly pages: ChatPages;
  readonly logins: Logins;
}

/** Logs in to this agent by a way of the user's choice, in a session with it; one is opened when there is none. */
export async function logInTo(services: LoginServices, spec: AgentSpec): Promise<void> {
  const { pages, logins } = services;
  const session = sessionWith(services, spec) ?? createSession(services, { agent: spec.id });
  if (!session) return;
  const methodId = await pickMethod(services, session);
  // Not before: the page takes the focus, and a list without it closes.
  await pages.withPage((page) => page.show(session.key));
  if (methodId === undefined) return;
  if (!session.login.isAsked) session.askLogin();
  await logins.login(session, methodId);
}

/** The session used last if it is with this agent, else the newest one that is. */
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
    // It did not start, which its session tells, or the session was closed.
    return undefined;
  } finally {
    watch.dispose();
  }
}
