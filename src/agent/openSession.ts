import * as l10n from '@vscode/l10n';
import { ConnectionClosedError, isAuthRequired, ResponseError } from '../acp/errors';
import type { OpenMethod } from '../acp/openingSetup';
import type { NoticeText, Session } from '../session/session';
import type { SessionId } from '../shared/ids';
import { abortable } from './abortable';
import type { Agent } from './agent';
import type { AgentSpec } from './agentSpec';
import {
  setupNotices,
  systemPromptFor,
  type PrepareSession,
  type SessionSetup,
  type SetupNotice,
} from './sessionSetup';

/** The id of a session that is there already; undefined when the agent is to make one, and names it. */
export function knownIdOf(how: OpenMethod): SessionId | undefined {
  return how.method === 'resume' || how.method === 'load' ? how.sessionId : undefined;
}

/** What the pool knows of a session that is to be opened. */
interface Opening {
  readonly spec: AgentSpec;
  readonly cwd: string;
  /** The session that it begins as, until it has an id of its own. */
  readonly forkOf: SessionId | undefined;
  readonly slot: { readonly notices: readonly SetupNotice[] } | undefined;
}

/**
 * Opens a session in an agent that has introduced itself: anew, or as well as the agent can where it was; what of the user's settings the
 * agent was not given is told in the session. Rejects as `Agent.openSession` does.
 */
export async function openInAgent(
  session: Session,
  agent: Agent,
  { spec, cwd, forkOf, slot }: Opening,
  prepare: PrepareSession | undefined,
  signal: AbortSignal,
): Promise<void> {
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
  const setup: SessionSetup = {
    cwd,
    additionalDirectories: found?.additionalDirectories ?? [],
    mcpServers: found?.mcpServers ?? [],
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(found?.kept ? { kept: found.kept } : {}),
  };
  if (sessionId === '' && forkOf !== undefined) {
    // What is shown is said to be there: a session that knows nothing of it would not do.
    await agent.openSession(session, { method: 'fork', sessionId: forkOf }, setup, signal);
  } else {
    const isShown = session.hasConversation;
    const ways = waysOf(sessionId, agent, isShown);
    const way = await reopen(session, agent, setup, ways, isShown, signal);
    if (way === 'resume' && !isShown) tell(session, agent, notRepeated(spec.name));
  }
  const left = setupNotices(spec, can, setup, found?.skipped ?? []);
  const notices: SetupNotice[] = [...(slot?.notices ?? []), ...(found?.notices ?? []), ...left];
  for (const notice of notices) {
    tell(session, agent, notice);
    if (notice.wantsLogin !== true) continue;
    // Once: sessions that are opened after the login need none.
    notice.wantsLogin = false;
    session.askLogin();
  }
}

/** The ways to take up a session that has been open before, the best first. */
function waysOf(sessionId: SessionId | '', { can, quirks }: Agent, isShown: boolean): OpenMethod[] {
  if (sessionId === '') return [];
  const ways: OpenMethod[] = [];
  if (can?.resume) ways.push({ method: 'resume', sessionId });
  const load: OpenMethod = { method: 'load', sessionId };
  // What is not shown here is best told by the agent.
  if (can?.loadSession) ways.splice(isShown ? ways.length : 0, 0, load, ...(quirks.loadsLate ? [load] : []));
  return ways;
}

async function reopen(
  session: Session,
  agent: Agent,
  setup: SessionSetup,
  ways: readonly OpenMethod[],
  isShown: boolean,
  signal: AbortSignal,
): Promise<OpenMethod['method']> {
  let refusal: ResponseError<unknown> | undefined;
  for (const way of ways) {
    try {
      await agent.openSession(session, way, setup, signal);
      return way.method;
    } catch (error) {
      if (signal.aborted || !(error instanceof ResponseError) || isAuthRequired(error)) throw error;
      agent.traffic.note(`The session couldn't be reopened with ${way.method}.`);
      refusal = error;
    }
  }
  // Somebody who opens a session of the agent's own wants that one, and no other.
  if (refusal && !isShown) throw refusal;
  await agent.openSession(session, { method: 'new' }, setup, signal);
  return 'new';
}

function notRepeated(agent: string): NoticeText {
  const description = l10n.t('{0} remembers them but doesn’t send them again.', agent);
  return { severity: 'info', title: l10n.t('Earlier messages aren’t available'), description };
}

/** Says it unless it stands there already: sessions are opened again and again. */
function tell(session: Session, agent: Agent, { severity, title, description = '' }: NoticeText): void {
  const shown = { severity, title, description: agent.redact(description) };
  for (const entry of session.transcript.entries.values()) {
    if (entry.kind === 'notice' && entry.title === shown.title && entry.description === shown.description) return;
  }
  session.addNotice(shown);
}
