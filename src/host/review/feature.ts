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
import { protectionMessages } from './page/protectionMessages';
import type { Review } from './review';
import { reviewMessages } from './page/reviewMessages';
import { showOrigin } from './shown/showOrigin';

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
