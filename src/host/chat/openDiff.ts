import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainPath } from '../../disk/paths';
import { isSameButLineBreaks } from '../../review/lines/lines';
import type { Session } from '../../session/session';
import type { ToolCallId } from '../../shared/values/ids';
import { diffScheme, findDiff, type Diff } from './diffContent';
import { plainTitle } from '../ui/labels';

/**
 * Opens the diff at `index` of a tool call's content. The right side is the file itself if it contains the new text.
 */
export async function openDiff(session: Session, toolCall: ToolCallId, index: number): Promise<void> {
  const diff = findDiff(session.transcript, toolCall, index);
  if (!diff) return;
  const side = (name: 'old' | 'new') => {
    const query = new URLSearchParams({ session: session.key, call: toolCall, index: String(index), side: name });
    return vscode.Uri.file(plainPath(diff.path)).with({ scheme: diffScheme, query: query.toString() });
  };
  const right = (await isCarriedOut(diff)) ? vscode.Uri.file(plainPath(diff.path)) : side('new');
  const title = plainTitle(l10n.t('{0} ({1})', basename(diff.path), session.transcript.view.agentName));
  await vscode.commands.executeCommand('vscode.diff', side('old'), right, title, { preview: true });
}

/** Returns true if the file on disk or in its editor matches the diff's new text, ignoring line endings. */
async function isCarriedOut(diff: Diff): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(plainPath(diff.path)));
    return isSameButLineBreaks(document.getText(), diff.newText);
  } catch {
    // The file is missing or isn't text, so show the texts from the agent.
    return false;
  }
}
