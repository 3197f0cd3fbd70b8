import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionKey } from '../../shared/ids';
import { messageOf } from '../../shared/messageOf';
import { manageTrust, warnUntrusted } from '../agents/trust';
import { archiveSession } from './archiveSession';
import { deleteSession } from './deleteSession';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { renameSession } from './renameSession';
import type { SessionChoice } from './sessionItems';
import { SessionPicker, type SessionAction } from './sessionPicker';
import type { StoredListing } from '../sessions/storedListing';
import { takeUpSession } from './takeUpSession';
import { exportStored } from './exportSession';
import { logInTo } from '../login/logInTo';
import { showError, showInformation } from '../ui/notifications';

/** Lists the sessions of this workspace: open ones, closed ones, and those that agents store. */
export async function openSession(services: KnownSessionServices): Promise<void> {
  const { sessions, pool, catalog, pages } = services;
  const show = (key: SessionKey) => pages.withPage((page) => page.show(key));

  async function open({ key, agentId, agentName }: StoredListing): Promise<void> {
    if (pool.sessions.some((session) => session.key === key)) return show(key);
    // The session may have been closed or opened since the list was shown.
    await sessions.look();
    const isElsewhere = sessions.stored.find((listing) => listing.key === key)?.isElsewhere;
    if (isElsewhere) {
      void showInformation(l10n.t('This session is open in another window. Close it there to open it here.'));
      return;
    }
    const spec = catalog.find(agentId);
    const stored = await sessions.read(key);
    if (!stored) throw new Error(l10n.t('Couldn’t read this session’s saved data.'));
    // Agents from the settings aren't available while the folder isn't trusted.
    if (!spec && !vscode.workspace.isTrusted) return warnUntrusted();
    if (!spec) {
      throw new Error(l10n.t('There’s no agent named “{0}”. Your agents are listed in parley.agents.', agentName));
    }
    pool.restoreSession(spec, stored);
    return show(key);
  }

  async function carryOut(wish: SessionAction, choice: SessionChoice): Promise<void> {
    const session = sessionOf(choice);
    if (choice.does === 'trust') return manageTrust();
    if (choice.does === 'logIn') return logInTo(services, choice.spec);
    if (!session) return;
    switch (wish) {
      case 'open':
        if (choice.does === 'open') return open(choice.listing);
        if (choice.does === 'takeUp') return show(takeUpSession(pool, choice.spec, choice.listed).key);
        return;
      case 'rename':
        return renameSession(services, session);
      case 'export':
        if (choice.does === 'open') await exportStored(services, choice.listing.key);
        return;
      case 'archive':
      case 'unarchive':
        return archiveSession(services, session, wish === 'archive');
      case 'delete':
        await deleteSession(services, session);
    }
  }

  await sessions.flush();
  await sessions.look();
  new SessionPicker(services, (wish, choice) => {
    carryOut(wish, choice).catch((error: unknown) => showError(messageOf(error)));
  });
}

/** Returns the session of an entry, if it has one. */
function sessionOf(choice: SessionChoice): KnownSession | undefined {
  if (choice.does === 'open') {
    const { title, agentId, agentName, key, sessionId = '' } = choice.listing;
    return { key, agentId, agentName, sessionId, title };
  }
  if (choice.does !== 'takeUp') return undefined;
  const { spec, listed } = choice;
  const { sessionId, title } = listed;
  return { agentId: spec.id, agentName: spec.name, sessionId, title: title === '' ? sessionId : title };
}
