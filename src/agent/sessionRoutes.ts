import { decodeSessionId } from '../acp/decodeClient';
import { invalidParams } from '../acp/errors';
import { asObject } from '../acp/decodeValue';
import type { TerminalService } from '../session/services';
import type { Session } from '../session/session';
import type { SessionId } from '../shared/ids';
import { SessionTerminals } from './sessionTerminals';

/** Where messages for one session id go. */
export interface SessionRoute {
  readonly session: Session;
  readonly terminals: SessionTerminals;
}

/** At most this many updates wait for sessions that nobody has asked for by name. */
const heldLimit = 5000;

/**
 * The sessions of one connection by the agent's ids. Agents speak of sessions before they have named them in an answer:
 * their updates are held while any session is being opened.
 */
export class SessionRoutes {
  private readonly routes = new Map<SessionId, SessionRoute>();
  private readonly opening = new Map<SessionRoute, SessionId | undefined>();
  private readonly held = new Map<SessionId, unknown[]>();
  private heldCount = 0;
  private readonly reported = new Set<string>();
  private readonly terminals: TerminalService;
  private readonly note: (text: string) => void;

  constructor(terminals: TerminalService, note: (text: string) => void) {
    this.terminals = terminals;
    this.note = note;
  }

  get sessions(): readonly Session[] {
    return [...this.routes.values()].map(({ session }) => session);
  }

  /** A session is about to be opened, with this id if it is an old one; `settle` must follow. */
  begin(session: Session, sessionId: SessionId | undefined): SessionRoute {
    const route = { session, terminals: new SessionTerminals(session, this.terminals) };
    this.opening.set(route, sessionId);
    return route;
  }

  /**
   * The opening has ended. With an id the route is kept, and the updates that came for it are returned; without one the
   * route is closed.
   */
  settle(route: SessionRoute, sessionId: SessionId | undefined): readonly unknown[] {
    this.opening.delete(route);
    const updates = sessionId === undefined ? [] : (this.held.get(sessionId) ?? []);
    if (sessionId === undefined) {
      route.terminals.dispose();
    } else {
      this.held.delete(sessionId);
      this.routes.get(sessionId)?.terminals.dispose();
      this.routes.set(sessionId, route);
    }
    if (this.opening.size === 0) this.dropHeld();
    return updates;
  }

  /** How many updates wait for a session that is being opened. */
  heldOf(sessionId: SessionId): number {
    return this.held.get(sessionId)?.length ?? 0;
  }

  idOf(session: Session): SessionId | undefined {
    for (const [id, route] of this.routes) if (route.session === session) return id;
    return undefined;
  }

  /** Forgets a session and ends its terminals. */
  remove(session: Session): void {
    const id = this.idOf(session);
    if (id === undefined) return;
    this.routes.get(id)?.terminals.dispose();
    this.routes.delete(id);
  }

  removeAll(): void {
    for (const route of [...this.routes.values(), ...this.opening.keys()]) route.terminals.dispose();
    this.routes.clear();
    this.dropHeld();
  }

  /** `session/update`. Never throws; updates for sessions nobody knows are noted once and dropped. */
  update(params: unknown, straightened: (update: unknown) => unknown): void {
    const object = asObject(params);
    const sessionId = object?.['sessionId'];
    if (!object || typeof sessionId !== 'string') {
      this.report('', 'An update without a session id was ignored.');
      return;
    }
    const route = this.routes.get(sessionId as SessionId);
    const update = straightened(object['update']);
    if (route) {
      route.session.handleUpdate(update);
    } else if (this.holds(sessionId as SessionId)) {
      const list = this.held.get(sessionId as SessionId);
      if (list) list.push(update);
      else this.held.set(sessionId as SessionId, [update]);
    } else {
      this.report(sessionId, `Updates for the unknown session ${sessionId} are ignored.`);
    }
  }

  /** The session a request of the agent's is about; throws what the agent is to be told when there is none. */
  find(params: unknown): SessionRoute {
    const sessionId = decodeSessionId(params);
    const route = this.routes.get(sessionId);
    if (route) return route;
    // The agent may need a file before it answers `session/new`, and then only one session can be meant.
    const [only, ...others] = this.opening.keys();
    if (only && others.length === 0) return only;
    throw invalidParams(`Unknown session: ${sessionId}`, { sessionId });
  }

  /** A replay may be long; what comes for unknown sessions must not fill the memory. */
  private holds(sessionId: SessionId): boolean {
    if (this.opening.size === 0) return false;
    for (const expected of this.opening.values()) if (expected === sessionId) return true;
    this.heldCount += 1;
    return this.heldCount <= heldLimit;
  }

  private dropHeld(): void {
    for (const sessionId of this.held.keys()) {
      this.report(sessionId, `Updates for the unknown session ${sessionId} were dropped.`);
    }
    this.held.clear();
    this.heldCount = 0;
  }

  private report(sessionId: string, text: string): void {
    // Child sessions come in numbers, and their updates in thousands.
    if (this.reported.has(sessionId) || this.reported.size >= 100) return;
    this.reported.add(sessionId);
    this.note(text);
  }
}
