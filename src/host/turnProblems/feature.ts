import { DisposableStore } from '../../shared/values/disposable';
import type { Languages } from '../editor/languages';
import type { Log } from '../log/log';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import { shownPath } from '../review/page/changedFilesFeed';
import type { AutomaticTurns } from './automaticTurns';
import { WindowProblems } from './editorProblems';
import type { ReviewedTurns } from './reviewedTurns';
import { TurnProblems, type ProblemSession } from './turnProblems';
import * as vscode from 'vscode';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';

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

/** Handlers for chat page messages about the problems of the last turn. */
function problemMessages(problems: { send(session: ProblemSession): void }, log: Log): Handlers<'newProblemsAction'> {
  return {
    newProblemsAction: inSession((session, { action }) => {
      if (action === 'send') problems.send(session);
      else reported(log, vscode.commands.executeCommand('workbench.actions.view.problems'));
    }),
  };
}
