import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/disposable';
import type { Languages } from '../editor/languages';
import type { Log } from '../log/log';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import { shownPath } from '../review/changedFilesFeed';
import type { Review } from '../review/review';
import { WindowProblems } from './editorProblems';
import { problemMessages } from './problemMessages';
import { ReviewedTurns } from './reviewedTurns';
import { TurnProblems } from './turnProblems';

export interface TurnProblemNeeds {
  readonly pool: AgentPool;
  readonly pages: ChatPages;
  readonly review: Review;
  /** Always returns the same instance. */
  readonly language: () => Languages;
  readonly settings: { readonly sendsNewProblems: boolean };
  readonly log: Log;
}

/** The problems that a turn caused. */
export function turnProblemsFeature({ pool, pages, review, language, settings, log }: TurnProblemNeeds) {
  const parts = new DisposableStore();
  const problems = parts.add(
    new TurnProblems<ChatPage>({
      turns: parts.add(new ReviewedTurns(pool, review)),
      problems: parts.add(new WindowProblems(language)),
      pages,
      settings,
      pathOf: shownPath,
      report: (error) => log.warn(`Problems: ${String(error)}`),
    }),
  );
  return { messages: problemMessages(problems, log), dispose: () => parts.dispose() };
}
