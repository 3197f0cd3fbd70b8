import * as l10n from '@vscode/l10n';
import type { ErrorEntry } from '../shared/transcript/transcript';
import { errorWords } from '../acp/base/errorWords';

/**
 * The contents of an error card: what happened, the cause if known, the end of the log, and the actions, best first.
 */
export type Failure = Pick<ErrorEntry, 'code' | 'title' | 'actions'> &
  Partial<Pick<ErrorEntry, 'cause' | 'logTail' | 'limit'>>;

/** Carries a failure through a rejected promise. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.title);
    this.failure = failure;
  }
}

/**
 * Returns whether an error carries a failure. Checks the name, because every bundle of the extension has its own copy
 * of the class.
 */
export function isFailureError(error: unknown): error is FailureError {
  return error instanceof Error && error.name === 'FailureError';
}

/** How an agent's process exited. */
export interface AgentExit {
  readonly exitCode?: number;
  readonly signal?: string;
  /** The last lines of stderr; may be empty. */
  readonly logTail: string;
  /** The user requested the exit. */
  readonly wanted: boolean;
  /**
   * Why Parley stopped the process: a line over the limit, it didn't read its input, or it closed its output but kept
   * running.
   */
  readonly fault?: 'tooLong' | 'notReading' | 'outputClosed';
  /** For a remote agent: a sentence that says why there is no connection to it. */
  readonly unreachable?: string;
}

/** Removes secrets from a failure, because agents tend to repeat a rejected key. */
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

/** The program doesn't exist. */
export function agentNotFound(agent: string, command: string): Failure {
  return {
    code: 'agentNotFound',
    title: l10n.t('Couldn’t start {0}: the program “{1}” wasn’t found.', agent, command),
    cause: l10n.t(
      'It isn’t on your PATH, and it isn’t a path to an existing file. Install it or fix the command in Settings.',
    ),
    actions: ['openSettings', 'restartAgent', 'showLog'],
  };
}

/** The program exists but could not be run; `reason` is a sentence. */
export function agentNotStarted(agent: string, reason: string, logTail = ''): Failure {
  return {
    code: 'agentNotStarted',
    title: l10n.t('Couldn’t start {0}.', agent),
    cause: reason,
    ...withLog(logTail),
    actions: ['restartAgent', 'openSettings', 'showLog'],
  };
}

/** The agent has to run in a sandbox, and there can't be one; `reason` says why. */
export function sandboxNotMade(agent: string, reason: string): Failure {
  return {
    ...agentNotStarted(agent, reason),
    code: 'sandboxNotMade',
    title: l10n.t('Couldn’t start {0} in its sandbox.', agent),
  };
}

/** What the program that makes the sandbox on Linux prints if it can't, which is before the agent's own program starts. */
const sandboxWords = /^bwrap: (.+)$/m;

/** The same failure of a start, for an agent that was started in its sandbox, which may be the cause. */
export function failedInSandbox(agent: string, failure: Failure): Failure {
  const { code, cause, logTail = '' } = failure;
  const other = l10n.t('Try again, or select another sandbox with “Parley: Change Sandbox…”.');
  const words = sandboxWords.exec(logTail)?.[1];
  if (words !== undefined)
    return {
      ...sandboxNotMade(agent, `${l10n.t('The sandbox couldn’t be made: {0}.', words)} ${other}`),
      ...withLog(logTail),
    };
  const isOfStart = code === 'agentNotStarted' || code === 'handshakeTimedOut' || code === 'handshakeFailed';
  if (!isOfStart) return failure;
  const hint = l10n.t(
    'It ran in its sandbox, which may hide a file or block a host that it needs. See the log, add folders to parley.sandboxFolders, or select another sandbox with “Parley: Change Sandbox…”.',
  );
  return { ...failure, cause: [cause, hint].filter(Boolean).join(' ') };
}

/** The process exited while sessions needed it. */
export function agentExited(agent: string, exit: AgentExit): Failure {
  const how = exitWords(exit);
  if (exit.wanted && exit.unreachable !== undefined) return agentDisconnected(agent);
  if (exit.wanted) {
    return {
      code: 'agentEnded',
      title: l10n.t('{0}’s process was ended.', agent),
      cause: l10n.t('Your session and its file changes are kept.'),
      actions: ['restartAgent', 'showLog'],
    };
  }
  if (exit.fault !== undefined) return agentCutOff(agent, exit.fault, exit.logTail);
  if (exit.unreachable !== undefined) return agentLost(agent, exit.unreachable);
  return {
    code: 'agentExited',
    title: how ? l10n.t('{0} stopped unexpectedly ({1}).', agent, how) : l10n.t('{0} stopped unexpectedly.', agent),
    cause: [exitReason(exit), l10n.t('Your session and files are safe.')].filter(Boolean).join(' '),
    ...withLog(exit.logTail),
    actions: ['restartAgent', 'continueWith', 'showLog'],
  };
}

