import * as l10n from '@vscode/l10n';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { Entry } from '../../shared/transcript/transcript';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { readLink, type ParleyLink } from './linkText';

/** A page that a link is followed on. */
interface LinkPage {
  show(session: SessionKey | ''): void;
  post(message: ToWebview): void;
}

/** A session that is open in this window. */
interface LinkedSession {
  readonly key: SessionKey;
  readonly transcript: { readonly entries: ReadonlyMap<string, Entry> };
}

/** What following a link needs of the window. */
export interface LinkWindow {
  /** Whether agents may start here. Otherwise, says why. */
  mayStart(): boolean;
  findAgent(name: string): AgentSpec | undefined;
  readonly defaultAgent: AgentSpec;
  /** Whether the user has had a session with an agent. */
  hasChosen(agent: AgentId): boolean;
  /** Asks whether an agent that the user hasn't chosen before is to start. */
  askToStart(agent: AgentSpec): Promise<boolean>;
  /** The workspace folder with this path or name. */
  findFolder(folder: string): string | undefined;
  /** The folder that a new session gets without a choice. */
  readonly currentFolder: string | undefined;
  createSession(agent: AgentId, folder: string | undefined): LinkedSession | undefined;
  /** Opens a stored session. Resolves to undefined if there is none with this key here. */
  openSession(key: SessionKey): Promise<LinkedSession | undefined>;
  withPage(action: (page: LinkPage) => void): Promise<void>;
  refuse(why: string): void;
}

/**
 * Follows a link, which anyone can write. A new one only becomes a draft. It never sends, and starts no agent that the
 * user hasn't chosen.
 */
export async function followLink(window: LinkWindow, path: string, query: string): Promise<void> {
  const link = readLink(path, query);
  if (link.kind === 'refused') window.refuse(link.why);
  else if (link.kind === 'session') await showSession(window, link);
  else if (window.mayStart()) await showDraft(window, link);
}

async function showDraft(window: LinkWindow, link: ParleyLink & { readonly kind: 'new' }): Promise<void> {
  const agent = link.agent === undefined ? undefined : window.findAgent(link.agent);
  if (link.agent !== undefined && !agent) {
    window.refuse(l10n.t('There’s no agent named “{0}”, which this link asks for.', link.agent));
    return;
  }
  const folder = link.folder === undefined ? undefined : window.findFolder(link.folder);
  if (link.folder !== undefined && folder === undefined) {
    const name = showHiddenOnOneLine(link.folder);
    window.refuse(l10n.t('This link is for the folder {0}, which isn’t open here. Open that folder first.', name));
    return;
  }
  const isElsewhere = folder !== undefined && folder !== window.currentFolder;
  // The start page starts the default agent when the user sends the message.
  const starts = agent ?? (isElsewhere ? window.defaultAgent : undefined);
  if (starts && !window.hasChosen(starts.id) && !(await window.askToStart(starts))) return;
  const session = starts && window.createSession(starts.id, folder);
  if (starts && !session) return;
  await window.withPage((page) => {
    page.show(session?.key ?? '');
    if (link.prompt === '') page.post({ type: 'focusComposer' });
    else page.post({ type: 'addDraft', text: link.prompt, attachments: [], isFromLink: true });
  });
}

async function showSession(
  window: LinkWindow,
  { key, turn }: ParleyLink & { readonly kind: 'session' },
): Promise<void> {
  const session = await window.openSession(key);
  if (!session) {
    window.refuse(l10n.t('This link’s session isn’t stored in this workspace. Open its folder first.'));
    return;
  }
  const entry = [...session.transcript.entries.values()].find((one) => one.turn === turn);
  await window.withPage((page) => {
    page.show(session.key);
    if (entry) page.post({ type: 'revealEntry', session: session.key, entry: entry.id });
  });
}
