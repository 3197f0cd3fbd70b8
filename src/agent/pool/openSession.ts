import * as l10n from '@vscode/l10n';
import {
  ConnectionClosedError,
  errorCodes,
  isAuthRequired,
  isResourceNotFound,
  ResponseError,
} from '../../acp/base/errors';
import type { InitialOption, OpenMethod } from '../../acp/shape/openingSetup';
import { FailureError, sessionNotReopened } from '../../session/failures';
import type { NoticeText, Session } from '../../session/session';
import type { SessionId } from '../../shared/values/ids';
import { abortable } from '../base/abortable';
import type { Agent } from '../connection/agent';
import type { AgentSpec } from '../spec/agentSpec';
import type { AgentPoolOptions } from './poolParts';
import { folderOn, isElsewhere, remoteNotices } from '../remote/remoteFolder';
import { setupNotices, systemPromptFor, type SessionSetup, type SetupNotice } from '../connection/sessionSetup';

/** The pool's data about a session to open. */
interface Opening {
  readonly spec: AgentSpec;
  readonly cwd: string;
  /** The session to fork, until the fork has its own id. */
  readonly forkOf: SessionId | undefined;
  /** The user continues in a new session. */
  readonly startsFresh: boolean;
  /** The session moved to another folder, and continues there in any case. */
  readonly hasMoved?: boolean;
  readonly slot: { readonly notices: readonly SetupNotice[] } | undefined;
}

/**
 * Opens a session in an agent that has answered `initialize`: as a new session, or reopened as well as the agent can. A
 * notice in the session reports the user's settings that the agent didn't receive. Settles as `Agent.openSession` does.
 */
export async function openInAgent(
  session: Session,
  agent: Agent,
  { spec, cwd, forkOf, startsFresh, hasMoved, slot }: Opening,
  { prepareSession: prepare, wantedOptions }: Pick<AgentPoolOptions, 'prepareSession' | 'wantedOptions'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { can } = agent;
  const gone = new AbortController();
  const listening = agent.onDidExit(() => gone.abort(new ConnectionClosedError()));
  const either = AbortSignal.any([signal, gone.signal]);
  const { sessionId } = session.transcript.view;
  const isNew = sessionId === '' && forkOf === undefined;
  const preparing = prepare
    ? abortable(prepare(session, spec, can, either, isNew), either)
    : Promise.resolve(undefined);
  const found = await preparing.finally(() => listening.dispose());
  agent.hide(found?.secrets ?? []);
  const systemPrompt = systemPromptFor(spec, can);
  const servers = found?.mcpServers ?? [];
  // A program of this machine can't be started by an agent on another one.
  const leftHere = isElsewhere(spec) ? servers.filter((server) => 'command' in server) : [];
  const place = {
    cwd: folderOn(spec, cwd),
    additionalDirectories: isElsewhere(spec) ? [] : (found?.additionalDirectories ?? []),
  };
  const initial = isNew && wantedOptions ? await firstValues(session, agent, place, wantedOptions, signal) : [];
  const setup: SessionSetup = {
    ...place,
    mcpServers: servers.filter((server) => !leftHere.some((one) => one === server)),
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(found?.kept ? { kept: found.kept } : {}),
    ...(initial.length > 0 ? { initialOptions: initial } : {}),
  };
  let remembers = true;
  if (sessionId === '' && forkOf !== undefined) {
    // The conversation is already shown as the fork's, so a session without it isn't an alternative.
    await agent.openSession(session, { method: 'fork', sessionId: forkOf }, setup, signal);
  } else {
    const isShown = session.replay.hasConversation;
    const ways = startsFresh ? [] : waysOf(sessionId, agent, isShown, spec.url !== undefined);
    const opened = await reopen(
      session,
      agent,
      setup,
      { ways, isShown, mayForget: isShown && hasMoved === true },
      signal,
    );
    remembers = opened.remembers;
    if (opened.way === 'resume' && !isShown) addNoticeOnce(session, agent, notRepeated(spec.name));
  }
  const skipped = leftHere.map(({ name }) => ({ name, reason: l10n.t('{0} is on another machine', spec.name) }));
  const left = setupNotices(spec, can, setup, [...(found?.skipped ?? []), ...skipped]);
  const remote = remoteNotices(spec, can);
  const notices: SetupNotice[] = [...remote, ...(slot?.notices ?? []), ...(found?.notices ?? []), ...left];
  for (const notice of notices) {
    addNoticeOnce(session, agent, notice);
    if (notice.wantsLogin !== true) continue;
    // Only once: sessions opened after the login don't need another.
    notice.wantsLogin = false;
    session.login.ask();
  }
  return remembers;
}

