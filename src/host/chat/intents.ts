import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/agentPool';
import type { Logins } from '../../agent/logins';
import type { NoticeText, Session } from '../../session/session';
import { assertNever } from '../../shared/assert';
import type { AgentId } from '../../shared/ids';
import type { FromWebview, QueueChange } from '../../shared/messages';
import type { ErrorAction } from '../../shared/transcript';
import type { AgentCatalog } from '../agents/agentCatalog';
import { manageTrust, tellUntrusted } from '../agents/trust';
import { holdsHome } from '../files/filePaths';
import { currentFolder, openFolder } from '../folders';
import type { Log } from '../log/log';
import type { Review } from '../review/review';
import { carryOutIntent } from '../review/reviewIntents';
import type { ScratchFolder } from '../sessions/scratchFolder';
import type { RememberedChoices } from '../sessions/rememberedChoices';
import type { HostTerminals } from '../terminals/terminalService';
import type { ChatPage } from './chatPage';
import type { PageIntent } from './chatPages';
import { answerElicitation } from './elicitationAnswer';
import { openTerminal, stopTerminal } from './terminalActions';
import * as editorActions from './editorActions';
import { showError } from '../ui/notifications';

export interface IntentServices {
  readonly pool: AgentPool;
  readonly catalog: AgentCatalog;
  readonly terminals: HostTerminals;
  readonly review: Pick<Review, 'log' | 'disk'>;
  readonly logins: Logins;
  readonly choices: RememberedChoices;
  readonly scratch: ScratchFolder;
  readonly log: Log;
}

/** Opens a session with this agent, the default one when none is named; undefined where agents may not start. */
export function createSession(
  services: Pick<IntentServices, 'pool' | 'catalog' | 'scratch'>,
  options: { readonly agent?: AgentId; readonly cwd?: string } = {},
): Session | undefined {
  // The page says why in its own place; here it is only made sure of.
  if (!vscode.workspace.isTrusted) return undefined;
  const { pool, catalog, scratch } = services;
  const spec = (options.agent !== undefined && catalog.find(options.agent)) || catalog.default;
  const session = pool.createSession({ spec, cwd: options.cwd ?? currentFolder() ?? scratch.path });
  const notice = folderNotice(session.transcript.view.cwd, scratch);
  if (notice) session.addNotice(notice);
  return session;
}

/** What is to be known of the folder that a session works in. */
function folderNotice(cwd: string, scratch: ScratchFolder): NoticeText | undefined {
  if (scratch.has(cwd)) {
    const description = l10n.t('This session uses an empty folder: {0}. Open a folder to work on its files.', cwd);
    return { severity: 'info', title: l10n.t('No folder is open'), description };
  }
  if (!holdsHome(cwd)) return undefined;
  const description = l10n.t(
    'Your home folder contains keys and settings, so each file needs your permission. Open a project folder instead.',
  );
  return { severity: 'warning', title: l10n.t('This session runs in your home folder'), description };
}

