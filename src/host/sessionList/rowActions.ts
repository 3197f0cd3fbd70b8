import type { Agent } from '../../agent/connection/agent';
import { deleteSession as tellDeleted } from '../../agent/connection/sessionRequests';
import { isAuthRequired, readableError } from '../../acp/base/errors';
import * as l10n from '@vscode/l10n';
import { Disposable, type IDisposable } from '../../shared/disposable';
import { messageOf } from '../../shared/messageOf';
import type { EntryId } from '../../shared/ids';
import type { RowChange } from '../../shared/sessionRows';
import { rowTitle } from '../../shared/sessionRowWords';
import { withRunningAgent } from '../agents/withRunningAgent';
import { showWarning } from '../ui/notifications';
import type { ChatPage } from '../pages/chatPage';
import { archivedWithoutAgent, archiveSession } from './archiveSession';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { openElsewhere } from './openElsewhere';
import { openStored } from './openStored';
import { pinSession } from './pinSession';
import { renameTo } from './renameSession';
import type { RowTarget, SessionFeed } from './sessionFeed';
import { sessionMark } from './sessionMark';
import { openListedSession } from './openListedSession';

/** How long deleted sessions can be brought back, in milliseconds. */
export const undoMs = 20_000;

/** Runs an action after a while, unless disposed. */
type Schedule = (ms: number, action: () => void) => IDisposable;

/**
 * What the user does with rows of the list of sessions. Parley's own part works with every agent. Agents that can rename,
 * archive, or delete sessions do it as well if they are running.
 */
export class RowActions extends Disposable {
  private readonly services: KnownSessionServices;
  private readonly feed: SessionFeed;
  private readonly schedule: Schedule;
  /** The sessions that are deleted when the user can no longer bring them back. */
  private doomed: readonly RowTarget[] = [];
  /** What happens to their worktrees then. */
  private afterDeletion = () => Promise.resolve();
  private timer: IDisposable | undefined;

  constructor(services: KnownSessionServices, feed: SessionFeed, schedule: Schedule) {
    super();
    this.services = services;
    this.feed = feed;
    this.schedule = schedule;
    this.register({ dispose: () => this.timer?.dispose() });
  }

  /** Shows a session on a page, at an entry if one is given. */
  async open(page: ChatPage, id: string, entry?: EntryId): Promise<void> {
    const target = this.feed.find(id);
    if (!target) return;
    const { key, listed, elsewhere } = target;
    if (key !== undefined) {
      await openStored(this.services, { ...target, key }, (session) => {
        page.show(session);
        if (entry !== undefined) page.post({ type: 'revealEntry', session, entry });
      });
    } else if (elsewhere !== undefined) await openElsewhere(this.services.board, elsewhere);
    else if (listed) page.show(openListedSession(this.services.pool, listed.spec, listed.session).key);
  }

  async rename(id: string, title: string): Promise<void> {
    const target = this.feed.find(id);
    if (!target) return;
    await renameTo(this.services, target, title);
    this.feed.changed(target);
  }

  /** Changes rows. Those of other windows stay as they are. */
  async change(ids: readonly string[], change: RowChange): Promise<void> {
    const targets = ids.flatMap((id) => this.feed.find(id) ?? []).filter((target) => !this.isElsewhere(target));
    const keys = targets.flatMap(({ key }) => key ?? []);
    const isEnd = change === 'archive' || change === 'delete';
    const after = isEnd ? await this.services.worktrees.beforeEnd(keys, change) : () => Promise.resolve();
    if (!after) return;
    switch (change) {
      case 'pin':
      case 'unpin':
        for (const target of targets) await pinSession(this.services, target, change === 'pin');
        break;
      case 'archive':
      case 'unarchive':
        for (const target of targets) await this.archive(target, change === 'archive');
        await after();
        break;
      case 'close':
        for (const target of targets) this.close(target);
        break;
      case 'delete':
        this.delete(ids, targets, after);
    }
    this.feed.changed();
  }

  /** Brings back the sessions that were deleted last. They are closed. */
  undoDelete(): void {
    this.timer?.dispose();
    this.doomed = [];
    this.afterDeletion = () => Promise.resolve();
    this.feed.unhide();
  }

  /** Removes what is stored of deleted sessions now, because the window closes. Agents aren't told any more. */
  finishNow(): void {
    for (const { key } of this.doomed) if (key !== undefined) this.services.sessions.forget(key);
    this.doomed = [];
  }

  private isElsewhere({ key, elsewhere }: RowTarget): boolean {
    if (elsewhere !== undefined) return true;
    return this.services.sessions.stored.some((listing) => listing.key === key && listing.isElsewhere === true);
  }

  private close({ key }: RowTarget): void {
    this.services.pool.sessions.find((session) => session.key === key)?.close();
  }

  private async archive(target: KnownSession, isArchived: boolean): Promise<void> {
    const needsLogin = await archiveSession(this.services, target, isArchived);
    if (needsLogin) void showWarning(archivedWithoutAgent(target.agentName, rowTitle(target), isArchived));
    this.feed.changed(target);
  }

  private delete(ids: readonly string[], targets: readonly RowTarget[], after: () => Promise<void>): void {
    // What was deleted before can't be brought back any more: the notice is about these.
    void this.finish();
    if (targets.length === 0) return;
    for (const target of targets) this.close(target);
    this.doomed = targets;
    this.afterDeletion = after;
    this.feed.hide(ids);
    this.timer = this.schedule(undoMs, () => void this.finish());
  }

  private async finish(): Promise<void> {
    this.timer?.dispose();
    const targets = this.doomed;
    const after = this.afterDeletion;
    this.doomed = [];
    this.afterDeletion = () => Promise.resolve();
    for (const target of targets) {
      await this.deleteForGood(target).catch((error: unknown) => {
        void showWarning(l10n.t('Couldn’t delete “{0}”: {1}', rowTitle(target), messageOf(error)));
      });
    }
    await after();
    if (this.doomed.length === 0) this.feed.unhide();
  }

  private async deleteForGood({ key, agentId, agentName, sessionId }: RowTarget): Promise<void> {
    // Opened again by another page in the meantime.
    if (this.services.pool.sessions.some((session) => session.key === key)) return;
    await withRunningAgent(this.services.pool, agentId, async (agent) => {
      if (key !== undefined) await this.services.sessions.delete(key);
      if (sessionId === '') return;
      const words = (reason: string) => l10n.t('{0} couldn’t delete its copy of the session: {1}', agentName, reason);
      const isGone = agent?.can?.delete === true && (await tell(agent, words, () => tellDeleted(agent, sessionId)));
      // Otherwise, the agent would list it again.
      await this.services.marks.set(sessionMark(agentId, sessionId), {
        isPinned: false,
        isArchived: false,
        isHidden: !isGone,
      });
    });
  }
}

/** Tells an agent something. If that fails, the user sees why. Returns whether it succeeded. */
async function tell(agent: Agent, words: (reason: string) => string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const reason = isAuthRequired(error) ? l10n.t('it needs you to log in.') : readableError(error).message;
    void showWarning(words(agent.redact(reason)));
    return false;
  }
}
