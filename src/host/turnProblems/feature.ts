import { DisposableStore } from '../../shared/values/disposable';
import type { Languages } from '../editor/languages';
import type { Log } from '../log/log';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import { shownPath } from '../review/page/changedFilesFeed';
import type { AutomaticTurns } from './automaticTurns';
import { WindowProblems } from './editorProblems';
import { problemMessages } from './problemMessages';
import type { ReviewedTurns } from './reviewedTurns';
import { TurnProblems } from './turnProblems';

export interface TurnProblemNeeds {
  readonly pages: ChatPages;
  readonly turns: ReviewedTurns;
  readonly automatic: AutomaticTurns;
  /** Always returns the same instance. */
  readonly language: () => Languages;
  readonly settings: { get(key: 'sendNewProblems'): boolean };
  readonly log: Log;
}

/** The problems that a turn caused. */
export function turnProblemsFeature({ pages, turns, automatic, language, settings, log }: TurnProblemNeeds) {
  const parts = new DisposableStore();
  const problems = parts.add(
    new TurnProblems<ChatPage>({
      turns,
      automatic,
      problems: parts.add(new WindowProblems(language)),
      pages,
      settings,
      pathOf: shownPath,
      report: (error) => log.warn(`Problems: ${String(error)}`),
    }),
  );
  return { messages: problemMessages(problems, log), dispose: () => parts.dispose() };
}
