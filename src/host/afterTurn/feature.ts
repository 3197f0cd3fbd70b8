import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { TerminalService } from '../../session/services';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../shared/values/disposable';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { taskName } from '../base/tasks';
import type { Log } from '../log/log';
import type { AutomaticTurns } from '../turnProblems/automaticTurns';
import type { ReviewedTurns } from '../turnProblems/reviewedTurns';
import { AfterTurn } from './afterTurn';
import { checkAfterTurn } from './afterTurnSetting';
import type { CheckEnd } from './failureReport';
import { runCheck } from './runCheck';
import { linesOfTask, taskTerminals } from './taskTerminals';

export interface AfterTurnNeeds {
  readonly pool: AgentPool;
  readonly terminals: Pick<TerminalService, 'create'>;
  readonly turns: ReviewedTurns;
  readonly automatic: AutomaticTurns;
  readonly settings: { get(key: 'afterTurn'): unknown };
  readonly log: Log;
}

/** A command or a task of the user that runs after turns. */
export function afterTurnFeature({ pool, terminals, turns, automatic, settings, log }: AfterTurnNeeds) {
  const parts = new DisposableStore();
  parts.add(
    new AfterTurn({
      turns,
      automatic,
      check: (agentName) => checkAfterTurn(settings.get('afterTurn'), agentName),
      run: async (key, check, signal) => {
        const session = pool.sessions.find((one) => one.key === key);
        if (!session) return undefined;
        return check.kind === 'task'
          ? await runTask(session, terminals, check.name, signal)
          : await runCheck(session, terminals, check.name, signal);
      },
      report: (error) => log.warn(`After a turn: ${String(error)}`),
    }),
  );
  return { messages: {}, commands: {}, dispose: () => parts.dispose() };
}

/**
 * Runs a task in its own terminal, and shows in the session that it runs and how it ended. The editor runs it outside of a sandbox, so a
 * session that has one runs the task's command lines there.
 */
async function runTask(
  session: Session,
  terminals: Pick<TerminalService, 'create'>,
  name: string,
  signal: AbortSignal,
): Promise<CheckEnd | undefined> {
  if ((session.transcript.view.sandbox ?? 'off') !== 'off')
    return runCheck(session, linesOfTask(terminals), name, signal);
  const task = (await vscode.tasks.fetchTasks()).find((one) => taskName(one) === name);
  if (!task) {
    session.addNotice({
      severity: 'error',
      title: l10n.t('There is no task “{0}”', showHiddenOnOneLine(name)),
      description: l10n.t('Change the task in the setting parley.afterTurn.'),
    });
    return undefined;
  }
  const end = await runCheck(session, taskTerminals(task), name, signal);
  // What a task prints is only in its terminal.
  return end && { ...end, output: '' };
}
