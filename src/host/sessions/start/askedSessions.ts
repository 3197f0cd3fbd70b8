import * as l10n from '@vscode/l10n';
import { placeOf } from '../../../agent/remote/remoteFolder';
import type { AgentSpec } from '../../../agent/spec/agentSpec';
import type { Session } from '../../../session/session';
import { lastAnswer } from '../../../session/transcript/lastAnswer';
import { sessionWork } from '../../../session/transcript/sessionWork';
import type { Schedule } from '../../../session/turn/stopWait';
import { titleOf } from '../../../session/update/title';
import { Disposable, DisposableStore } from '../../../shared/values/disposable';
import type { Event } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import type { AskingSession } from '../../../shared/transcript/transcript';
import { ToolProblem, type AgentAsker, type SessionAnswer } from '../../ide/tool';

/** How many sessions can be above one that an agent started. So two agents that ask each other come to an end. */
const deepest = 2;
/** How many sessions that agents started can be open below one of the user. Only the user can close them. */
const mostOpen = 5;
/** How long a call waits for an answer, in milliseconds. Many agents end calls after a minute. */
const patienceMs = 45_000;

/** What sessions that agents start need of the window. */
export interface AskingWindow {
  readonly pool: { readonly sessions: readonly Session[]; readonly onDidChangeSessions: Event<void> };
  readonly catalog: { readonly all: readonly AgentSpec[] };
  /** Opens a session in the folder of another one, held at least to its sandbox. Returns undefined if agents can't start here. */
  createSession(spec: AgentSpec, like: Session): Session | undefined;
  readonly schedule: Schedule;
}

/**
 * Sessions that agents start with other agents. Each is an ordinary session in the folders of the one that started it, with requests,
 * changes, and costs of its own.
 */
export class AskedSessions extends Disposable implements AgentAsker {
  private readonly window: AskingWindow;
  /** The number of turns of each session whose ends were seen. */
  private readonly seen = new WeakMap<Session, number>();
  /** Sessions whose agents are gone in the middle of a turn, and what they asked for is stopped. */
  private readonly gone = new WeakSet<Session>();
  /** The sessions that were open at the last look. */
  private open: ReadonlySet<SessionKey> = new Set();

  constructor(window: AskingWindow) {
    super();
    this.window = window;
    this.register(window.pool.onDidChangeSessions(() => this.stopWithAsking()));
  }

  /** The user's own agents. The tour agent isn't one that they chose. */
  get agents(): readonly string[] {
    const own = this.window.catalog.all.filter(({ source }) => source !== 'builtin');
    return [...new Set(own.map(({ name }) => name))];
  }

  check(asking: SessionKey): void {
    this.linkTo(this.sessionOf(asking));
  }

  start(asking: SessionKey, agent: string, prompt: string): SessionKey {
    const from = this.sessionOf(asking);
    const askedBy = this.linkTo(from);
    const { window } = this;
    const spec = window.catalog.all.find(({ name, source }) => name === agent && source !== 'builtin');
    const { agentName, additionalDirectories, sandbox = 'off' } = from.transcript.view;
    if (spec && sandbox !== 'off' && placeOf(spec) !== 'here') {
      throw new ToolProblem(`${agent} is on another machine, so it can't be in the sandbox of this session.`);
    }
    const session = spec && window.createSession(spec, from);
    if (!session) throw new ToolProblem(`${agent} can't be started now.`);
    session.setAskedBy(askedBy, additionalDirectories);
    session.addNotice({
      severity: 'info',
      title: l10n.t('Started by {0}', agentName),
      description: l10n.t('The first message is from the session “{0}”, not from you.', askedBy.title),
      opens: asking,
    });
    from.addNotice({
      severity: 'info',
      title: l10n.t('{0} started a session with {1}', agentName, agent),
      opens: session.key,
    });
    // The first line says who asks, so no command of the agent can be at the beginning either.
    session.rename(titleOf(prompt), 'agent');
    session.sendPrompt(`This message is from ${agentName}, another agent, and not from the user.\n\n${prompt}`);
    return session.key;
  }

