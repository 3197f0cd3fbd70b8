import * as l10n from '@vscode/l10n';
import type { ServedTerminal, TerminalService } from '../../session/services';
import type { Session } from '../../session/session';
import type { CheckEnd } from './failureReport';

/** How much of the output is kept for the agent, in characters. */
const keptOutput = 64_000;
/** With these, somebody else stopped the command. */
const stopSignals = new Set(['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGHUP']);

/** How a command is shown in the session. */
export interface CheckWords {
  readonly title: string;
  /** What is said if it can't start. */
  readonly problem: string;
  readonly nextStep: string;
}

/** Runs a command in a session's folder, with its output in the session. Resolves to undefined if it was stopped or couldn't start. */
export async function runCheck(
  session: Pick<Session, 'runCommand' | 'context' | 'addNotice'>,
  terminals: Pick<TerminalService, 'create'>,
  command: string,
  signal: AbortSignal,
  words: CheckWords = afterTurnWords(command),
): Promise<CheckEnd | undefined> {
  let output = '';
  let served: ServedTerminal | undefined;
  const stop = () => void served?.kill();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const exit = await session.runCommand(words.title, async (events) => {
      served = await terminals.create(
        session.context,
        { command, args: [], env: {} },
        {
          ...events,
          onOutput: (data) => {
            output = (output + data).slice(-keptOutput);
            events.onOutput(data);
          },
        },
      );
      if (signal.aborted) stop();
      return served;
    });
    if ('problem' in exit) {
      session.addNotice({
        severity: 'error',
        title: words.problem,
        description: `${exit.problem} ${words.nextStep}`,
      });
      return undefined;
    }
    // A program may turn the signal into an exit code.
    const isStopped = served?.wasKilled === true || signal.aborted || stopSignals.has(exit.signal ?? '');
    return isStopped ? undefined : { exitCode: exit.exitCode, output };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function afterTurnWords(command: string): CheckWords {
  return {
    title: l10n.t('After the turn: {0}', command),
    problem: l10n.t('Couldn’t start what runs after a turn'),
    nextStep: l10n.t('Change the command in the setting parley.afterTurn.'),
  };
}