/** The process exited while sessions needed it, and restarts by itself. `wasAtWork`: a turn of this session was cut off. */
export function agentRestarts(agent: string, exit: AgentExit, wasAtWork: boolean): Failure {
  const failure = agentExited(agent, exit);
  const again = l10n.t('{0} restarts by itself and reopens this session.', agent);
  return {
    ...failure,
    code: 'agentRestarts',
    cause: [failure.cause, again].filter(Boolean).join(' '),
    actions: [...(wasAtWork ? (['continueTurn'] as const) : []), 'showLog'],
  };
}

/** The user ended the process in another session while the agent was at work in this one, too. It is started again. */
export function endedElsewhere(agent: string, remembers: boolean): Failure {
  return {
    code: 'endedElsewhere',
    title: l10n.t('{0}’s process was ended in another session.', agent),
    cause: l10n.t('Its work here was cut off. Your session and its file changes are kept.'),
    actions: [...(remembers ? (['continueTurn'] as const) : (['sendAgain', 'continueWith'] as const)), 'showLog'],
  };
}

/** The connection to a remote agent was lost and isn't opened again automatically; `reason` is a sentence. */
export function agentLost(agent: string, reason: string): Failure {
  return {
    code: 'agentLost',
    title: l10n.t('Couldn’t reconnect to {0}.', agent),
    cause: `${reason} ${l10n.t('Your session and files are safe.')}`,
    actions: ['restartAgent', 'continueWith', 'showLog'],
  };
}

/** A remote agent can't be reached; `reason` is a sentence. */
export function agentUnreachable(agent: string, reason: string): Failure {
  return {
    code: 'agentUnreachable',
    title: l10n.t('Couldn’t connect to {0}.', agent),
    cause: reason,
    actions: ['restartAgent', 'openSettings', 'showLog'],
  };
}

/** The user closed the connection to a remote agent. */
function agentDisconnected(agent: string): Failure {
  return {
    code: 'agentEnded',
    title: l10n.t('Disconnected from {0}.', agent),
    cause: l10n.t('The agent may still be working on its machine. Your session is kept.'),
    actions: ['restartAgent', 'showLog'],
  };
}

/** Parley stopped the process because of a fault, so the exit code has no meaning. */
function agentCutOff(agent: string, fault: NonNullable<AgentExit['fault']>, logTail: string): Failure {
  const safe = l10n.t('Your session and files are safe.');
  const end = { ...withLog(logTail), actions: ['restartAgent', 'continueWith', 'showLog'] } as const;
  if (fault === 'tooLong') {
    const cause = l10n.t(
      'One message was larger than 32 MB, often a large file or command output. Restart the agent and ask for less at a time.',
    );
    const title = l10n.t('{0} sent too much data at once and was stopped.', agent);
    return { code: 'messageTooLong', title, cause: `${cause} ${safe}`, ...end };
  }
  if (fault === 'notReading') {
    const cause = l10n.t('Too many unread messages were waiting. Restart the agent to continue.');
    const title = l10n.t('{0} stopped reading messages and was stopped.', agent);
    return { code: 'notReading', title, cause: `${cause} ${safe}`, ...end };
  }
  const cause = l10n.t('It was still running but had stopped communicating. Restart it to continue.');
  const title = l10n.t('{0} closed the connection and was stopped.', agent);
  return { code: 'outputClosed', title, cause: `${cause} ${safe}`, ...end };
}

function exitWords({ exitCode, signal }: AgentExit): string {
  if (signal !== undefined) return signal;
  return exitCode === undefined ? '' : l10n.t('exit code {0}', exitCode);
}

function exitReason({ exitCode, signal }: AgentExit): string {
  // Shells report SIGKILL as 137, and the system sends SIGKILL when memory runs out.
  if (signal === 'SIGKILL' || exitCode === 137) {
    return l10n.t('The system or another program killed it. One possible reason is a lack of memory.');
  }
  if (exitCode === 127) return l10n.t('A program that it needs may be missing.');
  if (exitCode === 0) return l10n.t('It exited without an error.');
  return '';
}

/** The process exited before it answered `initialize`. */
export function agentExitedAtStart(agent: string, exit: AgentExit): Failure {
  if (exit.wanted) return agentExited(agent, exit);
  if (exit.fault !== undefined) return agentCutOff(agent, exit.fault, exit.logTail);
  if (exit.unreachable !== undefined) return agentUnreachable(agent, exit.unreachable);
  const how = exitWords(exit);
  const reason = how ? l10n.t('It exited before it was ready ({0}).', how) : l10n.t('It exited before it was ready.');
  return { ...agentNotStarted(agent, [reason, exitReason(exit)].filter(Boolean).join(' '), exit.logTail) };
}

/**
 * The agent didn't answer `initialize` within `seconds`. `mayDownload`: the program may have to be downloaded first.
 */
