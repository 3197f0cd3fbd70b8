import type { Session } from '../../session/session';
import { listedState } from '../../session/transcript/listedState';
import type { SessionKey } from '../../shared/values/ids';
import { lateWorkOf } from '../../shared/transcript/lateWork';
import type { SessionListing } from '../../shared/pages/messages';
import type { Transcript } from '../../shared/transcript/transcript';
import type { TabState } from '../pages/tabLook';
import type { NotifyWhen } from '../settings/settingTable';

/** What the user may want to hear about while not looking. */
export type AttentionKind = 'request' | 'turnEnd' | 'failure';

/** What is known about a session. */
export interface SessionFacts {
  readonly key: SessionKey;
  readonly agentName: string;
  readonly title: string;
  readonly state: 'idle' | 'starting' | 'running' | 'waiting';
  /** No turn is running, but work that an earlier one started continues. */
  readonly worksLate: boolean;
  /** Number of open requests. */
  readonly requests: number;
  /** The conversation ends with an error card. */
  readonly isFailed: boolean;
  readonly endedTurns: Session['endedTurns'];
}

/** What the user looks at. */
export interface Sight {
  /** The sessions that visible chat pages show. */
  readonly visible: ReadonlySet<SessionKey>;
  /** Whether the window has the focus. */
  readonly isFocused: boolean;
}

export interface AttentionEvent {
  readonly kind: AttentionKind;
  readonly session: SessionFacts;
}

/** What is shown outside the chat pages. */
export interface AttentionState {
  /** The sessions of the status bar item, oldest first: those that wait out of sight, or else those that run there. */
  readonly status: { readonly kind: 'waiting' | 'running'; readonly sessions: readonly SessionFacts[] } | undefined;
  /** Number of open requests out of sight. */
  readonly requests: number;
  readonly tabs: ReadonlyMap<SessionKey, TabState>;
  /** What has just happened while the user wasn't looking at the session. */
  readonly events: readonly AttentionEvent[];
}

type KnownSession = Pick<Session, 'key' | 'transcript' | 'openRequests' | 'endedTurns'>;

export function factsOf({ key, transcript, openRequests, endedTurns }: KnownSession): SessionFacts {
  const { agentName, title } = transcript.view;
  const last = transcript.order.at(-1);
  return {
    key,
    agentName,
    title,
    state: stateOf(transcript, openRequests),
    // The end of a command that its agent left in the background isn't reported, so it would be shown for ever.
    worksLate: lateWorkOf(transcript.view).some(({ kind }) => kind !== 'background'),
    requests: openRequests,
    isFailed: last !== undefined && transcript.entries.get(last)?.kind === 'error',
    endedTurns,
  };
}

function stateOf(transcript: Transcript, requests: number): SessionFacts['state'] {
  const listed: SessionListing['state'] = listedState(transcript);
  if (requests > 0) return 'waiting';
  if (transcript.view.activity.state === 'running') return 'running';
  return listed === 'starting' ? 'starting' : 'idle';
}

/** Returns whether an event is told with this setting. */
export function isWanted(when: NotifyWhen, isFocused: boolean): boolean {
  return when === 'always' || (when === 'whenUnfocused' && !isFocused);
}

/**
 * Turns the states of all sessions, and what the user looks at, into what is shown outside the chat pages. A session
 * causes an event only when something in it changes: not when it is first seen, and so not when it was restored, and
 * not for a second request while it waits.
 */
export class AttentionModel {
  private before = new Map<SessionKey, SessionFacts>();
  /** Sessions whose turn has ended and that no visible page has shown since. */
  private readonly unread = new Set<SessionKey>();

  update(sessions: readonly SessionFacts[], { visible, isFocused }: Sight): AttentionState {
    const events: AttentionEvent[] = [];
    for (const session of sessions) {
      const kind = this.changeOf(session);
      if (kind !== undefined && !(isFocused && visible.has(session.key))) events.push({ kind, session });
      if (kind === 'turnEnd' || kind === 'failure') this.unread.add(session.key);
      if (session.state !== 'idle') this.unread.delete(session.key);
    }
    this.before = new Map(sessions.map((session) => [session.key, session]));
    for (const key of this.unread) if (visible.has(key) || !this.before.has(key)) this.unread.delete(key);
    const hidden = sessions.filter(({ key }) => !visible.has(key));
    const waiting = hidden.filter(({ state }) => state === 'waiting');
    const running = hidden.filter(({ state, worksLate }) => state === 'running' || (state === 'idle' && worksLate));
    return {
      status:
        waiting.length > 0
          ? { kind: 'waiting', sessions: waiting }
          : running.length > 0
            ? { kind: 'running', sessions: running }
            : undefined,
      requests: waiting.reduce((sum, { requests }) => sum + requests, 0),
      tabs: new Map(sessions.map((session) => [session.key, this.tabOf(session)])),
      events,
    };
  }

  /** Returns what has happened to a session since the last update. */
  private changeOf({ key, state, isFailed, endedTurns }: SessionFacts): AttentionKind | undefined {
    const was = this.before.get(key);
    if (!was) return undefined;
    if (state === 'waiting') return was.state === 'waiting' ? undefined : 'request';
    // While queued messages follow, or an agent starts again, nothing has come to an end.
    if (state !== 'idle') return undefined;
    if (isFailed && !was.isFailed) return 'failure';
    if (endedTurns.count === was.endedTurns.count) return undefined;
    if (endedTurns.last === 'completed') return 'turnEnd';
    return endedTurns.last === 'stopped' ? undefined : 'failure';
  }

  private tabOf({ key, state, isFailed, worksLate }: SessionFacts): TabState {
    if (state === 'waiting') return 'waiting';
    if (state === 'running' || state === 'starting') return 'running';
    if (isFailed) return 'failed';
    if (this.unread.has(key)) return 'unread';
    return worksLate ? 'running' : 'idle';
  }
}
