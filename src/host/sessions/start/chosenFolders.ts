import { statSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import type { AgentSpec } from '../../../agent/spec/agentSpec';
import type { AgentCapabilities } from '../../../acp/decode/decodeAgent';
import type { Preparation } from '../../../agent/connection/sessionSetup';
import { readFolderChoice } from './folderChoice';

/** The data that determines a session's folders. */
interface FolderQuestion {
  readonly spec: Pick<AgentSpec, 'name'>;
  readonly cwd: string;
  /** The workspace folders. */
  readonly roots: readonly string[];
  /** The folders that the session had before. */
  readonly own: readonly string[] | undefined;
  /** The user's choice for new sessions, as stored. */
  readonly stored: unknown;
  readonly can: Pick<AgentCapabilities, 'additionalDirectories'> | undefined;
}

/** The session's folders, and those where it may work without asking. If absent, it may work in the whole workspace. */
export interface ChosenFolders {
  readonly setup: Partial<Pick<Preparation, 'additionalDirectories' | 'kept' | 'notices'>>;
  readonly inside?: readonly string[];
}

/** Returns the additional folders of a session: those it had before, or those the user chose for new sessions. */
export function chosenFolders({ spec, cwd, roots, own, stored, can }: FolderQuestion): ChosenFolders {
  const { without, more, known } = readFolderChoice(stored);
  // Treated as no choice, so that folders added to the workspace later are also added to the session.
  if (!own && without.length + more.length === 0) return { setup: {} };
  const selected = own ?? [...roots.filter((folder) => !without.includes(folder)), ...more];
  const kept = [...new Set(selected)].filter((folder) => folder !== cwd);
  const beyond = kept.filter((folder) => !roots.includes(folder));
  // The user hasn't agreed to folders that come from an agent.
  const agreed = (folders: readonly string[]) =>
    folders.filter((folder) => roots.includes(folder) || known.includes(folder));
  if (can?.additionalDirectories !== true) {
    const reason = l10n.t('{0} doesn’t support additional folders', spec.name);
    const setup = noticeForSkipped(beyond.map((folder) => ({ folder, reason })));
    // A session that was limited to its folders stays so, whatever its agent can be told.
    return { setup, ...(own ? { inside: agreed(kept) } : {}) };
  }
  const gone = new Set(kept.filter((folder) => !isFolder(folder)));
  const reason = l10n.t('it no longer exists');
  const setup = {
    additionalDirectories: kept.filter((folder) => !gone.has(folder)),
    kept: { additionalDirectories: kept },
    ...noticeForSkipped([...gone].map((folder) => ({ folder, reason }))),
  };
  return { setup, inside: agreed(setup.additionalDirectories) };
}

function noticeForSkipped(
  folders: readonly { readonly folder: string; readonly reason: string }[],
): ChosenFolders['setup'] {
  if (folders.length === 0) return {};
  const title =
    folders.length === 1 ? l10n.t('1 folder was skipped') : l10n.t('{0} folders were skipped', folders.length);
  const lines = folders.map(({ folder, reason }) => `\n${folder}: ${reason}.`);
  const next = l10n.t('To change the folders for new sessions, use “Parley: Choose Folders for New Sessions…”.');
  return { notices: [{ severity: 'warning', title, description: `${lines.join('')}\n${next}` }] };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // A failure means that it isn't a folder.
  }
}