export function handshakeTimedOut(agent: string, seconds: number, logTail: string, mayDownload = false): Failure {
  return {
    code: 'handshakeTimedOut',
    title: l10n.t('{0} didn’t respond within {1} s and was stopped.', agent, seconds),
    cause: mayDownload
      ? l10n.t(
          'It may still be downloading. Restart it in a moment, or run its command once in a terminal. If that doesn’t help, check whether the command needs an argument such as --acp.',
        )
      : l10n.t(
          'The program was running but didn’t answer. It may be slow to start, or its command may be missing an argument such as --acp.',
        ),
    ...withLog(logTail),
    actions: ['restartAgent', 'openSettings', 'showLog'],
  };
}

/** The agent hasn't answered `initialize` for `seconds`, but may still do so. */
export function startIsSlow(agent: string, seconds: number, mayDownload: boolean): Failure {
  const wrong = l10n.t('If it never responds, its command may be missing an argument such as --acp.');
  return {
    code: 'startIsSlow',
    title: l10n.t('{0} hasn’t responded for {1} s.', agent, seconds),
    cause: `${mayDownload ? l10n.t('It may still be downloading.') : l10n.t('It may still be starting.')} ${wrong}`,
    actions: ['keepWaiting', 'endProcess', 'openSettings', 'showLog'],
  };
}

/** The agent answered `initialize` with an error. */
export function handshakeFailed(agent: string, error: unknown, logTail: string): Failure {
  return {
    code: 'handshakeFailed',
    title: l10n.t('{0} refused the connection.', agent),
    cause: errorWords(error),
    ...withLog(logTail),
    actions: ['restartAgent', 'openSettings', 'showLog'],
  };
}

/** The agent answered with a protocol version that Parley doesn't support. */
export function versionNotSupported(agent: string, version: number | undefined): Failure {
  const cause =
    version === undefined
      ? l10n.t('It didn’t report a protocol version. Parley supports versions 1 and 2.')
      : version === 2
        ? l10n.t(
            'It uses Agent Client Protocol version 2. To offer it to agents, set parley.protocolVersion to “auto”.',
          )
        : l10n.t(
            'It uses Agent Client Protocol version {0}; Parley supports versions 1 and 2. Try another version of the agent.',
            version,
          );
  return {
    code: 'versionNotSupported',
    title: l10n.t('{0} and Parley have no protocol version in common.', agent),
    cause,
    actions: ['openSettings', 'restartAgent', 'showLog'],
  };
}

/** `session/new` or `session/fork` failed. */
export function sessionNotOpened(agent: string, error: unknown, logTail = ''): Failure {
  return {
    code: 'sessionNotOpened',
    title: l10n.t('{0} couldn’t open a session.', agent),
    cause: errorWords(error),
    ...withLog(logTail),
    actions: ['restartAgent', 'showLog'],
  };
}

/** The agent has suggestions for edits and no sessions. */
export function onlySuggestsEdits(agent: string): Failure {
  return {
    code: 'onlySuggestsEdits',
    title: l10n.t('{0} suggests edits but doesn’t chat.', agent),
    cause: l10n.t('You see its suggestions while you type, as long as this session is open.'),
    actions: ['showLog'],
  };
}

/** `session/load` or `session/resume` failed, but the agent didn't say that the session no longer exists. */
export function sessionNotReopened(agent: string, error: unknown, logTail = ''): Failure {
  const next = l10n.t('Nothing was sent. Try again, or start fresh: {0} then won’t remember this conversation.', agent);
  return {
    code: 'sessionNotReopened',
    title: l10n.t('{0} couldn’t reopen this session.', agent),
    cause: [errorWords(error), next].filter(Boolean).join('\n'),
    ...withLog(logTail),
    actions: ['reopen', 'startFresh', 'showLog'],
  };
}

/** `session/prompt` was answered with an error. */
export function promptFailed(agent: string, error: unknown): Failure {
  return {
    code: 'promptFailed',
    title: l10n.t('{0} couldn’t answer.', agent),
    cause: errorWords(error),
    actions: ['sendAgain', 'newSession', 'showLog'],
  };
}

/** The agent requires a login before `initialize`, so its login methods aren't known. */
export function authRequired(agent: string): Failure {
  return {
    code: 'authRequired',
    title: l10n.t('Log in to {0} to continue.', agent),
    cause: l10n.t('Log in with the agent’s own program in a terminal, then restart the agent.'),
    actions: ['restartAgent', 'continueWith', 'showLog'],
  };
}

/** A login failed; `reason` is a sentence. */
export function loginFailed(method: string, reason: string): { readonly title: string; readonly cause: string } {
  return {
    title: l10n.t('Couldn’t log in with “{0}”.', method),
    cause: [reason, l10n.t('Try again or choose another method.')].filter(Boolean).join(' '),
  };
}