/** Does what the user asked for in a chat page. */
export function handleIntent(services: IntentServices, { page, message }: PageIntent): void {
  const { pool, terminals, review, log } = services;
  const session = page.session;
  const ofPage =
    'session' in message && message.session !== '' && message.session === session?.key ? session : undefined;
  switch (message.type) {
    case 'sendPrompt':
      sendPrompt(services, page, ofPage, message);
      return;
    case 'startAgent':
      openSession(services, page, message.agent);
      return;
    case 'newSession':
      openSession(services, page);
      return;
    case 'cancelTurn':
      ofPage?.cancel();
      return;
    case 'answerPermission':
      ofPage?.answerPermission(message.request, message.optionId);
      return;
    case 'answerElicitation':
      if (ofPage) reported(log, answerElicitation(ofPage, message.request, message.answer));
      return;
    case 'cancelStart':
      if (ofPage) pool.cancelStart(ofPage);
      return;
    case 'closeSession':
      pool.sessions.find((other) => other.key === message.session)?.close();
      return;
    case 'openLocation':
      if (ofPage) inEditor(log, (act) => act.openLocation(ofPage.transcript.view.cwd, message.path, message.line));
      return;
    case 'openDiff':
      if (ofPage) inEditor(log, (act) => act.openDiff(ofPage, message.toolCall, message.index));
      return;
    case 'openLink':
      inEditor(log, (act) => act.openLink(message.href));
      return;
    case 'openTerminal':
      if (ofPage) openTerminal(terminals, ofPage, message.terminal);
      return;
    case 'stopTerminal':
      if (ofPage) stopTerminal(terminals, ofPage, message.terminal);
      return;
    case 'stopSubagent':
      ofPage?.stopSubagent(message.subagent);
      return;
    case 'resizeTerminal':
      if (ofPage) terminals.resize(ofPage.key, message.terminal, message.columns, message.rows);
      return;
    case 'setConfigOption':
      // Never rejects. What the agent refuses is not offered to its next session.
      void ofPage?.setConfigOption(message.configId, message.value).then((isTaken) => {
        if (isTaken) services.choices.remember(ofPage, message.configId, message.value);
      });
      return;
    case 'errorAction':
      act(services, page, ofPage, message.action);
      return;
    case 'login':
      // Never rejects: what happens shows in the card.
      if (ofPage) void services.logins.login(ofPage, message.methodId);
      return;
    case 'cancelLogin':
      if (ofPage) services.logins.cancel(ofPage);
      return;
    case 'insertAtCursor':
      inEditor(log, (act) => act.insertAtCursor(message.text));
      return;
    case 'copyText':
      reported(log, vscode.env.clipboard.writeText(message.text));
      return;
    case 'pageError':
      log.error(`Chat page: ${message.message}`);
      return;
    case 'reviewChanges':
    case 'reviewFile':
      if (ofPage) reported(log, carryOutIntent(review.log, review.disk, message, ofPage.transcript.view.agentName));
      return;
    case 'changeQueue':
      if (ofPage) changeQueue(ofPage, message.id, message.change);
      return;
    case 'resumeQueue':
      ofPage?.resumeQueue();
      return;
    case 'findFiles':
    case 'addContext':
    case 'attachUris':
    case 'saveContent':
    case 'openText':
    case 'previewRestore':
    case 'compareRestore':
    case 'restore':
    case 'undoRestore':
      // Served by those who listen to the pages themselves.
      return;
    case 'ready':
    case 'selectSession':
    case 'fetchOlder':
    case 'fetchSnapshot':
      // The page's own traffic, served by ChatPage.
      return;
    default:
      assertNever(message);
  }
}

function sendPrompt(
  services: IntentServices,
  page: ChatPage,
  shown: Session | undefined,
  { text, attachments = [], agent }: Extract<FromWebview, { type: 'sendPrompt' }>,
): void {
  const session = shown ?? openSession(services, page, agent);
  if (session) session.sendPrompt(text, attachments);
  else page.post({ type: 'promptReturned', text, attachments });
}

function changeQueue(session: Session, id: string, change: QueueChange): void {
  switch (change.kind) {
    case 'move':
      session.queue.move(id, change.to);
      return;
    case 'remove':
      session.queue.remove(id);
      return;
    case 'steer':
    case 'stopAndSend':
      session.sendQueued(id, change.kind);
      return;
    default:
      assertNever(change);
  }
}

function openSession(services: IntentServices, page: ChatPage, agent?: AgentId): Session | undefined {
  const session = createSession(services, agent === undefined ? {} : { agent });
  if (session) {
    page.show(session.key);
    page.post({ type: 'focusComposer' });
  }
  return session;
}

function act(services: IntentServices, page: ChatPage, session: Session | undefined, action: ErrorAction): void {
  const run = (command: string, ...args: unknown[]) =>
    reported(services.log, vscode.commands.executeCommand(command, ...args));
  switch (action) {
    case 'restartAgent':
      session?.restart();
      return;
    case 'sendAgain':
      session?.sendAgain();
      return;
    case 'endProcess':
      session?.endProcess();
      return;
    case 'keepWaiting':
      session?.keepWaiting();
      return;
    case 'newSession':
      if (vscode.workspace.isTrusted) openSession(services, page, session?.transcript.view.agentId);
      else reported(services.log, tellUntrusted());
      return;
    case 'showLog':
      run('parley.showProtocolLog');
      return;
    case 'openSettings':
      run('workbench.action.openSettings', 'parley.agents');
      return;
    case 'addAgent':
      run('parley.addAgent');
      return;
    case 'openFolder':
      reported(services.log, openFolder());
      return;
    case 'manageTrust':
      reported(services.log, manageTrust());
      return;
    default:
      assertNever(action);
  }
}

/** Does in the editor what was clicked in the page. */
function inEditor(log: Log, act: (actions: typeof editorActions) => Promise<void>): void {
  reported(log, act(editorActions));
}

/** Tells the user in one sentence when something they asked for did not work. */
function reported(log: Log, work: Thenable<unknown>): void {
  void work.then(undefined, (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    log.error(reason);
    void showError(l10n.t('Couldn’t do that: {0}', reason));
  });
}
