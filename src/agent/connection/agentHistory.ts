import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathKey } from '../../disk/paths';
import type { ListedSession, SessionPage } from '../../acp/decode/decodeSessions';
import type { SessionId } from '../../shared/values/ids';
import { spellingsOf } from './spelledPaths';

/** Requests one page of the sessions in a folder. */
export type AskPage = (cwd: string, cursor: string | undefined, signal: AbortSignal) => Promise<SessionPage>;

/** The progress of listing one folder. */
interface FolderList {
  readonly cwd: string;
  /** Undefined before the first page. Opaque: sent back unchanged and never stored. */
  cursor: string | undefined;
  readonly seen: Set<string>;
  isDone: boolean;
}

/**
 * An agent's own sessions in some folders, as far as their pages were requested
 * (https://agentclientprotocol.com/protocol/session-list).
 */
export class AgentHistory {
  private readonly ask: AskPage;
  private readonly keyOf: (folder: string) => string;
  private readonly lists: readonly FolderList[];
  private readonly found = new Map<SessionId, ListedSession>();

  /** `cwds` are absolute. */
  constructor(cwds: readonly string[], ask: AskPage, platform: NodeJS.Platform = process.platform) {
    this.ask = ask;
    this.keyOf = (folder) => pathKey(resolve(folder), platform);
    const spelled = [...new Set(cwds.flatMap((cwd) => spellingsOf(cwd, platform)))];
    this.lists = spelled.map((cwd) => ({ cwd, cursor: undefined, seen: new Set(), isDone: false }));
  }

  /** Each session once: page by page, and in a page folder by folder. */
  get sessions(): readonly ListedSession[] {
    return [...this.found.values()];
  }

  get hasMore(): boolean {
    return this.lists.some(({ isDone }) => !isDone);
  }

  /** Fetches the next page of every folder that has one. Rejects as requests do; the pages that arrived stay. */
  async more(signal: AbortSignal): Promise<void> {
    const asked = this.lists.filter(({ isDone }) => !isDone).map((list) => this.page(list, signal));
    // Folder by folder, whichever answers first, so that a list looks the same each time.
    const pages = await Promise.allSettled(asked);
    for (const page of pages) if (page.status === 'fulfilled') page.value();
    for (const page of pages) if (page.status === 'rejected') throw page.reason;
  }

  /** Fetches a page. Calling the result adds it. */
  private async page(list: FolderList, signal: AbortSignal): Promise<() => void> {
    const [{ sessions, nextCursor }, real] = await Promise.all([
      this.ask(list.cwd, list.cursor, signal),
      realpath(list.cwd).catch(() => list.cwd),
    ]);
    const folders = new Set([list.cwd, real].map(this.keyOf));
    return () => {
      for (const session of sessions) {
        // Some agents ignore the requested folder. Others report it as the system does: with links resolved, such as
        // `/private/tmp` for `/tmp` on macOS, or with another case of the drive letter.
        if (folders.has(this.keyOf(session.cwd)) && !this.found.has(session.sessionId)) {
          this.found.set(session.sessionId, session);
        }
      }
      // A repeated cursor would never end.
      list.isDone = nextCursor === undefined || list.seen.has(nextCursor);
      if (nextCursor === undefined) return;
      list.seen.add(nextCursor);
      list.cursor = nextCursor;
    };
  }
}
