import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { ToolCallId } from '../../shared/ids';
import type { ToolCallContent } from '../../shared/content';
import type { Transcript } from '../../shared/transcript';

const scheme = 'parley-diff';

type Diff = Extract<ToolCallContent, { type: 'diff' }>;

/**
 * Shows an agent's diff in a diff editor. Both sides are read from the transcript when VS Code asks for them, so nothing
 * is kept for an editor that was closed.
 */
export class DiffViewer extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly findSession: (key: string) => Session | undefined;

  constructor(findSession: (key: string) => Session | undefined) {
    super();
    this.findSession = findSession;
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const query = new URLSearchParams(uri.query);
    const session = this.findSession(query.get('session') ?? '');
    const call = query.get('call');
    const diff = session && call !== null ? findDiff(session.transcript, call, Number(query.get('index'))) : undefined;
    if (!diff) return l10n.t('The session that made this change is closed.');
    return query.get('side') === 'old' ? (diff.oldText ?? '') : diff.newText;
  }

  /** Opens the diff at `index` of a tool call's content; the right side is the file itself when it holds that text. */
  async open(session: Session, toolCall: ToolCallId, index: number): Promise<void> {
    const diff = findDiff(session.transcript, toolCall, index);
    if (!diff) return;
    const side = (name: 'old' | 'new') => {
      const query = new URLSearchParams({ session: session.key, call: toolCall, index: String(index), side: name });
      return vscode.Uri.file(diff.path).with({ scheme, query: query.toString() });
    };
    const right = (await holds(diff)) ? vscode.Uri.file(diff.path) : side('new');
    const title = l10n.t('{0} ({1})', basename(diff.path), session.transcript.view.agentName);
    await vscode.commands.executeCommand('vscode.diff', side('old'), right, title, { preview: true });
  }
}

/** The diff at `index` of the content of the tool call of that id. */
function findDiff(transcript: Transcript, toolCall: string, index: number): Diff | undefined {
  for (const entry of transcript.entries.values()) {
    if (entry.kind !== 'tool_call' || entry.toolCallId !== toolCall) continue;
    const content = entry.content[index];
    return content?.type === 'diff' ? content : undefined;
  }
  return undefined;
}

/** Whether the file on disk or in its editor is what the diff leads to, line endings aside. */
async function holds(diff: Diff): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(diff.path));
    return document.getText().replace(/\r\n/g, '\n') === diff.newText.replace(/\r\n/g, '\n');
  } catch {
    // No such file, or no text: then the agent's own words are shown.
    return false;
  }
}
