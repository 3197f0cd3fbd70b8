import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { warnUntrusted } from '../agents/trust';
import { fileKey } from '../base/filePaths';
import { commandTable } from '../base/feature';
import { currentFolder, isOnDisk } from '../base/folders';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import type { KnownSessionServices } from '../sessionList/knownSession';
import { openStored } from '../sessionList/openStored';
import { createSession } from '../sessions/start/createSession';
import { tellInStatusBar } from '../ui/labels';
import { askModal, showWarning } from '../ui/notifications';
import { reported } from '../ui/reported';
import { followLink, type LinkWindow } from './followLink';
import { sessionLink } from './linkText';

/** How long the status bar shows the message, in milliseconds. */
const toldMs = 3000;

export interface LinkNeeds extends Omit<KnownSessionServices, 'marks'> {
  readonly pages: ChatPages;
  readonly log: Log;
}

/** Links that open a draft or a session, and copying links to sessions and turns. */
export function linksFeature(needs: LinkNeeds) {
  const { pages, log } = needs;
  const window = linkWindow(needs);
  const handler = vscode.window.registerUriHandler({
    handleUri: ({ path, query }) => reported(log, followLink(window, path, query)),
  });
  const copy = async ({ key }: Session, turn?: number) => {
    await vscode.env.clipboard.writeText(sessionLink(vscode.env.uriScheme, key, turn));
    const words = turn === undefined ? l10n.t('Copied the link to the session') : l10n.t('Copied the link to the turn');
    tellInStatusBar(words, toldMs);
  };
  const messages: Handlers<'copyLink'> = {
    copyLink: inSession((session, { entry }) => {
      const turn = session.transcript.entries.get(entry)?.turn;
      if (turn !== undefined) reported(log, copy(session, turn));
    }),
  };
  const commands = commandTable({
    'parley.copyLink': async () => {
      if (pages.activeSession) await copy(pages.activeSession);
    },
  });
  return { messages, commands, dispose: () => void handler.dispose() };
}

function linkWindow(needs: LinkNeeds): LinkWindow {
  const { pool, catalog, sessions, pages } = needs;
  return {
    mayStart: () => {
      if (!vscode.workspace.isTrusted) void warnUntrusted();
      return vscode.workspace.isTrusted;
    },
    findAgent: (name) => catalog.findByName(name),
    get defaultAgent() {
      return catalog.default;
    },
    hasChosen: (agent) =>
      pool.sessions.some(({ transcript }) => transcript.view.agentId === agent) ||
      sessions.stored.some(({ agentId }) => agentId === agent),
    askToStart: async ({ name }) => {
      const start = l10n.t('Start {0}', name);
      const question = l10n.t('A link asks to start {0}, which you haven’t used in this workspace. Start it?', name);
      return (await askModal(question, { items: [start] })) === start;
    },
    findFolder: (folder) => {
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(isOnDisk);
      const found =
        folders.find(({ uri }) => fileKey(uri.fsPath) === fileKey(folder)) ??
        folders.find(({ name }) => name === folder);
      return found?.uri.fsPath;
    },
    get currentFolder() {
      return currentFolder();
    },
    createSession: (agent, folder) => createSession(needs, { agent, ...(folder !== undefined && { cwd: folder }) }),
    openSession: async (key) => {
      const open = () => pool.sessions.find((session) => session.key === key);
      if (open()) return open();
      await sessions.look();
      const listing = sessions.stored.find((one) => one.key === key);
      if (listing) await openStored(needs, listing);
      return open();
    },
    withPage: (action) => pages.withPage(action),
    refuse: (why) => void showWarning(why),
  };
}
