import { lateWorkOf } from '../../shared/transcript/lateWork';
import { toolDetails } from '../../shared/pages/messages';
import { nextMode } from '../../shared/permissions/modes';
import { DisposableStore } from '../../shared/values/disposable';
import { actionTable, commandTable, joinTables } from '../base/feature';
import type { ChatPages } from '../pages/chatPages';
import type { Settings } from '../settings/settings';
import type { HostTerminals } from '../terminals/terminalService';
import { DiffContent } from './diffContent';
import { openWalkthrough, showKeys } from './editorActions';
import { editorMessages } from './editorMessages';
import { FoundPaths } from './foundPaths';
import { sessionMessages, type SessionMessageServices } from './sessionMessages';
import { terminalMessages } from './terminalMessages';
import type { Session } from '../../session/session';

export interface ChatNeeds extends SessionMessageServices {
  readonly pages: ChatPages;
  readonly terminals: HostTerminals;
  readonly settings: Settings;
}

/** The conversation with an agent: what its page asks for, and the same for the session used last as commands. */
export function chatFeature(needs: ChatNeeds) {
  const { pool, pages, terminals, settings, choices, log } = needs;
  const parts = new DisposableStore();
  parts.add(new DiffContent((key) => pool.sessions.find((session) => session.key === key)));
  const paths = parts.add(new FoundPaths((message) => pages.broadcast(message)));

  /** Focuses a waiting request: its group, never an option. Shows the request's session first if another is visible. */
  const answerRequest = async () => {
    const waits = (session: (typeof pool.sessions)[number]) =>
      session.transcript.view.activity.state === 'requires_action';
    const active = pages.activeSession;
    const session = active && waits(active) ? active : pool.sessions.find(waits);
    if (session) await pages.withSession(session.key, (page) => page.post({ type: 'focusRequest' }));
  };

  /** Stops the running turn, or else what earlier turns started. Behind the list of sessions, shows the session instead. */
  const cancelTurn = async () => {
    const session = pages.activeSession;
    if (!session) return;
    if (pages.isActiveCovered) return pages.withPage((page) => page.show(session.key));
    const isIdle = session.transcript.view.activity.state === 'idle';
    if (isIdle && lateWorkOf(session.transcript.view).length > 0) session.work.stopLate();
    else session.cancel();
  };

  /** Switches to the next mode. The chat announces it once the agent has set it. */
  const cycleMode = async () => {
    const session = pages.activeSession;
    const next = session && nextMode(session.transcript.view.configOptions);
    if (!next) return;
    const { configId, value } = next;
    if (await session.setConfigOption(configId, value)) choices.remember(session, configId, value);
  };

  /** Switches to the next level of tool detail. The chat announces it. */
  const changeToolDetail = async () => {
    const at = toolDetails.indexOf(settings.get('toolDetail'));
    await settings.setToolDetail(toolDetails[(at + 1) % toolDetails.length] ?? 'normal');
  };

  const openChat = () => pages.withPage((page) => page.post({ type: 'focusComposer' }));
  const commands = commandTable({
    'parley.openChat': openChat,
    'parley.openChatInEditor': () => pages.openPanel(pages.activeSession?.key ?? '').post({ type: 'focusComposer' }),
    'parley.sendPrompt': (text) => sendPrompt(pages.activeSession, text),
    'parley.answerRequest': answerRequest,
    'parley.cancelTurn': cancelTurn,
    'parley.cycleMode': cycleMode,
    'parley.changeToolDetail': changeToolDetail,
    'parley.showKeys': showKeys,
    'parley.openWalkthrough': openWalkthrough,
  });
  const messages = joinTables(
    sessionMessages(needs),
    editorMessages(log, paths, settings),
    terminalMessages(terminals),
  );
  return { messages, commands, actions: actionTable({ openChat }), dispose: () => parts.dispose() };
}

/** Sends a message in a session. Resolves once the session is idle. */
function sendPrompt(session: Session | undefined, text: unknown): Promise<void> {
  if (!session || typeof text !== 'string' || text.trim() === '') return Promise.resolve();
  return new Promise((resolve) => {
    // The turn starts once the session is open. Its event may fire before or after this call returns.
    let hasBegun = false;
    const listener = session.onDidChangeState(() => {
      const { activity, connection, queue } = session.transcript.view;
      if (activity.state !== 'idle') hasBegun = true;
      else if ((hasBegun && queue.length === 0) || /^(closed|login)$/.test(connection.state)) {
        listener.dispose();
        resolve();
      }
    });
    session.sendPrompt(text);
  });
}
