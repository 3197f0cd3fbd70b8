import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { AgentId } from '../../shared/values/ids';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { warnUntrusted } from '../agents/trust';
import type { Log } from '../log/log';
import type { Review } from '../review/review';
import { createSession, type CreateServices } from '../sessions/start/createSession';
import type { RememberedChoices } from '../sessions/start/rememberedChoices';
import { showError } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import { presentState } from '../workspaceFiles/presentState';
import { AgentReviews, type ReviewWindow } from './agentReviews';
import { reviewedChanges } from './reviewedChanges';
import { worktreeReview } from './worktreeReview';

export interface ReviewServices extends CreateServices {
  readonly choices: RememberedChoices;
  readonly review: Pick<Review, 'log' | 'drafts'>;
  readonly log: Log;
}

/** The reviews by agents of this window. Loaded with the first one. */
export function reviewsByAgents(needs: ReviewServices): AgentReviews {
  return new AgentReviews(needs.pool, needs.review.log, needs.review.drafts, windowOf(needs));
}

function windowOf(needs: ReviewServices): ReviewWindow {
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
  { catalog }: Pick<ReviewServices, 'catalog'>,
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
