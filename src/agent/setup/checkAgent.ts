import * as l10n from '@vscode/l10n';
import { isFailureError, startIsSlow, type Failure } from '../../session/failures';
import type { IDisposable } from '../../shared/values/disposable';
import { compact } from '../../shared/values/decodeValue';
import { messageOf } from '../../shared/values/messageOf';
import { abortable } from '../base/abortable';
import { mayDownload } from '../handshake/handshakeTime';
import type { AgentLease } from '../pool/agentLease';
import type { AgentSpec } from '../spec/agentSpec';
import { seconds, type Finding, type Fix } from './check';
import { ownCheck, withOwnCheck } from './ownCheck';

/** Limit for a check, in milliseconds: longer than that of the handshake, which explains itself better. */
export const agentTimeout = 90_000;
/** How often the check says what it knows about an agent that hasn't answered yet, in milliseconds. */
export const waitingStep = 5000;
/** Maximum length of a line that is quoted, in UTF-16 units. */
const quoteLimit = 200;
/** How long to wait for the agent to report its account after the handshake, in milliseconds. */
const accountTimeout = 3000;

export interface AgentCheckOptions {
  /** Starts the agent, or uses its running process. */
  readonly lease: () => AgentLease;
  readonly now: () => number;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  /** Called again and again with what is known so far, while the agent doesn't answer. */
  readonly waiting?: (soFar: Finding) => void;
  /** Aborted when the user doesn't want to wait any longer for agents that don't answer. */
  readonly enough?: AbortSignal;
}

/** Starts an agent as a session does, up to the handshake, and reports whether it's logged in. Never rejects. */
export async function checkAgent(spec: AgentSpec, options: AgentCheckOptions, signal: AbortSignal): Promise<Finding> {
  const { now, schedule, enough = new AbortController().signal } = options;
  const began = now();
  const late = new AbortController();
  const timer = schedule(agentTimeout, () => late.abort());
  const lease = options.lease();
  let waited = 0;
  let step: IDisposable | undefined;
  const wait = () => {
    step = schedule(waitingStep, () => {
      waited += waitingStep;
      options.waiting?.(noAnswer(spec, lease.agent, waited, 'note'));
      wait();
    });
  };
  wait();
  try {
    await abortable(lease.ready, AbortSignal.any([signal, late.signal, enough]));
    step?.dispose();
    const ms = now() - began;
    await reportedAccount(lease, schedule, signal);
    return withOwnCheck(started(spec, lease, ms), await ownCheck(lease.agent, signal));
  } catch (error) {
    if (signal.aborted) return skipped(spec, l10n.t('Cancelled.'));
    if (enough.aborted) return noAnswer(spec, lease.agent, waited, 'problem');
    if (late.signal.aborted) return tooLate(spec);
    const failure = isFailureError(error) ? error.failure : undefined;
    const finding = failure ? failed(spec, lease.agent, failure) : notStarted(spec, messageOf(error));
    return { ...finding, detail: lease.agent.redact(finding.detail) };
  } finally {
    timer.dispose();
    step?.dispose();
    lease.dispose();
  }
}

/** Describes an agent that isn't checked; `why` is a sentence. */
export function skipped(spec: AgentSpec, why: string, fix?: Fix): Finding {
  return { name: spec.name, state: 'skipped', summary: l10n.t('not checked'), detail: why, ...(fix ? { fix } : {}) };
}

function started(spec: AgentSpec, { agent }: AgentLease, ms: number): Finding {
  const version = agent.agentVersion;
  const answered = l10n.t('It started and answered in {0} s.', seconds(ms));
  const isNewer = agent.dialect !== undefined && agent.dialect.version > 1;
  const how = isNewer
    ? `${answered} ${l10n.t('It uses version {0} of the protocol.', agent.dialect.version)}`
    : answered;
  const summary = version === '' ? l10n.t('works') : l10n.t('works, version {0}', version);
  const finding = { name: spec.name, state: 'ok', summary } as const;
  if (agent.account.text === l10n.t('Not logged in')) {
    const detail = `${how} ${l10n.t('You aren’t logged in.')}`;
    const fix: Fix = { kind: 'logIn', label: l10n.t('Log in') };
    return { ...finding, state: 'note', summary: l10n.t('not logged in'), detail, fix };
  }
  if (agent.account.text !== '') return { ...finding, detail: `${how} ${l10n.t('You’re logged in.')}` };
  if (agent.authMethods.length === 0) return { ...finding, detail: `${how} ${l10n.t('It needs no login.')}` };
  return { ...finding, detail: `${how} ${l10n.t('It asks for a login when a session needs one.')}` };
}

