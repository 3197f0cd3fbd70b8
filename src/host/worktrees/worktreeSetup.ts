import * as l10n from '@vscode/l10n';
import type { ProcessExit, TerminalService } from '../../session/services';
import type { NoticeText, Session } from '../../session/session';
import type { SessionKey } from '../../shared/ids';
import type { WorkPart } from '../base/agentWork';

/** Runs the setup commands of worktrees. The first message to the agent waits for them. */
export class WorktreeSetup implements WorkPart {
  private readonly terminals: TerminalService;
  private readonly running = new Map<SessionKey, Promise<void>>();

  constructor(terminals: TerminalService) {
    this.terminals = terminals;
  }

  /** Runs a command in a session's worktree, with its output in the session. `source` is where the worktree was made from. */
  run(session: Session, command: string, source: string): void {
    const { key, context } = session;
    const env = { PARLEY_SOURCE: source };
    const done = session
      .runCommand(l10n.t('Setup: {0}', command), (events) =>
        this.terminals.create(context, { command, args: [], env }, events),
      )
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
