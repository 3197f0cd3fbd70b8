import * as l10n from '@vscode/l10n';
import { isAuthRequired } from '../../acp/errors';
import type { Agent } from '../../agent/agent';
import type { AgentId } from '../../shared/ids';
import { withRunningAgent } from '../agents/withRunningAgent';
import { logInTo, type LoginServices } from './logInTo';
import { showInformation, showWarning } from '../ui/notifications';

/** Whose login it is, and what was not done without it, as a sentence. */
export interface WantedLogin {
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly title: string;
}

/** Resolves to whether a request was taken; false when the agent wants a login first. Rejects as the request does otherwise. */
export async function isTaken(request: Promise<void>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (!isAuthRequired(error)) throw error;
    return false;
  }
}

/**
 * An agent wants a login before it does something: the chat that shows a session with it gets the card, or else the user is offered the
 * way there. It is asked again on their click alone, and no agent is kept running until then. Resolves to whether it was done; rejects
 * as `ask` does.
 */
export async function offerLogin(
  services: LoginServices,
  { agentId, agentName, title }: WantedLogin,
  ask: (agent: Agent) => Promise<void>,
): Promise<boolean> {
  const again = l10n.t('Try Again');
  const logIn = l10n.t('Log In…');
  const askAgain = () =>
    withRunningAgent(services.pool, agentId, (agent) => {
      // It may have ended meanwhile.
      if (!agent) throw notRunning(agentName);
      return ask(agent);
    });
  do {
    const isShown = showLoginCard(services, agentId);
    const next = isShown
      ? l10n.t('Log in to {0} in the chat and try again.', agentName)
      : l10n.t('Log in to {0} and try again.', agentName);
    const words = `${title} ${next}`;
    let chosen = await showWarning(words, ...(isShown ? [again] : [logIn, again]));
    const spec = services.catalog.find(agentId);
    if (chosen === logIn && spec) {
      await logInTo(services, spec);
      chosen = await showInformation(words, again);
    }
    if (chosen !== again) return false;
  } while (!(await isTaken(askAgain())));
  return true;
}

/** What an agent that does not run cannot be asked. */
export function notRunning(agentName: string): Error {
  return new Error(l10n.t('{0} isn’t running. Start a session with it and try again.', agentName));
}

/** Opens the login card in a chat that shows an open session with this agent; false when none does. */
export function showLoginCard({ pool, pages }: Pick<LoginServices, 'pool' | 'pages'>, agentId: AgentId): boolean {
  const shown = pages.visiblePages.flatMap(({ session }) => session ?? []);
  const session = shown.find((one) => pool.specOf(one)?.id === agentId && pool.runningAgentOf(one));
  session?.askLogin();
  return session !== undefined;
}