/** Returns the values that the user wants a new session to start with, if its agent can tell what there is. */
async function firstValues(
  session: Session,
  agent: Agent,
  place: Pick<SessionSetup, 'cwd' | 'additionalDirectories'>,
  wanted: NonNullable<AgentPoolOptions['wantedOptions']>,
  signal: AbortSignal,
): Promise<readonly InitialOption[]> {
  if (!agent.can?.sessionOptions) return [];
  try {
    return wanted(session, await agent.askSessionOptions(place, signal));
  } catch (error) {
    // The session gets them after it is open.
    if (signal.aborted || !(error instanceof ResponseError)) throw error;
    agent.traffic.note('The agent did not say which options a session would start with.');
    return [];
  }
}

/** Returns the methods to reopen a session, best first. */
function waysOf(sessionId: SessionId | '', { can, quirks }: Agent, isShown: boolean, isRemote: boolean): OpenMethod[] {
  if (sessionId === '') return [];
  const ways: OpenMethod[] = [];
  if (can?.resume) ways.push({ method: 'resume', sessionId });
  const load: OpenMethod = { method: 'load', sessionId };
  // A conversation that isn't shown is best replayed by the agent. A remote agent may have continued without us.
  if (can?.loadSession)
    ways.splice(isShown && !isRemote ? ways.length : 0, 0, load, ...(quirks.loadsLate ? [load] : []));
  return ways;
}

/** How to reopen a session. */
interface Reopening {
  /** Best first. */
  readonly ways: readonly OpenMethod[];
  /** The conversation is shown. */
  readonly isShown: boolean;
  /** A new session follows any refusal. */
  readonly mayForget: boolean;
}

async function reopen(
  session: Session,
  agent: Agent,
  setup: SessionSetup,
  { ways, isShown, mayForget }: Reopening,
  signal: AbortSignal,
): Promise<{ readonly way: OpenMethod['method']; readonly remembers: boolean }> {
  const refusals: ResponseError<unknown>[] = [];
  for (const way of ways) {
    try {
      const remembers = await agent.openSession(session, way, setup, signal);
      return { way: way.method, remembers };
    } catch (error) {
      if (signal.aborted || !(error instanceof ResponseError) || isAuthRequired(error)) throw error;
      agent.traffic.note(`The session couldn't be reopened with ${way.method}.`);
      refusals.push(error);
    }
  }
  // An agent without the method says nothing about the session.
  const reasons = refusals.filter(({ code }) => code !== errorCodes.methodNotFound);
  const [reason = refusals[0]] = reasons.filter((error) => !isResourceNotFound(error));
  const isLost = reasons.length > 0 && reasons.every(isResourceNotFound);
  // A user who opens one of the agent's own sessions wants that session and no other. Any error but "not found" may
  // pass, and then the session is still there: only the user can give it up.
  if (reason && !(isLost && isShown) && !mayForget) {
    const { agentName } = session.transcript.view;
    throw new FailureError(sessionNotReopened(agentName, reason, agent.logTail()));
  }
  const remembers = await agent.openSession(session, { method: 'new' }, setup, signal);
  return { way: 'new', remembers };
}

function notRepeated(agent: string): NoticeText {
  const description = l10n.t('{0} remembers them but doesn’t send them again.', agent);
  return { severity: 'info', title: l10n.t('Earlier messages aren’t available'), description };
}

/** Adds the notice unless the transcript already has it, because sessions are opened repeatedly. */
function addNoticeOnce(session: Session, agent: Agent, { severity, title, description = '' }: NoticeText): void {
  const shown = { severity, title, description: agent.redact(description) };
  for (const entry of session.transcript.entries.values()) {
    if (entry.kind === 'notice' && entry.title === shown.title && entry.description === shown.description) return;
  }
  session.addNotice(shown);
}
