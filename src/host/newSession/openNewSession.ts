import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compact } from '../../shared/decodeValue';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { resolveFolder } from '../../agent/launch/resolveFolder';
import type { AgentId } from '../../shared/ids';
import { messageOf } from '../../shared/messageOf';
import type { AgentCatalog } from '../agents/agentCatalog';
import { warnUntrusted } from '../agents/trust';
import type { ChatPages } from '../pages/chatPages';
import { createSession, type CreateServices } from '../sessions/createSession';
import { folderToAsk } from '../base/folders';
import { pickFolder } from './pickFolder';
import { showError } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** What opening a session and showing it needs. */
export interface NewSessionServices extends CreateServices {
  readonly pages: Pick<ChatPages, 'withPage'>;
}

/**
 * The argument that skips the questions. `agent` is a name from `parley.agents` or an agent's id. `cwd` is a folder,
 * preferably absolute.
 */
interface NewSessionArgument {
  readonly agent?: string;
  readonly cwd?: string;
  readonly prompt?: string;
}

/** Opens a session with an agent that the user selects. The default agent comes first in the list. */
export async function newSession(services: NewSessionServices, argument: unknown): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const given = readArgument(argument);
  const skip = given !== undefined;
  const agent = skip ? findAgent(services.catalog, given.agent) : await pickAgent(services.catalog);
  // Adding an agent offers to start it.
  if (agent === 'add') await vscode.commands.executeCommand('parley.addAgent');
  if (!agent || agent === 'add') return;
  const cwd =
    given?.cwd === undefined
      ? await (skip ? undefined : pickFolder(() => services.scratch.path))
      : await folderOf(given.cwd);
  if (cwd === undefined && (!skip || given.cwd !== undefined)) return;
  await openNewSession(services, { agent: agent.id, ...compact({ cwd }) }, given?.prompt);
}

/** Opens a session with the default agent without asking. This is the plus button. */
export async function newSessionWithDefaultAgent(services: NewSessionServices): Promise<void> {
  if (vscode.workspace.isTrusted) await openNewSession(services, {});
  else await warnUntrusted();
}

/** Opens a session and shows it. */
export async function openNewSession(
  services: NewSessionServices,
  options: { readonly agent?: AgentId; readonly cwd?: string },
  prompt?: string,
): Promise<void> {
  const session = createSession(services, options);
  await services.pages.withPage((page) => {
    if (session) page.show(session.key);
    page.post({ type: 'focusComposer' });
  });
  if (prompt !== undefined && prompt.trim() !== '') session?.sendPrompt(prompt);
}

function readArgument(argument: unknown): NewSessionArgument | undefined {
  // Menus pass their own context as the argument, so accept only a plain object with known keys.
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { agent, cwd, prompt } = argument as Record<string, unknown>;
  if (agent === undefined && cwd === undefined && prompt === undefined) return undefined;
  return {
    ...(typeof agent === 'string' && { agent }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(typeof prompt === 'string' && { prompt }),
  };
}

/** Resolves a path to a folder. If there is none, shows a message and resolves to undefined. */
async function folderOf(path: string): Promise<string | undefined> {
  try {
    return await resolveFolder(path, folderToAsk(), homedir());
  } catch (error) {
    void showError(messageOf(error));
    return undefined;
  }
}

function findAgent(catalog: AgentCatalog, name: string | undefined): AgentSpec | undefined {
  if (name === undefined) return catalog.default;
  const agent = catalog.findByName(name);
  if (!agent) {
    void showError(l10n.t('There’s no agent named “{0}”. Your agents are listed in parley.agents.', name));
  }
  return agent;
}

async function pickAgent(catalog: AgentCatalog): Promise<AgentSpec | 'add' | undefined> {
  const first = catalog.default;
  const agents = [first, ...catalog.all.filter((agent) => agent.id !== first.id)];
  const details = new Map(catalog.listings().map((listing) => [listing.agentId, listing.detail]));
  const items: (vscode.QuickPickItem & { readonly agent: AgentSpec | 'add' })[] = agents.map((agent) => ({
    label: agent.name,
    description: agent.id === first.id ? l10n.t('default') : '',
    detail: details.get(agent.id) ?? '',
    agent,
  }));
  const icon = new vscode.ThemeIcon('add');
  items.push({ label: l10n.t('Add agent…'), iconPath: icon, alwaysShow: true, agent: 'add' });
  return (await pickOne(items, { placeHolder: l10n.t('Select an agent') }))?.agent;
}