  async answerOf(asking: SessionKey, started: string, signal: AbortSignal): Promise<SessionAnswer> {
    const session = this.window.pool.sessions.find(({ key }) => key === started);
    if (session?.transcript.view.askedBy?.session !== asking) {
      throw new ToolProblem(
        "This session isn't open, or you didn't start it. Use a session that startSession returned.",
      );
    }
    await this.untilAnswered(session, signal);
    return answerIn(session);
  }

  private sessionOf(key: SessionKey): Session {
    const session = this.window.pool.sessions.find((one) => one.key === key);
    if (!session) throw new ToolProblem('This session is closed.');
    return session;
  }

  /** Returns the link to a session from one that it starts. Throws if it can't start one. */
  private linkTo({ key, transcript }: Session): AskingSession {
    const { askedBy, title, agentName } = transcript.view;
    const first = askedBy?.first ?? key;
    const depth = (askedBy?.depth ?? 0) + 1;
    if (depth > deepest) {
      throw new ToolProblem('Agents asked agents too many times in a row. Do this yourself.');
    }
    const open = this.window.pool.sessions.filter((one) => one.transcript.view.askedBy?.first === first);
    if (open.length >= mostOpen) {
      throw new ToolProblem(
        `At most ${mostOpen} sessions that agents started can be open. Do this yourself, or ask the user to close one.`,
      );
    }
    return { session: key, title: title === '' ? agentName : title, depth, first };
  }

  private untilAnswered(session: Session, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = new DisposableStore();
      const end = () => {
        signal.removeEventListener('abort', end);
        waiting.dispose();
        resolve();
      };
      const look = () => {
        if (session.isClosed || isAnswered(session)) end();
      };
      waiting.add(this.window.pool.onDidChangeSessions(look));
      waiting.add(this.window.schedule(patienceMs, end));
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      else look();
    });
  }

  /**
   * A user who stops a turn, or closes a session, also stops what its agent asked others to do, as long as they work on that. So does an agent that
   * is no longer there to hear the answers.
   */
  private stopWithAsking(): void {
    const { sessions } = this.window.pool;
    const over = new Set([...this.open].filter((key) => !sessions.some((session) => session.key === key)));
    this.open = new Set(sessions.map(({ key }) => key));
    for (const session of sessions) {
      const { count, last } = session.endedTurns;
      const isNew = count !== (this.seen.get(session) ?? 0);
      this.seen.set(session, count);
      if (isNew && last === 'stopped') over.add(session.key);
      const isGone = count > 0 && last !== 'completed' && session.transcript.view.connection.state === 'closed';
      if (isGone && !this.gone.has(session)) over.add(session.key);
      if (isGone) this.gone.add(session);
      else this.gone.delete(session);
    }
    for (const other of sessions) {
      const { askedBy } = other.transcript.view;
      const isAtIt = other.endedTurns.count === 0 && !isAnswered(other);
      if (askedBy && isAtIt && over.has(askedBy.session)) other.cancel();
    }
  }
}

function answerIn(session: Session): SessionAnswer {
  const { transcript } = session;
  const text = lastAnswer(transcript);
  if (session.isClosed) return { state: 'closed', text };
  if (session.openRequests > 0) return { state: 'waitsForUser', text: '' };
  if (!isAnswered(session)) return { state: 'running', text: '' };
  const { last = 'completed' } = session.endedTurns;
  if (last === 'completed' || last === 'stopped') return { state: last, text };
  return { state: 'failed', text: sessionWork(transcript).words ?? text };
}

/** Returns whether a session doesn't work on its message any more. */
function isAnswered({ transcript, queue, endedTurns }: Session): boolean {
  const { state } = sessionWork(transcript);
  if ((state !== 'idle' && state !== 'failed') || !queue.isEmpty) return false;
  // A session whose agent has just started is idle for a moment, before it gets the message.
  return endedTurns.count > 0 || transcript.view.connection.state === 'closed' || lastAnswer(transcript) !== '';
}
