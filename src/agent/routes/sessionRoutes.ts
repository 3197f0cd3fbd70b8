import { decodeSessionId } from '../../acp/decode/decodeClient';
import { decodeSubagent } from '../../acp/decode/decodeSubagent';
import { invalidParams } from '../../acp/base/errors';
import { asObject } from '../../shared/values/decodeValue';
import type { TerminalService } from '../../session/services';
import type { Session } from '../../session/session';
import type { SessionId } from '../../shared/values/ids';
import { HeldUpdates, type HeldLimit } from './heldUpdates';
import { SessionTerminals, type TerminalPlace } from './sessionTerminals';

/** The destination of messages for one session id. */
export interface SessionRoute {
  readonly session: Session;
  readonly terminals: SessionTerminals;
  /** While the session is replayed: returns what to show of an update. */
  replay?: ((update: unknown) => readonly unknown[]) | undefined;
  /** Set for the session of a subagent, which is shown in `session`. */
  readonly child?: ChildRoute;
}

/** The session of a subagent. */
export interface ChildRoute {
  readonly sessionId: SessionId;
  /** The session that announced it. */
  readonly by: SessionId;
  readonly place: TerminalPlace;
}

/** Maximum held for sessions that were not requested by id, while any session is being opened. */
const heldLimit: HeldLimit = { updates: 5000, bytes: 64 * 1024 * 1024 };
/** Maximum held otherwise, for the first updates of a subagent that is about to be announced. */
const earlyLimit: HeldLimit = { updates: 200, bytes: 8 * 1024 * 1024 };
/** Maximum for a session that is being opened, whose replay may be long. */
const replayLimit: HeldLimit = { updates: Number.POSITIVE_INFINITY, bytes: 512 * 1024 * 1024 };
/** How long a request with an unknown session id waits for a subagent's announcement, in milliseconds. */
const announcementMs = 1000;

/**
 * The sessions of one connection by the agent's ids. Agents send updates about sessions before the response that
 * contains their id, so updates are held while any session is being opened. Sessions of subagents are announced in an
 * update of their parent session and never requested (https://agentclientprotocol.com/rfds/subagents).
 */
export class SessionRoutes {
  private readonly routes = new Map<SessionId, SessionRoute>();
  private readonly opening = new Map<SessionRoute, SessionId | undefined>();
  private readonly held = new HeldUpdates();
  private readonly reported = new Set<string>();
  /** Wake the requests that wait for announcements. */
  private readonly wakers = new Set<() => void>();
  private readonly terminals: TerminalService;
  private readonly note: (text: string) => void;

  constructor(terminals: TerminalService, note: (text: string) => void) {
    this.terminals = terminals;
    this.note = note;
  }

  get sessions(): readonly Session[] {
    return [...this.routes.values()].flatMap(({ session, child }) => (child ? [] : [session]));
  }

  /**
   * Call before a session is opened, with its id if it is an existing one; `settle` must follow. With `replay`, what it
   * returns of each update is shown as it arrives.
   */
  begin(session: Session, sessionId: SessionId | undefined, replay?: SessionRoute['replay']): SessionRoute {
    const route: SessionRoute = { session, terminals: new SessionTerminals(session, this.terminals), replay };
    this.opening.set(route, sessionId);
    if (replay && sessionId !== undefined) {
      this.removeTree(sessionId);
      this.routes.set(sessionId, route);
    }
    return route;
  }

  /**
   * Ends the opening. With an id, keeps the route and returns the updates that arrived for it; without one, closes the
   * route.
   */
  settle(route: SessionRoute, sessionId: SessionId | undefined): readonly unknown[] {
    const expected = this.opening.get(route);
    this.opening.delete(route);
    const updates = sessionId === undefined ? [] : this.held.take(sessionId);
    if (sessionId === undefined) {
      // The next attempt begins with a replay of its own.
      if (expected !== undefined && !this.isExpected(expected)) this.held.take(expected);
      if (expected !== undefined && this.routes.get(expected) === route) this.removeTree(expected);
      route.terminals.dispose();
    } else if (this.routes.get(sessionId) === route) {
      route.replay = undefined;
    } else {
      this.removeTree(sessionId);
      this.routes.set(sessionId, route);
    }
    if (this.opening.size === 0) this.shrinkHeld(earlyLimit);
    return updates;
  }

  /** Returns the updates that wait for a session that is being opened. */
  heldOf(sessionId: SessionId): readonly unknown[] {
    return this.held.of(sessionId);
  }

  idOf(session: Session): SessionId | undefined {
    for (const [id, route] of this.routes) if (route.session === session && !route.child) return id;
    return undefined;
  }

  /** Whether another session has this id, or is being opened with it. Two would receive each other's messages. */
  isTaken(sessionId: SessionId, by: Session): boolean {
    const open = this.routes.get(sessionId);
    if (open && open.session !== by) return true;
    for (const [route, id] of this.opening) if (id === sessionId && route.session !== by) return true;
    return false;
  }

  /** Returns the open session with this id; none of a subagent. */
  sessionOf(sessionId: SessionId): Session | undefined {
    const route = this.routes.get(sessionId);
    return route?.child ? undefined : route?.session;
  }

  /** Removes a session and its subagents, and ends their terminals. */
  remove(session: Session): void {
    const id = this.idOf(session);
    if (id !== undefined) this.removeTree(id);
  }

