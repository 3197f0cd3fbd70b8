import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionKey } from '../../shared/ids';
import { warnUntrusted } from '../agents/trust';
import type { StoredListing } from '../sessions/storedListing';
import { showInformation } from '../ui/notifications';
import type { KnownSessionServices } from './knownSession';

type OpenServices = Pick<KnownSessionServices, 'pool' | 'sessions' | 'catalog' | 'pages'>;

/** Opens and shows a stored session. Its agent starts with the next message. Says why if it can't be opened here. */
export async function openStored(
  { pool, sessions, catalog, pages }: OpenServices,
  { key, agentId, agentName }: StoredListing,
): Promise<void> {
  const show = (one: SessionKey) => pages.withPage((page) => page.show(one));
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
