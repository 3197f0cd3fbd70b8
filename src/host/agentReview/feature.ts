import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { AgentId, SessionKey } from '../../shared/ids';
import { messageOf } from '../../shared/messageOf';
import type { ReviewPageScope } from '../../shared/reviewPage';
import { worktreeOf } from '../../worktree/worktreeOf';
import { WorktreeProblem } from '../../worktree/worktreeProblem';
import { warnUntrusted } from '../agents/trust';
import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import type { Review } from '../review/review';
import { createSession, type CreateServices } from '../sessions/createSession';
import type { RememberedChoices } from '../sessions/rememberedChoices';
import { showError } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import { presentState } from '../workspaceFiles/presentState';
import { AgentReviews, type ReviewWindow } from './agentReviews';
import { reviewedChanges } from './reviewedChanges';
import { worktreeReview } from './worktreeReview';

export interface AgentReviewNeeds extends CreateServices {
  readonly choices: RememberedChoices;
  readonly pages: Pick<ChatPages, 'activeSession'>;
  readonly review: Pick<Review, 'log' | 'drafts'>;
  readonly log: Log;
}

/** Reviews of an agent's changes by another agent, as a command. */
export function agentReviewFeature(needs: AgentReviewNeeds) {
  const { pool, pages, review } = needs;
  const reviews = new AgentReviews(pool, review.log, review.drafts, windowOf(needs));
  const actions = actionTable({
    reviewWorktree: async (key) => {
      const session = key === undefined ? pages.activeSession : pool.sessions.find((one) => one.key === key);
      await reviews.startWorktree(session).catch((error: unknown) => {
        if (!(error instanceof WorktreeProblem)) needs.log.error(`Reviews by agents: ${String(error)}`);
        void showError(messageOf(error));
      });
    },
    reviewWithAgent: (scope) => {
      const { activeSession } = pages;
      return reviews.start(scope ?? (activeSession ? { session: activeSession.key } : {}), activeSession);
    },
  });
  const commands = commandTable({
    'parley.reviewWorktree': (key) => actions.reviewWorktree(sessionIn(key)),
    'parley.reviewWithAgent': (scope) => actions.reviewWithAgent(scopeIn(scope)),
  });
  return { commands, actions, dispose: () => reviews.dispose() };
}

function windowOf(needs: AgentReviewNeeds): ReviewWindow {
  const { pool, review, choices, log } = needs;
  return {
    mayStart: () => {
      if (!vscode.workspace.isTrusted) void warnUntrusted();
      return vscode.workspace.isTrusted;
    },
    pickAgent: (reviewed) => pickReviewer(needs, reviewed),
    changesOf: (scope, cwd) => reviewedChanges(review.log, scope, cwd, (uri) => vscode.Uri.parse(uri).fsPath),
    worktreeChangesOf: async (session, cwd) => {
      const worktree = worktreeOf(cwd);
      const agentName = pool.sessions.find(({ key }) => key === session)?.transcript.view.agentName ?? '';
      const owner = { kind: 'agent', agentName, session, turn: 0 } as const;
      return worktree && (await worktreeReview(worktree, cwd, owner, (path) => vscode.Uri.file(path).toString()));
    },
    createSession: (agent, like) => {
      const session = createSession(needs, { agent, cwd: like.transcript.view.cwd, like });
      if (session) choices.useReadOnly(session);
      return session;
    },
    textOf: async (uri) => {
      const state = await presentState(vscode.Uri.parse(uri));
      return state.kind === 'text' ? state.text : undefined;
    },
    refuse: (why) => void showError(why),
    report: (error) => log.warn(`Reviews by agents: ${String(error)}`),
  };
}

/** Lets the user select who reviews: other agents first, because a second opinion is worth more than the first one again. */
async function pickReviewer(
  { catalog }: Pick<AgentReviewNeeds, 'catalog'>,
  { transcript }: Session,
): Promise<AgentId | undefined> {
  const { agentId, agentName } = transcript.view;
  const others = catalog.all.filter(({ id }) => id !== agentId);
  const own = catalog.all.filter(({ id }) => id === agentId);
  const items = [
    ...others.map(({ id, name }) => ({ label: name, agent: id })),
    ...own.map(({ id, name }) => ({ label: name, description: l10n.t('same agent'), agent: id })),
  ];
  const placeHolder = l10n.t('Select an agent to review the changes by {0}', agentName);
  return (await pickOne(items, { placeHolder }))?.agent;
}

/** Reads a scope. Menus pass their own context as the argument, so anything else is none. */
function scopeIn(value: unknown): ReviewPageScope | undefined {
  if (typeof value === 'string' && value !== '') return { session: value as SessionKey };
  if (typeof value !== 'object' || value === null) return undefined;
  const { session, turn } = value as Readonly<Record<string, unknown>>;
  if (typeof session !== 'string') return Object.keys(value).length === 0 ? {} : undefined;
  return { session: session as SessionKey, ...(typeof turn === 'number' ? { turn } : {}) };
}
