import * as l10n from '@vscode/l10n';
import type { ProcessExit, TerminalService } from '../../session/services';
import type { NoticeText, Session } from '../../session/session';
import type { SessionKey } from '../../shared/values/ids';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import type { WorkPart } from '../base/agentWork';
import { setupOfTask, taskOfSetup } from '../base/setupTask';

/** Runs the setup commands of worktrees. The first message to the agent waits for them. */
export class WorktreeSetup implements WorkPart {
  private readonly terminals: Pick<TerminalService, 'create'>;
  private readonly running = new Map<SessionKey, Promise<void>>();

  constructor(terminals: Pick<TerminalService, 'create'>) {
    this.terminals = terminals;
  }

  /**
   * Runs a command, or the commands of a task, in a session's worktree, with the output in the session. `source` is where the worktree was
   * made from.
   */
  run(session: Session, setup: string, source: string): void {
    const { key, context, transcript } = session;
    const { cwd } = transcript.view;
    const task = taskOfSetup(setup);
    const command = { command: setup, args: [], env: {} };
    const done = session
      .runCommand(l10n.t('Setup: {0}', task ?? setup), async (events) => {
        const root = worktreeOf(cwd)?.record.path ?? cwd;
        const { env, ...program } = task === undefined ? command : await setupOfTask(task, source, root);
        return this.terminals.create(context, { ...program, env: { ...env, PARLEY_SOURCE: source } }, events);
      })
      .then((exit) => {
        const notice = failureOf(exit);
        if (notice) session.addNotice(notice);
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, done);
  }

  async beforeTurn(session: SessionKey): Promise<void> {
    await this.running.get(session);
  }
}

function failureOf(exit: ProcessExit | { readonly problem: string }): NoticeText | undefined {
  if ('problem' in exit) {
    const title = l10n.t('Couldn’t start the setup command');
    return { severity: 'error', title, description: `${exit.problem} ${nextStep()}` };
  }
  if (exit.exitCode === 0) return undefined;
  const how = exit.exitCode === undefined ? (exit.signal ?? '') : l10n.t('exit code {0}', exit.exitCode);
  return { severity: 'error', title: l10n.t('The setup command failed ({0})', how), description: nextStep() };
}

function nextStep(): string {
  return l10n.t('The agent works anyway. Change the command in the setting parley.worktrees.setup.');
}
