import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionKey } from '../../shared/values/ids';
import { warnUntrusted } from '../agents/trust';
import type { StoredListing } from '../sessions/stored/storedListing';
import type { KnownSessionServices } from './knownSession';
import { openElsewhere } from './openElsewhere';

type OpenServices = Pick<KnownSessionServices, 'pool' | 'sessions' | 'catalog' | 'pages' | 'board' | 'worktrees'>;

/**
 * Shows one of Parley's own sessions: with `show`, or else on the page used last. Restores it if it's closed; its agent
 * starts with the next message. Throws a sentence if that isn't possible.
 */
export async function openStored(
  { pool, sessions, catalog, pages, board, worktrees }: OpenServices,
  { key, agentId, agentName }: Pick<StoredListing, 'key' | 'agentId' | 'agentName'>,
  show: (key: SessionKey) => void | Promise<void> = (one) => pages.withPage((page) => page.show(one)),
): Promise<void> {
  if (pool.sessions.some((session) => session.key === key)) return show(key);
  // The session may have been closed or opened since the list was shown.
  await sessions.look();
  const isElsewhere = sessions.stored.find((listing) => listing.key === key)?.isElsewhere;
  if (isElsewhere) return openElsewhere(board, key);
  const spec = catalog.find(agentId);
  const stored = await sessions.read(key);
  if (!stored) throw new Error(l10n.t('Couldn’t read this session’s saved data.'));
  // Agents from the settings aren't available while the folder isn't trusted.
  if (!spec && !vscode.workspace.isTrusted) return warnUntrusted();
  if (!spec) {
    throw new Error(l10n.t('There’s no agent named “{0}”. Your agents are listed in parley.agents.', agentName));
  }
  await worktrees.bringBack(stored.snapshot.view.cwd);
  // Another click may have restored it in the meantime.
  if (!pool.sessions.some((session) => session.key === key)) pool.restoreSession(spec, stored);
  return show(key);
}