  removeAll(): void {
    for (const route of [...this.routes.values(), ...this.opening.keys()]) route.terminals.dispose();
    this.routes.clear();
    this.shrinkHeld({ updates: 0, bytes: 0 });
    for (const wake of this.wakers) wake();
  }

  /** Handles `session/update`. Never throws; updates for unknown sessions are noted once and dropped. */
  update(params: unknown, normalized: (update: unknown) => unknown): void {
    const object = asObject(params);
    const sessionId = object?.['sessionId'];
    if (!object || typeof sessionId !== 'string') {
      this.report('', 'An update without a session id was ignored.');
      return;
    }
    const update = normalized(object['update']);
    const route = this.routes.get(sessionId as SessionId);
    if (route) {
      for (const shown of route.replay?.(update) ?? [update]) this.deliver(sessionId as SessionId, shown);
    } else if (!this.held.add(sessionId as SessionId, update, this.limitOf(sessionId as SessionId))) {
      this.report(sessionId, `Updates for the unknown session ${sessionId} are ignored.`);
    } else if (this.opening.size === 0) {
      this.report(sessionId, `Updates for the session ${sessionId} are held until its parent session is announced.`);
    }
  }

  /**
   * Delivers an update to the open session with this id, together with held updates of a subagent that it announces.
   */
  deliver(sessionId: SessionId | undefined, update: unknown): void {
    const route = sessionId === undefined ? undefined : this.routes.get(sessionId);
    if (sessionId === undefined || !route) return;
    const announced = decodeSubagent(update);
    if (!announced) {
      route.session.agentSide.handleUpdate(update, route.child?.sessionId);
      return;
    }
    const child = this.childFor(route.session, sessionId, announced.sessionId);
    if (!child) {
      this.report(
        announced.sessionId,
        `The session ${sessionId} announced a session that isn't its subagent. This was ignored.`,
      );
      return;
    }
    const { cwd } = announced.fields;
    if (cwd !== undefined) child.place.cwd = cwd === '' ? undefined : cwd;
    route.session.agentSide.handleUpdate(update, route.child?.sessionId);
    for (const early of this.held.take(announced.sessionId)) this.deliver(announced.sessionId, early);
  }

  /** Returns the session of an agent's request; throws the error for the agent if there is none. */
  find(params: unknown): SessionRoute {
    const sessionId = decodeSessionId(params);
    const route = this.routes.get(sessionId);
    if (route) return route;
    // The agent may need a file before it answers `session/new`, and then only one session can be meant.
    const [only, ...others] = this.opening.keys();
    if (only && others.length === 0) return only;
    throw invalidParams(`Unknown session: ${sessionId}`, { sessionId });
  }

  /**
   * Serves a request in its session: immediately if the session is known, otherwise when a subagent with that id is
   * announced within a short time. Rejects with the errors of `find`.
   */
  async serve<T>(params: unknown, serve: (route: SessionRoute) => T | Promise<T>): Promise<T> {
    const sessionId = decodeSessionId(params);
    const until = Date.now() + announcementMs;
    while (!this.routes.has(sessionId) && this.opening.size === 0 && this.routes.size > 0) {
      const left = until - Date.now();
      if (left <= 0) break;
      await this.nextAnnouncement(left);
    }
    return serve(this.find(params));
  }

  private nextAnnouncement(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, patienceMs);
      this.wakers.add(wake);
    });
  }

  /**
   * Returns the route of a subagent that `by` announces, now or before; undefined if the session isn't its own to
   * announce.
   */
  private childFor(session: Session, by: SessionId, sessionId: SessionId): ChildRoute | undefined {
    const known = this.routes.get(sessionId);
    if (known) return known.child?.by === by ? known.child : undefined;
    if (this.isExpected(sessionId)) return undefined;
    const child: ChildRoute = { sessionId, by, place: { cwd: undefined } };
    const terminals = new SessionTerminals(session, this.terminals, child.place);
    this.routes.set(sessionId, { session, terminals, child });
    for (const wake of this.wakers) wake();
    return child;
  }

  /** Removes a session with the subagents that it announced. */
  private removeTree(sessionId: SessionId): void {
    this.routes.get(sessionId)?.terminals.dispose();
    this.routes.delete(sessionId);
    for (const [id, { child }] of this.routes) if (child?.by === sessionId) this.removeTree(id);
  }

  private isExpected(sessionId: SessionId): boolean {
    for (const expected of this.opening.values()) if (expected === sessionId) return true;
    return false;
  }

  /** A replay may be long, but updates for unknown sessions must not exhaust the memory. */
  private limitOf(sessionId: SessionId): HeldLimit {
    if (this.isExpected(sessionId)) return replayLimit;
    return this.opening.size > 0 ? heldLimit : earlyLimit;
  }

  private shrinkHeld(limit: HeldLimit): void {
    for (const sessionId of this.held.shrink(limit)) {
      this.report(sessionId, `Updates for the unknown session ${sessionId} were dropped.`);
    }
  }

  private report(sessionId: string, text: string): void {
    // There may be many unknown sessions with thousands of updates.
    if (this.reported.has(sessionId) || this.reported.size >= 100) return;
    this.reported.add(sessionId);
    this.note(text);
  }
}
