import * as l10n from '@vscode/l10n';
import { readableError } from '../acp/errors';
import type { ErrorEntry } from '../shared/transcript';

/** What an error card says: what happened, why as far as known, the end of the log, and what to do, the best step first. */
export type Failure = Pick<ErrorEntry, 'code' | 'title' | 'actions'> & Partial<Pick<ErrorEntry, 'cause' | 'logTail'>>;

/** Carries a failure through a rejected promise. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.title);
    this.failure = failure;
  }
}

/** Whether an error carries a failure; told by its name, for every bundle of the extension has its own copy of the class. */
export function isFailureError(error: unknown): error is FailureError {
  return error instanceof Error && error.name === 'FailureError';
}

/** How an agent's process ended. */
export interface AgentExit {
  readonly exitCode?: number;
  readonly signal?: string;
  /** Last lines of its standard error output; may be empty. */
  readonly logTail: string;
  /** The user asked for it. */
  readonly wanted: boolean;
  /** What was wrong before it ended: a line over the limit, it did not read, or it spoke no more, lived on, and Parley ended it. */
  readonly fault?: 'tooLong' | 'notReading' | 'outputClosed';
}

/** The failure without secrets: agents like to repeat the key that was refused. */
export function redactFailure(failure: Failure, redact: (text: string) => string): Failure {
  const { cause, logTail } = failure;
  return {
    ...failure,
    ...(cause === undefined ? {} : { cause: redact(cause) }),
    ...(logTail === undefined ? {} : { logTail: redact(logTail) }),
  };
}

function withLog(logTail: string): { logTail?: string } {
  return logTail.trim() === '' ? {} : { logTail: logTail.trimEnd() };
}

/** The program does not exist. */
export function agentNotFound(agent: string, command: string): Failure {
  return {
    code: 'agentNotFound',
    title: l10n.t('{0} did not start. The program {1} was not found on this machine.', agent, command),
    cause: l10n.t(
      'It is neither a path that exists nor in a folder of PATH. Install it, or correct the command in the settings.',
    ),
    actions: ['openSettings', 'restartAgent', 'showLog'],
  };
}

/** The program exists but could not be run; `reason` is a sentence. */
export function agentNotStarted(agent: string, reason: string, logTail = ''): Failure {
  return {
    code: 'agentNotStarted',
    title: l10n.t('{0} did not start.', agent),
    cause: reason,
    ...withLog(logTail),
    actions: ['restartAgent', 'openSettings', 'showLog'],
  };
}

/** The process ended while sessions needed it. */
export function agentExited(agent: string, exit: AgentExit): Failure {
  const how = exitWords(exit);
  if (exit.wanted) {
    return {
      code: 'agentEnded',
      title: l10n.t('The process of {0} was ended.', agent),
      cause: l10n.t('Files it wrote stay as they are. Your session is kept.'),
      actions: ['restartAgent', 'showLog'],
    };
  }
  if (exit.fault !== undefined) return agentCutOff(agent, exit.fault, exit.logTail);
  return {
    code: 'agentExited',
    title: how ? l10n.t('{0} stopped unexpectedly ({1}).', agent, how) : l10n.t('{0} stopped unexpectedly.', agent),
    cause: [exitReason(exit), l10n.t('Your session and files are safe.')].filter(Boolean).join(' '),
    ...withLog(exit.logTail),
    actions: ['restartAgent', 'showLog'],
  };
}

/** The process was ended for what it did; how it ended says nothing then. */
function agentCutOff(agent: string, fault: NonNullable<AgentExit['fault']>, logTail: string): Failure {
  const safe = l10n.t('Your session and files are safe.');
  const end = { ...withLog(logTail), actions: ['restartAgent', 'showLog'] } as const;
  if (fault === 'tooLong') {
    const cause = l10n.t(
      'A message was longer than 32 MB. Often that is a large file or the output of a command. Restart it, and ask for less at once.',
    );
    const title = l10n.t('{0} sent more at once than Parley takes, so it was ended.', agent);
    return { code: 'messageTooLong', title, cause: `${cause} ${safe}`, ...end };
  }
  if (fault === 'notReading') {
    const cause = l10n.t(
      'Messages to it filled up the memory that Parley allows for that. Restart the agent to continue.',
    );
    const title = l10n.t('{0} stopped reading messages, so it was ended.', agent);
    return { code: 'notReading', title, cause: `${cause} ${safe}`, ...end };
  }
  const cause = l10n.t('It went on running, but could no longer be talked to. Restart it to go on.');
  const title = l10n.t('{0} closed the connection, so it was ended.', agent);
  return { code: 'outputClosed', title, cause: `${cause} ${safe}`, ...end };
}

