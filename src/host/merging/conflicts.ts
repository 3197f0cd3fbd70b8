import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileRef } from '../../review/files/fileRef';
import type { BroughtFile } from '../../worktree/bring/broughtBase';
import { changeFile } from '../fileChanges/changeFiles';
import { ChangeRefused } from '../fileChanges/fileChange';
import { askModal } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import { presentFile, refOf } from '../workspaceFiles/presentFile';
import type { ChangeBringer } from './bringChanges';
import type { BringConflict, BringRequest, BroughtChanges } from './broughtChanges';
import { conflictWords } from './bringWords';
import { conflictMessage } from './conflictMessage';

/** How a caller handles conflicts. */
export interface ConflictOptions {
  /** Whether the session's agent can be asked. Files of which only some changes are wanted can't be handed to it. */
  readonly canAsk: boolean;
  /** Called for each file that has the agent's version now, or that the user resolves in the editor. */
  readonly took?: (path: string) => void;
  /**
   * Called once all are decided, before the agent is asked. `handed` is what the user's files have that the agent merges with its own,
   * from which the next merge starts.
   */
  readonly note: (handed: readonly BroughtFile[]) => Promise<void>;
}

/** Lets the user decide about conflicts. What isn't decided conflicts again the next time. */
export async function decideConflicts(
  bringer: ChangeBringer,
  request: BringRequest,
  { conflicts }: Pick<BroughtChanges, 'conflicts'>,
  { canAsk, took, note }: ConflictOptions,
): Promise<void> {
  const { session, worktree } = request;
  const lines = conflicts.filter(({ marked }) => marked !== undefined);
  const others = conflicts.filter((one) => !lines.includes(one) && one.conflict !== 'place');
  const inEditor = l10n.t('Resolve in Editor');
  const byAgent = l10n.t('Ask {0}', session.transcript.view.agentName);
  const perFile = l10n.t('Choose Versions');
  const question =
    conflicts.length === 1
      ? l10n.t('1 file has a conflict. How do you want to resolve it?')
      : l10n.t('{0} files have conflicts. How do you want to resolve them?', conflicts.length);
  const ofLines = canAsk ? [inEditor, byAgent] : [inEditor];
  const items = lines.length > 0 ? ofLines : others.length > 0 ? [perFile] : [];
  if (items.length === 0) return;
  const answer = await askModal(question, { detail: conflicts.map(conflictWords).join('\n'), items });
  if (answer === undefined) return;
  for (const conflict of others) {
    const chosen = await chooseVersion(bringer, request, conflict);
    if (!chosen) return;
    if (chosen.takes) took?.(conflict.path);
  }
  if (answer === byAgent) {
    const handed = await handToAgent(request, lines);
    await bringer.handOver(request, handed);
    await note(handed);
    session.sendPrompt(conflictMessage(lines, worktree.record.branch));
    return;
  }
  for (const conflict of lines) {
    await bringer.resolveInEditor(request, conflict);
    took?.(conflict.path);
  }
  await note([]);
}

/** Lets the user keep a file or take the agent's version. Resolves to undefined if the user doesn't decide. */
async function chooseVersion(bringer: ChangeBringer, request: BringRequest, conflict: BringConflict) {
  const { agentName } = request.session.transcript.view;
  const isGone = conflict.theirs.kind === 'absent';
  const items = [
    { label: l10n.t('Keep yours'), takes: false },
    { label: isGone ? l10n.t('Delete the file') : l10n.t('Use the version of {0}', agentName), takes: true },
  ];
  const picked = await pickOne(items, { title: conflict.path, placeHolder: l10n.t('Select a version') });
  if (picked?.takes) await bringer.takeTheirs(request, conflict);
  return picked;
}

/** Writes conflict markers to the files in the worktree. Resolves to what the user's files have, from which the next merge starts. */
async function handToAgent({ worktree }: BringRequest, conflicts: readonly BringConflict[]): Promise<BroughtFile[]> {
  const all: {
    readonly uri: vscode.Uri;
    readonly path: string;
    readonly theirs: FileRef;
    readonly marked: Uint8Array;
    readonly file: BroughtFile;
  }[] = [];
  for (const { path, from, theirs, marked, present } of conflicts) {
    const uri = vscode.Uri.file(join(worktree.record.path, path));
    const { bytes } = await presentFile(uri);
    if (!marked || !present || theirs.kind !== 'file') continue;
    if (!bytes || !Buffer.from(bytes).equals(theirs.bytes)) {
      throw changedThere(path);
    }
    all.push({
      uri,
      marked,
      theirs: refOf(theirs.bytes, undefined),
      path,
      file: { ...(from === undefined ? { path } : { path: from, to: path }), bytes: present },
    });
  }
  for (const { uri, path, theirs, marked } of all) {
    await changeFile({
      uri: uri.toString(),
      expected: { ref: theirs },
      next: { kind: 'file', bytes: () => Promise.resolve(marked), unsaved: 'kept' },
      record: async ({ check, apply }) => {
        await check();
        await apply();
      },
    }).catch((error: unknown) => {
      throw error instanceof ChangeRefused ? changedThere(path) : error;
    });
  }
  return all.map(({ file }) => file);
}

function changedThere(path: string): Error {
  return new Error(l10n.t('{0} has just changed there. Bring the changes again.', path));
}
