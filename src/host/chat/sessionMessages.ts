import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Preset } from '../../agent/spec/preset';
import type { Logins } from '../../agent/login/logins';
import type { Session } from '../../session/session';
import { assertNever } from '../../shared/values/assert';
import { compact } from '../../shared/values/decodeValue';
import { tourAgentId, type AgentId, type RequestKey } from '../../shared/values/ids';
import type { QueueChange } from '../../shared/pages/messages';
import type { OfferedAgents } from '../agents/offeredAgents';
import { manageTrust, warnUntrusted } from '../agents/trust';
import type { Act } from '../base/actions';
import { openFolder } from '../base/folders';
import type { Log } from '../log/log';
import type { ChatPage } from '../pages/chatPage';
import { inSession, type Handlers } from '../pages/handlers';
import type { IntentOf } from '../pages/intent';
import { createSession, type CreateServices } from '../sessions/start/createSession';
import type { RememberedChoices } from '../sessions/start/rememberedChoices';
import { reported } from '../ui/reported';
import { endProcess } from './endProcess';
import type { ElicitationAnswer } from '../../shared/forms/elicitation';
import { openOutside } from '../ui/openOutside';

/** The services that session message handlers use. */
export interface SessionMessageServices extends CreateServices {
  readonly logins: Logins;
  readonly choices: RememberedChoices;
  readonly offered: OfferedAgents;
  /** Opens a session with a preset in a worktree, after it has asked for that. */
  readonly startInWorktree: (page: ChatPage, message: IntentOf<'startPreset'>) => void;
  readonly act: Act<'addAgent' | 'continueWith' | 'showParley' | 'showProtocolLog'>;
  readonly log: Log;
}

type SessionMessage =
  | 'sendPrompt'
  | 'startAgent'
  | 'startPreset'
  | 'findAgents'
  | 'addOffered'
  | 'addOwnAgent'
  | 'cancelOffered'
  | 'newSession'
  | 'cancelTurn'
  | 'stopLateWork'
  | 'answerPermission'
  | 'answerElicitation'
  | 'cancelStart'
  | 'closeSession'
  | 'stopSubagent'
  | 'stopWork'
  | 'setConfigOption'
  | 'errorAction'
  | 'login'
  | 'cancelLogin'
  | 'changeQueue'
  | 'changeScheduled'
  | 'resumeQueue';

/** Handlers for chat page messages about sessions and their agents. */
export function sessionMessages(services: SessionMessageServices): Handlers<SessionMessage> {
  const { pool, logins, choices, offered, log } = services;
  return {
    sendPrompt: (page, message) => sendPrompt(services, page, message),
    startAgent: (page, { agent, sends }) => startAgent(services, page, agent, sends === true),
    startPreset: (page, message) => startPreset(services, page, message),
    findAgents: () => void offered.find(),
    addOwnAgent: () => reported(log, services.act('showParley', 'agents')),
    cancelOffered: (_page, { id }) => services.offered.cancel(id),
    addOffered: (page, { id, sends }) => reported(log, addOffered(services, page, id, sends === true)),
    newSession: (page) => void openSession(services, page),
    cancelTurn: inSession((session) => session.cancel()),
    stopLateWork: inSession((session) => session.work.stopLate()),
    answerPermission: (page, message) => {
      const { request, optionId, reply } = message;
      const session = page.sessionOf(message);
      if (session) session.answerPermission(request, optionId, reply);
      else if (reply) page.post({ type: 'promptReturned', ...reply });
    },
    answerElicitation: inSession((session, { request, answer }) =>
      reported(log, answerElicitation(session, request, answer)),
    ),
    cancelStart: inSession((session) => pool.cancelStart(session)),
    // Applies to any tab, not only to the visible one.
    closeSession: (_page, { session }) => pool.sessions.find(({ key }) => key === session)?.close(),
    stopWork: inSession((session, { toolCall, terminal }) => session.work.stop({ toolCall, terminal })),
    stopSubagent: inSession((session, { subagent }) => session.work.stopSubagent(subagent)),
    setConfigOption: inSession((session, { configId, value }) => {
      // Never rejects. A value that the agent rejects isn't remembered for its next session.
      void session.setConfigOption(configId, value).then((isSet) => {
        if (isSet) choices.remember(session, configId, value);
      });
    }),
    errorAction: (page, message) => act(services, page, page.sessionOf(message), message),
    // Never rejects: the card shows the result.
    login: inSession((session, { methodId }) => {
      if (typeof methodId === 'string') void logins.login(session, methodId);
    }),
    cancelLogin: inSession((session) => logins.cancel(session)),
    changeQueue: inSession((session, { id, change }) => changeQueue(session, id, change)),
    changeScheduled: inSession((session, { action }) => {
      const prompt = session.scheduled.take();
      if (prompt && action === 'send') session.sendPrompt(prompt.text, prompt.attachments);
    }),
    resumeQueue: inSession((session) => session.resumeQueue()),
  };
}