function exitWords({ exitCode, signal }: AgentExit): string {
  if (signal !== undefined) return signal;
  return exitCode === undefined ? '' : l10n.t('exit code {0}', exitCode);
}

function exitReason({ exitCode, signal }: AgentExit): string {
  // 137 is what a shell makes of SIGKILL, which is what the system sends when memory runs out.
  if (signal === 'SIGKILL' || exitCode === 137) {
    return l10n.t('The system ended it, most often because memory ran out.');
  }
  if (exitCode === 127) return l10n.t('A program that it needs was not found.');
  if (exitCode === 0) return l10n.t('It ended by itself, without an error.');
  return '';
}

/** The process ended before it answered `initialize`. */
export function agentExitedAtStart(agent: string, exit: AgentExit): Failure {
  if (exit.fault !== undefined) return agentCutOff(agent, exit.fault, exit.logTail);
  const how = exitWords(exit);
  const reason = how ? l10n.t('It ended before it was ready ({0}).', how) : l10n.t('It ended before it was ready.');
  return { ...agentNotStarted(agent, [reason, exitReason(exit)].filter(Boolean).join(' '), exit.logTail) };
}

/** No answer to `initialize` within `seconds`; `mayDownload`: it is one that may have to be downloaded first. */
export function handshakeTimedOut(agent: string, seconds: number, logTail: string, mayDownload = false): Failure {
  return {
    code: 'handshakeTimedOut',
    title: l10n.t('{0} did not answer within {1} s, so it was ended.', agent, seconds),
    cause: mayDownload
      ? l10n.t(
          'It may still have been downloading: then restart it, or run its command once in a terminal. Else its command may miss an argument such as --acp.',
        )
      : l10n.t(
          'The program runs but does not speak the Agent Client Protocol. Often its command misses an argument such as --acp.',
        ),
    ...withLog(logTail),
    actions: ['restartAgent', 'openSettings', 'showLog'],
  };
}

/** The agent answered `initialize` with an error. */
export function handshakeFailed(agent: string, error: unknown, logTail: string): Failure {
  const { message, detail } = readableError(error);
  return {
    code: 'handshakeFailed',
    title: l10n.t('{0} refused the connection.', agent),
    cause: [message, detail].filter(Boolean).join('\n'),
    ...withLog(logTail),
    actions: ['restartAgent', 'openSettings', 'showLog'],
  };
}

/** The agent answered with a protocol version that Parley does not speak. */
export function versionNotSupported(agent: string, version: number | undefined): Failure {
  const cause =
    version === undefined
      ? l10n.t('It names no protocol version; Parley speaks version 1.')
      : l10n.t(
          'It speaks version {0} of the Agent Client Protocol; Parley speaks version 1. Another version of the agent may fit.',
          version,
        );
  return {
    code: 'versionNotSupported',
    title: l10n.t('{0} and Parley share no protocol version.', agent),
    cause,
    actions: ['openSettings', 'showLog'],
  };
}

/** `session/new`, `load` or `resume` failed. */
export function sessionNotOpened(agent: string, error: unknown, logTail = ''): Failure {
  const { message, detail } = readableError(error);
  return {
    code: 'sessionNotOpened',
    title: l10n.t('{0} could not open a session.', agent),
    cause: [message, detail].filter(Boolean).join('\n'),
    ...withLog(logTail),
    actions: ['restartAgent', 'showLog'],
  };
}

/** `session/prompt` was answered with an error. */
export function promptFailed(agent: string, error: unknown): Failure {
  const { message, detail } = readableError(error);
  return {
    code: 'promptFailed',
    title: l10n.t('{0} could not answer.', agent),
    cause: [message, detail].filter(Boolean).join('\n'),
    actions: ['sendAgain', 'newSession', 'showLog'],
  };
}

/** The agent wants a login before it even introduces itself, so nobody knows what ways it offers. */
export function authRequired(agent: string): Failure {
  return {
    code: 'authRequired',
    title: l10n.t('Log in to {0} to go on.', agent),
    cause: l10n.t('Log in with the agent’s own program in a terminal, then restart the agent.'),
    actions: ['restartAgent', 'showLog'],
  };
}

/** A login did not work; `reason` is a sentence. */
export function loginFailed(method: string, reason: string): { readonly title: string; readonly cause: string } {
  return {
    title: l10n.t('The login with “{0}” did not work.', method),
    cause: [reason, l10n.t('Try again, or choose another way.')].filter(Boolean).join(' '),
  };
}

/** The agent went on for `seconds` after `session/cancel`. */
export function stopNotHeard(agent: string, seconds: number): Failure {
  return {
    code: 'stopNotHeard',
    title: l10n.t('{0} did not stop within {1} s. End its process?', agent, seconds),
    cause: l10n.t('Files it wrote stay as they are.'),
    actions: ['endProcess', 'keepWaiting'],
  };
}
