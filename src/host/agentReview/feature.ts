import { DisposableStore } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import { once } from '../../shared/values/once';
import type { ReviewPageScope } from '../../shared/changes/reviewPage';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { ChatPages } from '../pages/chatPages';
import { showError } from '../ui/notifications';
import type { ReviewServices } from './reviewWindow';

export interface AgentReviewNeeds extends ReviewServices {
  readonly pages: Pick<ChatPages, 'activeSession'>;
}

/** Reviews of an agent's changes by another agent, as a command. */
export function agentReviewFeature(needs: AgentReviewNeeds) {
  const { pool, pages, log } = needs;
  const parts = new DisposableStore();
  const late = once(async () => {
    const { reviewsByAgents } = await import('./reviewWindow');
    return parts.add(reviewsByAgents(needs));
  });
  // A reviewer that an earlier window began goes on in this one.
  const beginning = parts.add(
    pool.onDidChangeSessions(() => {
      if (!pool.sessions.some(({ transcript }) => transcript.view.reviews)) return;
      parts.delete(beginning);
      void late().catch((error: unknown) => log.warn(`Reviews by agents: ${String(error)}`));
    }),
  );
  const actions = actionTable({
    reviewWorktree: async (key) => {
      const session = key === undefined ? pages.activeSession : pool.sessions.find((one) => one.key === key);
      const reviews = await late();
      await reviews.startWorktree(session).catch((error: unknown) => {
        if (!(error instanceof WorktreeProblem)) log.error(`Reviews by agents: ${String(error)}`);
        void showError(messageOf(error));
      });
    },
    reviewWithAgent: async (scope) => {
      const { activeSession } = pages;
      const reviews = await late();
      await reviews.start(scope ?? (activeSession ? { session: activeSession.key } : {}), activeSession);
    },
  });
  const commands = commandTable({
    'parley.reviewWorktree': (key) => actions.reviewWorktree(sessionIn(key)),
    'parley.reviewWithAgent': (scope) => actions.reviewWithAgent(scopeIn(scope)),
  });
  return { commands, actions, dispose: () => parts.dispose() };
}

/** Reads a scope. Menus pass their own context as the argument, so anything else is none. */
function scopeIn(value: unknown): ReviewPageScope | undefined {
  if (typeof value === 'string' && value !== '') return { session: value as SessionKey };
  if (typeof value !== 'object' || value === null) return undefined;
  const { session, turn } = value as Readonly<Record<string, unknown>>;
  if (typeof session !== 'string') return Object.keys(value).length === 0 ? {} : undefined;
  return { session: session as SessionKey, ...(typeof turn === 'number' ? { turn } : {}) };
}
