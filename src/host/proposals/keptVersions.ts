import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { timeAgo } from '../../shared/pages/sessionRowWords';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** A version of the user's that was neither used nor sent. */
export interface KeptVersion {
  /** When it was last changed, in milliseconds since the epoch. */
  readonly at: number;
  /** The file that it is a version of. Absent for a plan. */
  readonly path?: string;
  open(): Promise<void>;
}

/** Lets the user open one of the versions that were kept aside. */
export async function pickKeptVersion(versions: readonly KeptVersion[]): Promise<void> {
  if (versions.length === 0) {
    void showInformation(l10n.t('There are no kept versions. Edits that you don’t allow or send appear here.'));
    return;
  }
  const latestFirst = [...versions].sort((a, b) => b.at - a.at);
  const items = latestFirst.map((version) => ({
    label: version.path === undefined ? l10n.t('Plan') : basename(version.path),
    description: timeAgo(version.at, Date.now(), vscode.env.language),
    ...(version.path === undefined ? {} : { detail: vscode.workspace.asRelativePath(version.path) }),
    version,
  }));
  const picked = await pickOne(items, {
    title: l10n.t('Kept versions'),
    placeHolder: l10n.t('Select a version of yours'),
  });
  await picked?.version.open();
}
