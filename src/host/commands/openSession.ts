import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionKey } from '../../shared/ids';
import type { StoredListing } from '../sessions/sessionStore';
import type { Command, CommandServices } from './command';

interface Item extends vscode.QuickPickItem {
  readonly listing: StoredListing;
}

/** Lists the sessions of this workspace, the open ones and those that were closed, newest first. */
export function openSession(services: CommandServices): Command {
  const { sessions, pool, catalog, pages } = services;
  const rename: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Rename') };
  const remove: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Delete') };
  const show = (key: SessionKey) => pages.withPage((page) => page.show(key));

  async function open({ key, agentId, agentName }: StoredListing): Promise<void> {
    if (pool.sessions.some((session) => session.key === key)) return show(key);
    const spec = catalog.find(agentId);
    const stored = await sessions.read(key);
    if (!stored) throw new Error(l10n.t('What was stored of this session cannot be read.'));
    if (!spec) {
      throw new Error(l10n.t('There is no agent named “{0}”. The setting parley.agents names your agents.', agentName));
    }
    pool.restoreSession(spec, stored);
    return show(key);
  }

  async function press(button: vscode.QuickInputButton, listing: StoredListing): Promise<void> {
    const live = pool.sessions.find((session) => session.key === listing.key);
    if (button === rename) {
      const title = await vscode.window.showInputBox({ value: listing.title, prompt: l10n.t('Name of the session') });
      if (title === undefined || title.trim() === '') return;
      if (live) live.rename(title.trim());
      else await sessions.rename(listing.key, title.trim());
      return;
    }
    const words = l10n.t('Delete “{0}”? What was said in it is gone for good. Files stay as they are.', listing.title);
    const yes = l10n.t('Delete');
    if ((await vscode.window.showWarningMessage(words, { modal: true }, yes)) !== yes) return;
    live?.close();
    await sessions.delete(listing.key);
  }

  return {
    id: 'parley.openSession',
    async execute() {
      await sessions.flush();
      await sessions.look();
      const pick = vscode.window.createQuickPick<Item>();
      pick.title = l10n.t('Sessions');
      pick.placeholder = sessions.stored.length > 0 ? l10n.t('Which session?') : l10n.t('No session is stored yet');
      pick.matchOnDescription = true;
      pick.items = sessions.stored.map((listing) => itemOf(listing, [rename, remove]));
      const reported = (work: Promise<unknown>) =>
        void work.catch((error: unknown) =>
          vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error)),
        );
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        pick.hide();
        if (item) reported(open(item.listing));
      });
      pick.onDidTriggerItemButton(({ button, item }) => {
        pick.hide();
        reported(press(button, item.listing));
      });
      pick.onDidHide(() => pick.dispose());
      pick.show();
    },
  };
}

function itemOf(listing: StoredListing, buttons: readonly vscode.QuickInputButton[]): Item {
  const { title, agentName, cwd, updatedAt, isOpen } = listing;
  const when = new Date(updatedAt).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    label: title === '' ? l10n.t('New session') : title,
    description: isOpen ? l10n.t('{0}, open', agentName) : agentName,
    detail: `${basename(cwd)}, ${when}`,
    buttons,
    listing,
  };
}
