import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReviewLog } from '../../review/log/reviewLog';
import { waitingChanges, type WaitingChanges } from '../../review/shown/changedFiles';
import type { IDisposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { AgentId, SessionId, SessionKey } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import type { Act } from '../base/actions';
import { commandTable } from '../base/feature';
import { folderToAsk, workspaceRoots } from '../base/folders';
import { logInTo } from '../login/logInTo';
import { ChatPage } from '../pages/chatPage';
import { inSession, type Handlers } from '../pages/handlers';
import { forkOrBranch } from '../sessions/branch/forkSession';
import { showError, showInformation, showWarning } from '../ui/notifications';
import type { WordIndex } from '../sessions/stored/wordIndex';
import { AgentMarks } from './agentMarks';
import { ConversationSearch } from './conversationSearch';
import { sessionMark } from './sessionMark';
import type { Deletions } from '../sessions/end/deletions';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { ownWorkspace } from './openElsewhere';
import { renameSession, renameTo } from './renameSession';
import { RowActions } from './rowActions';
import { SessionFeed, type FeedSources } from './sessionFeed';
import { shareSessions } from './shareSessions';
import { useFolder, type SessionAction } from './useFolder';

/** What the list of sessions needs besides what changing one needs. */
export interface SessionListNeeds extends Omit<KnownSessionServices, 'marks'> {
  readonly branches: FeedSources['branches'];
  readonly tries: FeedSources['tries'];
  readonly words: WordIndex;
  readonly changes: ReviewLog;
  readonly memory: vscode.Memento;
  readonly deletions: Deletions;
  readonly act: Act<'reviewWorktree' | SessionAction>;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
}

type ListMessage =
  | 'watchSessions'
  | 'watchRecent'
  | 'openRow'
  | 'changeRows'
  | 'bringChanges'
  | 'reviewWorktree'
  | 'exportRow'
  | 'renameRow'
  | 'renameSession'
  | 'undoDelete'
  | 'askAgentList'
  | 'searchSessions'
  | 'useFolder';

/** The list of sessions, and what can be done with the session used last. */
export function sessionListFeature(needs: SessionListNeeds) {
  const { pool, pages, catalog, sessions, branches } = needs;
  const marks = new AgentMarks(needs.memory);
  const services = { ...needs, marks };
  const changes = new CountedChanges(needs.changes);
  const feed = new SessionFeed({
    pool,
    catalog,
    sessions,
    marks,
    board: needs.board,
    branches,
    changes,
    tries: needs.tries,
    folders: () => (workspaceRoots().length > 0 ? workspaceRoots() : [folderToAsk()]),
    isTrusted: () => vscode.workspace.isTrusted,
  });
  const search = new ConversationSearch({ pool, sessions, words: needs.words });
  const actions = new RowActions(services, feed, needs.schedule, needs.deletions);
  // A page that was closed or loaded anew has no list.
  const listening = [
    pages.onDidLoad((page) => {
      feed.unwatch(page);
      feed.unwatchRecent(page);
    }),
    feed.onDidLook(() => void needs.words.update()),
    feed.onDidClose(() => search.end()),
    shareSessions({ pool, sessions, branches, changes, board: needs.board, workspace: ownWorkspace }),
    // Another window asks for one of these sessions.
    needs.board.onDidAsk((key) => {
      if (pool.sessions.some((session) => session.key === key)) void pages.withPage((page) => page.show(key));
      else void showInformation(l10n.t('The session was closed in this window. Open it from the list of sessions.'));
    }),
    pages.onDidChange(() => feed.keep((page) => !(page instanceof ChatPage) || pages.all.includes(page))),
  ];
  const inWords = (work: Promise<unknown>) => void work.catch((error: unknown) => showError(messageOf(error)));

  inWords(actions.finishEarlier());

  /** Shows the open session that is so many places after the active one, in the order of the tabs. */
  const step = async (by: 1 | -1) => {
    const { sessions } = pool;
    const shown = pages.activeSession;
    // From the last session, the next one is the first. From the start page, it is the first or the last one.
    const at = shown ? sessions.indexOf(shown) : by === 1 ? -1 : 0;
    const session = sessions[(at + by + sessions.length) % sessions.length];
    if (!session) return;
    await pages.withPage((page) => {
      page.show(session.key);
      page.post({ type: 'focusComposer' });
    });
  };

  const askAgent = (agent: AgentId, logsIn: boolean) => {
    const spec = logsIn ? needs.catalog.find(agent) : undefined;
    if (spec) inWords(logInTo(needs, spec));
    else feed.ask(agent);
  };

  const openSession = async () => {
    await sessions.flush();
    await Promise.all([sessions.look(), needs.board.look()]);
    const { SessionPicker } = await import('./sessionPicker');
    new SessionPicker(feed, {
      open: (id) => inWords(actions.open(id)),
      ask: ({ agentId, state }) => askAgent(agentId, state === 'login'),
    });
  };

  const known = (): KnownSession | undefined => {
    const session = pages.activeSession;
    if (!session) return undefined;
    const { agentId, agentName, sessionId, title } = session.transcript.view;
    return { key: session.key, agentId, agentName, sessionId, title };
  };

  const fork = async () => {
    const session = pages.activeSession;
    if (!session) return;
    try {
      const { key } = await forkOrBranch(pool, session);
      await pages.withPage((page) => page.show(key));
    } catch (error) {
      void showWarning(messageOf(error));
    }
  };

  const commands = commandTable({
    'parley.showSessions': () => pages.withPage((page) => page.post({ type: 'showSessions' })),
    'parley.openSession': openSession,
    'parley.nextSession': () => step(1),
    'parley.previousSession': () => step(-1),
    'parley.closeSession': () => pages.activeSession?.close(),
    'parley.renameSession': async () => {
      const session = known();
      if (session) await renameSession(services, session);
    },
    'parley.deleteSession': () => {
      const session = known();
      if (session) inWords(actions.deleteWithNotice(session));
    },
    'parley.forkSession': fork,
    'parley.exportSession': async (format) => {
      const session = pages.activeSession;
      if (!session) return;
      const { exportTranscript } = await import('./exportSession');
      await exportTranscript(session.transcript, format);
    },
  });
  const messages: Handlers<ListMessage> = {
    watchSessions: (page, { isOn }) => (isOn ? feed.watch(page) : feed.unwatch(page)),
    watchRecent: (page, { isOn }) => (isOn ? feed.watchRecent(page) : feed.unwatchRecent(page)),
    openRow: (page, { id, entry }) => inWords(actions.open(id, page, entry)),
    changeRows: (_page, { ids, change }) => inWords(actions.change(ids, change)),
    reviewWorktree: (_page, { session }) => inWords(needs.act('reviewWorktree', session)),
    bringChanges: (_page, { session }) => inWords(needs.act('bringChanges', session)),
    exportRow: (_page, { session }) =>
      inWords(import('./exportSession').then(({ exportStored }) => exportStored(services, session))),
    renameRow: (_page, { id, title }) => inWords(actions.rename(id, title)),
    renameSession: inSession(({ key, transcript: { view } }, { title }) =>
      inWords(renameTo(services, { key, ...view }, title)),
    ),
    undoDelete: () => actions.undoDelete(),
    askAgentList: (_page, { agent, logsIn }) => askAgent(agent, logsIn),
    searchSessions: (page, { text }) => search.find(page, text),
    useFolder: inSession(({ key, transcript }, { action }) =>
      inWords(useFolder(needs.act, transcript.view.cwd, action, key)),
    ),
  };
  return {
    messages,
    commands,
    flushNow: () => actions.finishNow(),
    /** Hides a session that only its agent stores. */
    hide: (agent: AgentId, id: SessionId) => marks.set(sessionMark(agent, id), { isHidden: true }),
    dispose: () => {
      for (const one of [...listening, search, actions, feed, changes]) one.dispose();
    },
  };
}

/** The changes that wait for review by session, counted when they are asked for. */
class CountedChanges implements IDisposable {
  private readonly log: ReviewLog;
  private readonly changed = new Emitter<void>();
  private readonly listening: IDisposable;
  private counted: ReadonlyMap<SessionKey, WaitingChanges> | undefined;
  readonly onDidChange = this.changed.event;

  constructor(log: ReviewLog) {
    this.log = log;
    this.listening = log.onDidChange(() => {
      this.counted = undefined;
      this.changed.fire();
    });
  }

  of(session: SessionKey): WaitingChanges | undefined {
    return (this.counted ??= waitingChanges(this.log)).get(session);
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }
}
