import { statSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import type { AgentSpec } from '../../agent/agentSpec';
import type { AgentCapabilities } from '../../acp/decodeAgent';
import type { Preparation } from '../../agent/sessionSetup';
import { readFolderChoice } from './folderChoice';

/** What decides on the folders of a session. */
interface FolderQuestion {
  readonly spec: Pick<AgentSpec, 'name'>;
  readonly cwd: string;
  /** The folders of the workspace. */
  readonly roots: readonly string[];
  /** What the session was opened with before. */
  readonly own: readonly string[] | undefined;
  /** What the user chose for new sessions, as it was stored. */
  readonly stored: unknown;
  readonly can: Pick<AgentCapabilities, 'additionalDirectories'> | undefined;
}

/** What a session is opened with, and in which of these folders it needs no question; absent: in all of the workspace. */
export interface ChosenFolders {
  readonly setup: Partial<Pick<Preparation, 'additionalDirectories' | 'kept' | 'notices'>>;
  readonly inside?: readonly string[];
}

/** The folders that a session gets beside its own: those that it had, else those that the user chose for new ones. */
export function chosenFolders({ spec, cwd, roots, own, stored, can }: FolderQuestion): ChosenFolders {
  const { without, more, known } = readFolderChoice(stored);
  // As if nothing had ever been chosen: what comes into the workspace later comes into the session, too.
  if (!own && without.length + more.length === 0) return { setup: {} };
  const wanted = own ?? [...roots.filter((folder) => !without.includes(folder)), ...more];
  const kept = [...new Set(wanted)].filter((folder) => folder !== cwd);
  const beyond = kept.filter((folder) => !roots.includes(folder));
  if (can?.additionalDirectories !== true) {
    const reason = l10n.t('{0} doesn’t support additional folders', spec.name);
    return { setup: leftOut(beyond.map((folder) => ({ folder, reason }))) };
  }
  const gone = new Set(kept.filter((folder) => !isFolder(folder)));
  const reason = l10n.t('it no longer exists');
  const setup = {
    additionalDirectories: kept.filter((folder) => !gone.has(folder)),
    kept: { additionalDirectories: kept },
    ...leftOut([...gone].map((folder) => ({ folder, reason }))),
  };
  // A list that comes from an agent is no leave of the user's.
  const inside = setup.additionalDirectories.filter((folder) => roots.includes(folder) || known.includes(folder));
  return { setup, inside };
}

function leftOut(folders: readonly { readonly folder: string; readonly reason: string }[]): ChosenFolders['setup'] {
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
    return false; // That is the answer.
  }
}