/** Opens a session with an agent. The tour agent starts its tour at once, so that trying Parley takes one click. */
function startAgent(services: SessionMessageServices, page: ChatPage, agent: AgentId, sends: boolean): void {
  const session = openSession(services, page, { agent });
  if (session && sends) page.post({ type: 'sendTyped', session: session.key });
  else if (agent === tourAgentId) session?.sendPrompt(l10n.t('Show me around'));
}

/** Opens a session with a preset. Does nothing if it was removed in the meantime. */
function startPreset(services: SessionMessageServices, page: ChatPage, message: IntentOf<'startPreset'>): void {
  const preset = services.catalog.findPreset(message.preset);
  if (preset?.usesWorktree) {
    services.startInWorktree(page, message);
    return;
  }
  const session = preset && openSession(services, page, { preset });
  if (session && message.sends) page.post({ type: 'sendTyped', session: session.key });
}

/** Adds an agent and opens a session with it. An agent that was there is only updated. */
async function addOffered(services: SessionMessageServices, page: ChatPage, id: string, sends: boolean): Promise<void> {
  const isUpdate = services.offered.updateOf(id) !== undefined;
  const isAdded = await services.offered.add(id);
  if (isAdded && !isUpdate) startAgent(services, page, id as AgentId, sends);
}

function sendPrompt(services: SessionMessageServices, page: ChatPage, message: IntentOf<'sendPrompt'>): void {
  const { text, attachments = [], agent, after } = message;
  const session = page.sessionOf(message) ?? openSession(services, page, compact({ agent }));
  if (session) session.sendPrompt(text, attachments, after);
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

function openSession(
  services: SessionMessageServices,
  page: ChatPage,
  options: { readonly agent?: AgentId; readonly preset?: Preset } = {},
): Session | undefined {
  const session = createSession(services, options);
  if (session) {
    page.show(session.key);
    page.post({ type: 'focusComposer' });
  }
  return session;
}

function act(
  services: SessionMessageServices,
  page: ChatPage,
  session: Session | undefined,
  { action, entry }: IntentOf<'errorAction'>,
): void {
  const run = (done: Thenable<unknown>) => reported(services.log, done);
  switch (action) {
    case 'restartAgent':
    case 'reopen':
      session?.restart();
      return;
    case 'startFresh':
      session?.startFresh();
      return;
    case 'continueTurn':
      session?.continueTurn();
      return;
    case 'sendAgain':
      session?.scheduled.take();
      session?.sendAgain();
      return;
    case 'sendLater': {
      const card = entry === '' ? undefined : session?.transcript.entries.get(entry);
      const resetsAt = card?.kind === 'error' ? card.limit?.resetsAt : undefined;
      if (resetsAt !== undefined) session?.scheduled.scheduleLast(resetsAt);
      return;
    }
    case 'endProcess':
    case 'disconnect':
      if (session) reported(services.log, endProcess(services.pool, session));
      return;
    case 'keepWaiting':
      session?.keepWaiting();
      return;
    case 'newSession':
      if (vscode.workspace.isTrusted) openSession(services, page, compact({ agent: session?.transcript.view.agentId }));
      else reported(services.log, warnUntrusted());
      return;
    case 'continueWith':
      run(services.act('continueWith', session?.key));
      return;
    case 'showLog':
      run(services.act('showProtocolLog', session && services.pool.runningAgentOf(session)?.startedAt));
      return;
    case 'openSettings':
      run(vscode.commands.executeCommand('workbench.action.openSettings', 'parley.agents'));
      return;
    case 'addAgent':
      run(services.act('addAgent'));
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

/**
 * Sends the user's answer to the agent. Opens an address first: if VS Code or the user prevents that, the answer isn't
 * "accept".
 */
async function answerElicitation(
  { elicitations }: Pick<Session, 'elicitations'>,
  request: RequestKey,
  answer: ElicitationAnswer,
): Promise<void> {
  const address = elicitations.addressOf(request);
  if (answer.action === 'accept' && address !== undefined && !(await openOutside(address))) {
    elicitations.refuse(request, 'notOpened');
    return;
  }
  elicitations.answer(request, answer);
}
