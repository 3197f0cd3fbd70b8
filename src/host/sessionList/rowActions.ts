import { isAuthRequired, isConnectionClosed } from '../../acp/base/errors';
import type { Agent } from '../../agent/connection/agent';
import { deleteSession as requestDeletion } from '../../agent/connection/sessionRequests';
import type { AgentLease } from '../../agent/pool/agentLease';
import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import { Disposable, type IDisposable } from '../../shared/values/disposable';
import { messageOf } from '../../shared/values/messageOf';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import type { RowChange } from '../../shared/pages/sessionRows';
import { rowTitle } from '../../shared/pages/sessionRowWords';
import { offerLogin } from '../login/withLogin';
import { withRunningAgent } from '../agents/withRunningAgent';
import { SerialQueue } from '../base/serialQueue';
import { showInformation, showWarning } from '../ui/notifications';
import type { ChatPage } from '../pages/chatPage';
import { archivedWithoutAgent, archiveSession } from './archiveSession';
import { deleteSession } from './deleteSession';
import type { WorktreeEnd } from '../sessions/end/worktreeEnd';
import type { Deletion, Deletions } from '../sessions/end/deletions';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { openElsewhere } from './openElsewhere';
import { openStored } from './openStored';
import { renameTo } from './renameSession';
import type { RowTarget, SessionFeed } from './sessionFeed';
import { agentRowId, ownRowId } from './sessionRows';
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
  private readonly deletions: Deletions;
  /** Agents that are being told about deletions of earlier windows. */
  private readonly telling = new Set<Deletion>();
  /** The sessions that are deleted when the user can no longer bring them back. */
  private doomed: readonly RowTarget[] = [];
  /** What happens to their worktrees then. */
  private ends: readonly WorktreeEnd[] = [];
  private readonly finishing = new SerialQueue();
  private timer: IDisposable | undefined;
  /** Agents that delete their copies then, and run until they are told. */
  private awaited: readonly AgentLease[] = [];

  constructor(services: KnownSessionServices, feed: SessionFeed, schedule: Schedule, deletions: Deletions) {
    super();
    this.services = services;
    this.feed = feed;
    this.schedule = schedule;
    this.deletions = deletions;
    this.register(services.pool.onDidStartAgent(() => void this.tellAgents()));
    this.register(deletions.onDidLeave(() => void this.finishEarlier()));
    this.register({ dispose: () => this.timer?.dispose() });
    this.register({ dispose: () => this.release() });
  }

  /** Shows a session on a page, or else on the one used last, at an entry if one is given. */
  async open(id: string, page?: ChatPage, entry?: EntryId): Promise<void> {
    const show = async (session: SessionKey) => {
      const present = (one: ChatPage) => {
        one.show(session);
        if (entry !== undefined) one.post({ type: 'revealEntry', session, entry });
      };
      if (page) present(page);
      else await this.services.pages.withPage(present);
    };
    const target = this.feed.find(id);
    // It may have been closed in another window since the list was shown.
    if (!target) throw new Error(l10n.t('This session isn’t listed anymore. Open the list again to see where it is.'));
    const { key, listed, elsewhere } = target;
    if (key !== undefined) await openStored(this.services, { ...target, key }, show);
    else if (elsewhere !== undefined) await openElsewhere(this.services.board, elsewhere);
    else if (listed) await show(openListedSession(this.services.pool, listed.spec, listed.session).key);
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
    const ends = isEnd ? await this.services.worktrees.beforeEnd(keys, change) : [];
    if (!ends) return;
    switch (change) {
      case 'pin':
      case 'unpin':
        for (const target of targets) await pinSession(this.services, target, change === 'pin');
        break;
      case 'archive':
      case 'unarchive':
        for (const target of targets) await this.archive(target, change === 'archive');
        await this.services.worktrees.end(ends, keys);
        break;
      case 'close':
        for (const target of targets) this.close(target);
        break;
      case 'delete':
        this.delete(ids, targets, ends);
    }
    this.feed.changed();
  }

  /** Deletes a session outside the list. A notice offers to bring it back; closing the notice ends that. */
  async deleteWithNotice(session: KnownSession): Promise<void> {
    const { key } = session;
    if (this.isElsewhere(session)) return;
    const ends = await this.services.worktrees.beforeEnd(key === undefined ? [] : [key], 'delete');
    if (!ends) return;
    const targets = [session];
    const wasOpen = this.services.pool.sessions.some((one) => one.key === key);
    this.delete([rowIdOf(session)], targets, ends);
    const undo = l10n.t('Undo');
    const answer = await showInformation(l10n.t('Deleted “{0}”', rowTitle(session)), undo);
    if (this.doomed !== targets) {
      if (answer === undo) void showInformation(l10n.t('“{0}” can’t be brought back any more.', rowTitle(session)));
    } else if (answer === undo) {
      this.undoDelete();
      // A session without a message isn't stored.
      const isStored = wasOpen && key !== undefined && (await this.services.sessions.read(key)) !== undefined;
      if (isStored) await openStored(this.services, { ...session, key });
    } else await this.finish();
  }

  /** Brings back the sessions that were deleted last. They are closed. */
  undoDelete(): void {
    this.timer?.dispose();
    this.release();
    void this.deletions.drop(this.doomed);
    this.doomed = [];
    this.ends = [];
    this.feed.unhide();
  }

  /**
   * Removes what is stored of deleted sessions now, because the window closes. Agents that run are told, but may not hear it:
   * the next window tells them again.
   */
  finishNow(): void {
    for (const { key, agentId, sessionId } of this.doomed) {
      if (key !== undefined) this.services.sessions.forget(key);
      const lease = this.awaited.find(({ spec }) => spec.id === agentId);
      if (lease && sessionId !== '') void requestDeletion(lease.agent, sessionId).catch(() => undefined);
    }
    this.doomed = [];
  }

  /** Finishes the deletions of windows that closed before they could. */
  finishEarlier(): Promise<void> {
    // A window that closes asks for it while the start of this one does: each would find the same deletions.
    return this.finishing.run('', () => this.finishEarlierNow());
  }

  private async finishEarlierNow(): Promise<void> {
    for (const target of await this.deletions.takeOver()) {
      const { key, agentId, sessionId } = target;
      this.close(target);
      if (key !== undefined) await this.services.sessions.delete(key);
      if (sessionId !== '') await this.services.marks.set(sessionMark(agentId, sessionId), hidden);
      if (target.worktrees) {
        // Another session may work there.
        await this.services.sessions.look();
        await this.services.worktrees.end(target.worktrees, []);
      }
      if (sessionId === '' || !target.isInAgent) await this.deletions.drop([target]);
      else if (target.worktrees) await this.deletions.add([{ ...knownOf(target), isInAgent: true }]);
    }
    this.feed.changed();
    await this.tellAgents();
  }

  private isElsewhere({ key, elsewhere }: RowTarget): boolean {
    if (elsewhere !== undefined) return true;
    return this.services.sessions.stored.some((listing) => listing.key === key && listing.isElsewhere === true);
  }

  private close({ key }: RowTarget): void {
    this.services.pool.sessions.find((session) => session.key === key)?.close();
  }

  private async archive(target: KnownSession, isArchived: boolean): Promise<void> {
    const { agentId, agentName } = target;
    const ask = await archiveSession(this.services, target, isArchived);
    if (ask) {
      const title = archivedWithoutAgent(agentName, rowTitle(target), isArchived);
      void offerLogin(this.services, { agentId, agentName, title }, ask)
        .catch((error: unknown) => showWarning(messageOf(error)))
        .then(() => this.feed.changed(target));
    }
    this.feed.changed(target);
  }

  private delete(ids: readonly string[], targets: readonly RowTarget[], ends: readonly WorktreeEnd[]): void {
    // What was deleted before can't be brought back any more: the notice is about these.
    void this.finish();
    if (targets.length === 0) return;
    this.awaited = this.leaseDeleting(targets);
    const isInAgent = ({ agentId }: RowTarget) => this.awaited.some(({ spec }) => spec.id === agentId);
    void this.deletions.add(
      targets.map((target, at) => ({
        ...knownOf(target),
        isInAgent: isInAgent(target),
        // The last one, so that all are deleted by then.
        ...(at === targets.length - 1 && ends.length > 0 ? { worktrees: ends } : {}),
      })),
    );
    for (const target of targets) this.close(target);
    this.doomed = targets;
    this.ends = ends;
    this.feed.hide(ids);
    this.timer = this.schedule(undoMs, () => void this.finish());
  }

  /** Leases the running agents that can delete some of these sessions. */
  private leaseDeleting(targets: readonly RowTarget[]): readonly AgentLease[] {
    const leases = this.services.pool.leaseRunning();
    const isNeeded = ({ spec, agent: { can } }: AgentLease) =>
      can?.delete === true && targets.some(({ agentId }) => agentId === spec.id);
    for (const lease of leases) if (!isNeeded(lease)) lease.dispose();
    return leases.filter(isNeeded);
  }

  private release(): void {
    for (const lease of this.awaited) lease.dispose();
    this.awaited = [];
  }

  /** Tells the agents that run about sessions that were deleted in an earlier window. */
  private async tellAgents(): Promise<void> {
    const isEarlier = (one: Deletion) => !this.doomed.some((target) => rowIdOf(target) === rowIdOf(one));
    for (const one of this.deletions.all.filter(isEarlier)) {
      if (this.telling.has(one)) continue;
      this.telling.add(one);
      await withRunningAgent(this.services.pool, one.agentId, (agent) => this.tell(agent, one));
      this.telling.delete(one);
    }
  }

  private async tell(agent: Agent | undefined, one: Deletion): Promise<void> {
    const { agentId, sessionId } = one;
    if (agent?.can?.delete !== true || sessionId === '') return;
    try {
      await requestDeletion(agent, sessionId);
      await this.services.marks.set(sessionMark(agentId, sessionId), { isHidden: false });
    } catch (error) {
      // It's told when it runs the next time. Another refusal is its last word, and the session stays hidden.
      if (isAuthRequired(error) || isConnectionClosed(error)) return;
    }
    await this.deletions.drop([one]);
  }

  private async finish(): Promise<void> {
    this.timer?.dispose();
    const targets = this.doomed;
    const { ends } = this;
    const leases = this.awaited;
    this.awaited = [];
    this.doomed = [];
    this.ends = [];
    for (const target of targets) {
      // Opened again by another page in the meantime.
      if (this.services.pool.sessions.some(({ key }) => key === target.key)) continue;
      await deleteSession(this.services, target).catch((error: unknown) => {
        void showWarning(l10n.t('Couldn’t delete “{0}”: {1}', rowTitle(target), messageOf(error)));
      });
    }
    for (const lease of leases) lease.dispose();
    await this.services.worktrees.end(ends, []);
    void this.deletions.drop(targets);
    for (const agentId of new Set(targets.map((target) => target.agentId))) this.feed.askAgain(agentId);
    if (this.doomed.length === 0) this.feed.unhide();
  }
}

/** Marks of a session that is no longer listed. */
const hidden = { isPinned: false, isArchived: false, isHidden: true };

function knownOf({ key, agentId, agentName, sessionId, title }: KnownSession): KnownSession {
  return { ...compact({ key }), agentId, agentName, sessionId, title };
}

function rowIdOf({ key, agentId, sessionId }: KnownSession): string {
  return key === undefined ? agentRowId(agentId, sessionId) : ownRowId(key);
}

/** Pins or unpins a session, so that it stays at the top of the list. */
async function pinSession(
  { sessions, marks }: Pick<KnownSessionServices, 'sessions' | 'marks'>,
  { key, agentId, sessionId }: KnownSession,
  isPinned: boolean,
): Promise<void> {
  if (key === undefined) await marks.set(sessionMark(agentId, sessionId), { isPinned });
  else await sessions.pin(key, isPinned);
}
