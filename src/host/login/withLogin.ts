import * as l10n from '@vscode/l10n';
import { isAuthRequired } from '../../acp/base/errors';
import type { Agent } from '../../agent/connection/agent';
import type { AgentId } from '../../shared/values/ids';
import { withRunningAgent } from '../agents/withRunningAgent';
import { logInTo, type LoginServices } from './logInTo';
import { showInformation, showWarning } from '../ui/notifications';

/** The agent that needs a login, and a sentence about what wasn't done without it. */
export interface WantedLogin {
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly title: string;
}

/** Resolves to false if the agent requires a login and to true if the request succeeded. Other errors reject. */
export async function isAllowed(request: Promise<void>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (!isAuthRequired(error)) throw error;
    return false;
  }
}

/**
 * Handles an agent that requires a login. Shows the login card in a chat with this agent, or else offers to open one.
 * Asks again only if the user clicks, and keeps no agent running until then. Resolves to true if the request succeeded.
 * Rejects as `ask` does.
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
      // The agent may have exited in the meantime.
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
  } while (!(await isAllowed(askAgain())));
  return true;
}

/** Returns the error for a request to an agent that isn't running. */
export function notRunning(agentName: string): Error {
  return new Error(l10n.t('{0} isn’t running. Start a session with it and try again.', agentName));
}

/** Shows the login card in a chat with an open session of this agent. Returns false if there is none. */
export function showLoginCard({ pool, pages }: Pick<LoginServices, 'pool' | 'pages'>, agentId: AgentId): boolean {
  const shown = pages.visiblePages.flatMap(({ session }) => session ?? []);
  const session = shown.find((one) => pool.specOf(one)?.id === agentId && pool.runningAgentOf(one));
  session?.login.ask();
  return session !== undefined;
}
