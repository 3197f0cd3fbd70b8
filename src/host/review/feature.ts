import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/values/disposable';
import type { Act } from '../base/actions';
import { actionTable, commandTable, joinTables } from '../base/feature';
import { fileRoots } from '../base/folders';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { ChangedFiles } from './page/changedFilesFeed';
import { bringableSession } from './page/bringableSession';
import { ReviewPages } from './page/reviewPages';
import type { ReviewPanelServices } from './page/reviewPanel';
import { Protection } from './page/protection';
import type { Review } from './review';
import { reviewMessages } from './page/reviewMessages';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import type { SessionKey } from '../../shared/values/ids';

export interface ReviewNeeds {
  readonly extensionUri: vscode.Uri;
  readonly pool: AgentPool;
  readonly pages: ChatPages;
  readonly knownAgents: ReviewPanelServices['knownAgents'];
  readonly review: Review;
  /** Stores what the user has seen in this workspace. */
  readonly memory: vscode.Memento;
  readonly act: Act<'bringChanges' | 'checkSetup' | 'commit' | 'openChat' | 'reviewWithAgent'>;
  readonly log: Log;
}

/** The changes that wait for the user, and the files that can't be undone, on chat pages and as commands. */
export function reviewFeature({ extensionUri, pool, pages, knownAgents, review, memory, act, log }: ReviewNeeds) {
  const parts = new DisposableStore();
  parts.add(new ChangedFiles(review.log, pages, review.gaps, review.redo));
  const protection = parts.add(new Protection({ files: review, pages, folders: fileRoots, state: memory }));
  const reviewPages = parts.add(
    new ReviewPages({
      extensionUri,
      log: review.log,
      disk: review.disk,
      redo: review.redo,
      comments: review.comments,
      drafts: review.drafts,
      turns: review.turns,
      knownAgents,
      titleOf: (scope) => pool.sessions.find(({ key }) => key === scope.session)?.transcript.view.title,
      bringable: (scope, uris) => bringableSession(pool.sessions, scope, uris),
      act,
      report: (error) => log.warn(`Review: ${String(error)}`),
    }),
  );
  const messages = joinTables(reviewMessages(review, log), protectionMessages(protection, act, log));
  const ownCommands = commandTable({
    'parley.review.showOrigin': (session, turn, toolCall) => showOrigin(pool, pages, session, turn, toolCall),
  });
  return {
    messages,
    commands: joinTables(review.commands, reviewPages.commands, ownCommands),
    around: review,
    flushNow: () => review.flushNow(),
    flush: () => review.flush(),
    actions: actionTable({ openReview: (scope) => reviewPages.show(scope) }),
    dispose: () => parts.dispose(),
  };
}

/** Handles the buttons of the list of files that can't be undone. */
function protectionMessages(
  protection: { dismiss(): Promise<void> },
  act: Act<'checkSetup'>,
  log: Parameters<typeof reported>[0],
): Handlers<'unprotectedAction'> {
  return {
    unprotectedAction: inSession((_session, { action }) => {
      reported(log, protection.dismiss());
      if (action === 'show') reported(log, act('checkSetup'));
    }),
  };
}

/** Shows the origin of a change in the chat: its tool call, or the message that started the turn. */
async function showOrigin(
  pool: AgentPool,
  pages: ChatPages,
  session: unknown,
  turn: unknown,
  toolCall: unknown,
): Promise<void> {
  const found = pool.sessions.find(({ key }) => key === (session as SessionKey));
  if (!found) return;
  const entries = [...found.transcript.entries.values()].filter((entry) => entry.turn === turn);
  const entry = entries.find((one) => one.kind === 'tool_call' && one.toolCallId === toolCall) ?? entries[0];
  await pages.withPage((page) => {
    page.show(found.key);
    if (entry) page.post({ type: 'revealEntry', session: found.key, entry: entry.id });
  });
}