function failed(spec: AgentSpec, agent: AgentLease['agent'], failure: Failure): Finding {
  const last = failure.logTail?.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const output = last === '' ? undefined : l10n.t('Its last output: {0}', last);
  const detail = [failure.title, strayWords(agent), failure.cause, output].filter(Boolean).join(' ');
  const summary = failure.code === 'agentNotFound' ? l10n.t('program not found') : l10n.t('doesn’t start');
  return { name: spec.name, state: 'problem', summary, detail, ...compact({ fix: fixFor(spec, failure) }) };
}

/** An agent that hasn't answered so far. It may still do so, unless nobody waits for it any more. */
function noAnswer(spec: AgentSpec, agent: AgentLease['agent'], ms: number, state: 'note' | 'problem'): Finding {
  const failure = startIsSlow(spec.name, ms / 1000, mayDownload({ command: spec.command, args: spec.args }));
  const detail = [failure.title, strayWords(agent), failure.cause].filter(Boolean).join(' ');
  const summary = l10n.t('no response');
  return { name: spec.name, state, summary, detail, ...compact({ fix: fixFor(spec, failure) }) };
}

/** Quotes the last line that the program printed in place of a message, or returns ''. */
function strayWords(agent: AgentLease['agent']): string {
  const line = agent.traffic.entries().findLast(({ direction }) => direction === 'noise')?.message;
  if (typeof line !== 'string' || line.trim() === '') return '';
  const words = agent.redact(line).trim();
  const quote = words.length > quoteLimit ? `${words.slice(0, quoteLimit)}…` : words;
  return l10n.t('It printed text that isn’t an ACP message: “{0}”', quote);
}

function notStarted(spec: AgentSpec, reason: string): Finding {
  return { name: spec.name, state: 'problem', summary: l10n.t('doesn’t start'), detail: reason, fix: showLog() };
}

function tooLate(spec: AgentSpec): Finding {
  const detail = l10n.t(
    '{0} didn’t respond within {1} s. It may still be downloading.',
    spec.name,
    agentTimeout / 1000,
  );
  return { name: spec.name, state: 'problem', summary: l10n.t('no response'), detail, fix: showLog() };
}

/** The settings if the command is wrong, the list of agents if an installed agent is, and the log otherwise. */
function fixFor(spec: AgentSpec, { code, actions, logTail }: Failure): Fix | undefined {
  // The sandbox is checked, too, and has the command that helps.
  if (code === 'sandboxNotMade') return undefined;
  if (actions.includes('manageTrust')) return { kind: 'manageTrust', label: l10n.t('Manage trust') };
  // The log has nothing about a program that couldn't be run or printed nothing.
  const isCommandWrong =
    code === 'agentNotFound' ||
    code === 'versionNotSupported' ||
    code === 'handshakeTimedOut' ||
    code === 'startIsSlow' ||
    code === 'agentUnreachable' ||
    (code === 'agentNotStarted' && logTail === undefined);
  if (!isCommandWrong) return showLog();
  if (spec.source === 'settings') return { kind: 'openSettings', label: l10n.t('Open settings') };
  return { kind: 'addAgent', label: l10n.t('Add Agent…') };
}

function showLog(): Fix {
  return { kind: 'showLog', label: l10n.t('Show log') };
}

/** Resolves when the agent has reported its account, has no way to, or is late. */
function reportedAccount(
  { agent }: AgentLease,
  schedule: AgentCheckOptions['schedule'],
  signal: AbortSignal,
): Promise<void> {
  if (agent.can?.authStatus !== true || agent.account.text !== '' || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      timer.dispose();
      heard.dispose();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = schedule(accountTimeout, over);
    const heard = agent.account.onDidChange(over);
    signal.addEventListener('abort', over);
  });
}
