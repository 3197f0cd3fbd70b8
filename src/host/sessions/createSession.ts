import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { NoticeText, Session } from '../../session/session';
import type { AgentId } from '../../shared/ids';
import type { AgentCatalog } from '../agents/agentCatalog';
import { holdsHome } from '../base/filePaths';
import { currentFolder } from '../base/folders';
import type { ScratchFolder } from './scratchFolder';

/** The services that creating a session needs. */
export interface CreateServices {
  readonly pool: AgentPool;
  readonly catalog: AgentCatalog;
  readonly scratch: ScratchFolder;
}

/** Opens a session with this agent, or with the default one. Returns undefined if agents can't start here. */
export function createSession(
  { pool, catalog, scratch }: CreateServices,
  options: { readonly agent?: AgentId; readonly cwd?: string } = {},
): Session | undefined {
  // The page shows why, so this only prevents the start.
  if (!vscode.workspace.isTrusted) return undefined;
  const spec = (options.agent !== undefined && catalog.find(options.agent)) || catalog.default;
  const session = pool.createSession({ spec, cwd: options.cwd ?? currentFolder() ?? scratch.path });
  const notice = folderNotice(session.transcript.view.cwd, scratch);
  if (notice) session.addNotice(notice);
  return session;
}

/** Returns the notice about a session's folder, if it needs one. */
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
