import * as vscode from 'vscode';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import type { ProblemSession } from './turnProblems';

/** Handlers for chat page messages about the problems of the last turn. */
export function problemMessages(
  problems: { send(session: ProblemSession): void },
  log: Log,
): Handlers<'newProblemsAction'> {
  return {
    newProblemsAction: inSession((session, { action }) => {
      if (action === 'send') problems.send(session);
      else reported(log, vscode.commands.executeCommand('workbench.actions.view.problems'));
    }),
  };
}
