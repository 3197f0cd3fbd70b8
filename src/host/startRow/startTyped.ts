import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { compact } from '../../shared/values/decodeValue';
import { messageOf } from '../../shared/values/messageOf';
import {
  countTries,
  decodeStart,
  type StartAgent,
  type StartChoice,
  type StartPlace,
} from '../../shared/pages/startChoice';
import type { Prompt } from '../../shared/transcript/transcript';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import type { AgentCatalog } from '../agents/agentCatalog';
import { warnUntrusted } from '../agents/trust';
import type { Act } from '../base/actions';
import { currentFolder } from '../base/folders';
import type { OpenOptions, Start } from '../newSession/openNewSession';
import type { ChatPage } from '../pages/chatPage';
import type { IntentOf } from '../pages/intent';
import { createSession } from '../sessions/start/createSession';
import { startInWorktree, type NewWorktreeServices, type OpenSession } from '../worktrees/newSessionInWorktree';
import type { OwnCopies } from '../worktrees/ownCopies';
import { findPlaces, type StartPlacesNeeds } from './startPlaces';

export interface StartTypedServices extends NewWorktreeServices, Pick<StartPlacesNeeds, 'branches'> {
  readonly copies: Pick<OwnCopies, 'asBefore'>;
  readonly act: NewWorktreeServices['act'] & Act<'startTries'>;
}

/** Why nothing can be started, as a sentence with the next step. */
class StartProblem extends Error {}

/** Pages that wait for what they started, which can take a while. */
const starting = new WeakSet<ChatPage>();

/**
 * Starts what the row below the message says, with the message as its first one. The message stays on the page until then. If nothing can be
 * started, the page says why.
 */
export async function startTyped(
  services: StartTypedServices,
  page: ChatPage,
  message: IntentOf<'startTyped'>,
): Promise<void> {
  if (starting.has(page)) return;
  const fail = (problem?: string) =>
    page.post({ type: 'startFailed', session: message.session, ...compact({ problem }) });
  if (!vscode.workspace.isTrusted) {
    fail();
    return warnUntrusted();
  }
  starting.add(page);
  try {
    if (!(await start(services, page, message))) fail();
  } catch (error) {
    if (!(error instanceof WorktreeProblem || error instanceof StartProblem)) {
      services.log.error(`New session: ${String(error)}`);
    }
    fail(messageOf(error));
  } finally {
    starting.delete(page);
  }
}

/** Resolves to whether something was started. Rejects with the reason if it can't be. */
async function start(
  services: StartTypedServices,
  page: ChatPage,
  { session: key, text, attachments = [], start: choice }: IntentOf<'startTyped'>,
): Promise<boolean> {
  const decoded = decodeStart(choice);
  if (!decoded || typeof text !== 'string' || text.trim() === '') return false;
  const left = page.session;
  // The page has shown another session since, or this one has begun.
  if ((left?.key ?? '') !== key || (left && !isEmpty(left))) return false;
  const folder = left?.transcript.view.cwd ?? currentFolder();
  const prompt = { text, attachments };
  if (countTries(decoded) > 1) {
    const starts = decoded.agents.flatMap((one) => Array<StartAgent>(one.tries).fill(one));
    const who = starts.map((one) => tryOf(services.catalog, one));
    await services.act('startTries', { folder: folderFor(folder), prompt, starts: who });
    page.post({ type: 'typedSent', session: key, text });
    return true;
  }
  const who = whoOf(services.catalog, decoded, left);
  return new SentStart(services, page, key, prompt).at(decoded.place, who, folder, left);
}

/** A session that is started with a message. */
class SentStart {
  private readonly services: StartTypedServices;
  private readonly page: ChatPage;
  private readonly key: IntentOf<'startTyped'>['session'];
  private readonly prompt: Prompt;
  private isStarted = false;

  constructor(services: StartTypedServices, page: ChatPage, key: SentStart['key'], prompt: Prompt) {
    this.services = services;
    this.page = page;
    this.key = key;
    this.prompt = prompt;
  }

  async at(place: StartPlace, who: Start, folder: string | undefined, left: Session | undefined): Promise<boolean> {
    const { services, prompt } = this;
    const open: OpenSession = (options, begin) => this.open(options, begin, left);
    const options = who.kind === 'preset' ? { preset: who.preset } : { agent: who.agent.id };
    const isInWorktree = who.kind === 'preset' && who.preset.usesWorktree;
    if (place.kind === 'worktree' || (place.kind === 'here' && isInWorktree)) {
      await startInWorktree(services, who, { folder: folderFor(folder), words: prompt.text }, open);
    } else if (place.kind === 'copy') {
      const cwd = folderFor(folder);
      await open({ ...options, cwd, sandbox: 'ownCopy' }, ({ key }) => services.copies.asBefore(key));
    } else {
      const cwd = place.kind === 'folder' ? await this.known(place.path, folder) : folder;
      await open({ ...options, ...compact({ cwd }) }, () => undefined);
    }
    return this.isStarted;
  }

  /** Resolves to a folder that the page has, if it is one to choose. */
  private async known(path: string, folder: string | undefined): Promise<string> {
    const { worktrees, folders } = await findPlaces(this.services, folder);
    if ([...worktrees, ...folders].some((one) => one.path === path)) return path;
    throw new StartProblem(l10n.t('{0} is no longer a folder of this workspace. Choose another place.', path));
  }

  /** Opens the session, sends the message there, and shows it where the message was typed. The session without messages that it was typed in ends. */
  private open(options: OpenOptions, begin: (session: Session) => void, left: Session | undefined): void {
    const { page, key, prompt } = this;
    const session = createSession(this.services, options);
    if (!session) return;
    this.isStarted = true;
    begin(session);
    session.sendPrompt(prompt.text, prompt.attachments);
    page.post({ type: 'typedSent', session: key, text: prompt.text });
    // The user may be elsewhere by now.
    if ((page.session?.key ?? '') === key) {
      page.show(session.key);
      page.post({ type: 'focusComposer' });
    }
    if (left && isEmpty(left)) left.close();
  }
}

function folderFor(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new StartProblem(l10n.t('No folder is open. Open one, then send the message again.'));
}

function isEmpty({ transcript: { view, order, entries } }: Session): boolean {
  return view.queue.length === 0 && !order.some((id) => entries.get(id)?.kind === 'user_message');
}

/** Returns who answers: the chosen agent, or that of the session that the message was typed in, or the default. */
function whoOf(catalog: AgentCatalog, { agents: [one] }: StartChoice, left: Session | undefined): Start {
  if (one) {
    const { agent, preset } = tryOf(catalog, one);
    return preset ? { kind: 'preset', preset } : { kind: 'agent', agent };
  }
  const { defaultPreset } = catalog;
  const ofPreset = defaultPreset && catalog.findByName(defaultPreset.agent);
  const agent = left && catalog.find(left.transcript.view.agentId);
  if (defaultPreset && ofPreset && (!agent || agent.id === ofPreset.id))
    return { kind: 'preset', preset: defaultPreset };
  return { kind: 'agent', agent: agent ?? catalog.default };
}

/** Returns an agent or a preset that the page has. Throws a `StartProblem` if it is no longer there. */
function tryOf(catalog: AgentCatalog, { agent: id, preset: name }: StartAgent) {
  const preset = name === undefined ? undefined : catalog.findPreset(name);
  const agent = preset ? catalog.findByName(preset.agent) : name === undefined ? catalog.find(id) : undefined;
  if (agent) return { agent, ...compact({ preset }) };
  throw new StartProblem(l10n.t('“{0}” is no longer one of your agents. Choose another one.', name ?? id));
}
