import { copyAround } from '../../git/copyPlaces';
import type { Session } from '../../session/session';
import { DisposableStore, type IDisposable } from '../../shared/values/disposable';
import { Coalesced } from '../base/coalesce';
import type { WindowBoard } from '../sessions/stored/windowBoard';
import type { WindowNote } from '../sessions/stored/windowNote';
import { RequestWatch } from './requestWatch';
import type { FeedSources } from './sessionFeed';
import { sessionRows } from './sessionRows';

/** What a window's sessions are described from. */
export interface SharedSources extends Pick<FeedSources, 'pool' | 'sessions' | 'branches' | 'changes'> {
  readonly board: Pick<WindowBoard, 'post'>;
  /** The window's workspace now. */
  readonly workspace: () => Omit<WindowNote, 'rows'>;
}

/** How long after a change the other windows are told, in milliseconds. */
const delayMs = 300;

/** Keeps the user's other windows informed about the open sessions of this one. */
export function shareSessions({ pool, sessions, branches, changes, board, workspace }: SharedSources): IDisposable {
  const store = new DisposableStore();
  const post = () => {
    const rows = sessionRows({
      live: pool.sessions.filter(hasBegun),
      stored: sessions.stored,
      lists: [],
      others: [],
      deleted: new Set(),
      markOf: () => undefined,
      branchOf: (cwd) => branches.of(cwd)?.branch,
      canBringFrom: () => false,
      hasWorktree: () => false,
      isCopy: (cwd) => copyAround(cwd) !== undefined,
      changesOf: (session) => changes.of(session),
      // Another window is of another folder, and has none of the tasks.
      isThisFolder: () => false,
      taskOf: () => undefined,
    });
    void board.post({ ...workspace(), rows: rows.filter(({ place }) => place === 'here') });
  };
  const soon = new Coalesced(post, delayMs);
  store.add(soon);
  store.add(new RequestWatch(pool, () => soon.request()));
  store.add(branches.onDidChange(() => soon.request()));
  store.add(changes.onDidChange(() => soon.request()));
  if (pool.sessions.length > 0) soon.request();
  return store;
}

/** A session without a message is of no interest elsewhere, unless it waits for the user. */
function hasBegun({ transcript: { order, view } }: Session): boolean {
  return order.length + view.queue.length > 0 || view.activity.state !== 'idle' || view.connection.state === 'login';
}
