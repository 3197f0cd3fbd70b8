import { resolve } from 'node:path';
import type { ListedSession, SessionPage } from '../acp/decodeSessions';
import type { SessionId } from '../shared/ids';

/** Asks for one page of the sessions in a folder. */
type AskPage = (cwd: string, cursor: string | undefined, signal: AbortSignal) => Promise<SessionPage>;

/** How far the list of one folder has come. */
interface FolderList {
  readonly cwd: string;
  /** Undefined before the first page. Opaque: handed back as it came, and never kept. */
  cursor: string | undefined;
  readonly seen: Set<string>;
  isDone: boolean;
}

/** An agent's own sessions in some folders, as far as they were asked for (https://agentclientprotocol.com/protocol/session-list). */
export class AgentHistory {
  private readonly ask: AskPage;
  private readonly lists: readonly FolderList[];
  private readonly found = new Map<SessionId, ListedSession>();

  /** `cwds`: absolute. */
  constructor(cwds: readonly string[], ask: AskPage) {
    this.ask = ask;
    this.lists = cwds.map((cwd) => ({ cwd, cursor: undefined, seen: new Set(), isDone: false }));
  }

  /** Each once, in the order in which they came. */
  get sessions(): readonly ListedSession[] {
    return [...this.found.values()];
  }

  get hasMore(): boolean {
    return this.lists.some(({ isDone }) => !isDone);
  }

  /** Fetches the next page of every folder that has one. Rejects as requests do; what came before stays. */
  async more(signal: AbortSignal): Promise<void> {
    await Promise.all(this.lists.filter(({ isDone }) => !isDone).map((list) => this.page(list, signal)));
  }

  private async page(list: FolderList, signal: AbortSignal): Promise<void> {
    const { sessions, nextCursor } = await this.ask(list.cwd, list.cursor, signal);
    for (const session of sessions) {
      // Some agents do not look at the folder that they are asked for.
      if (resolve(session.cwd) === resolve(list.cwd) && !this.found.has(session.sessionId)) {
        this.found.set(session.sessionId, session);
      }
    }
    // A cursor that comes back would never end.
    list.isDone = nextCursor === undefined || list.seen.has(nextCursor);
    if (nextCursor === undefined) return;
    list.seen.add(nextCursor);
    list.cursor = nextCursor;
  }
}
