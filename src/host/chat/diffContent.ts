import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import type { ToolCallContent } from '../../shared/transcript/content';
import type { Transcript } from '../../shared/transcript/transcript';

/** URI scheme for the two sides of a diff. `openDiff` creates these URIs. */
export const diffScheme = 'parley-diff';

/** A diff as the agent reported it. */
export type Diff = Extract<ToolCallContent, { type: 'diff' }>;

/**
 * Provides the two sides of an agent's diff to the diff editor. Reads them from the transcript on request, so closed
 * editors use no memory.
 */
export class DiffContent extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly findSession: (key: string) => Session | undefined;

  constructor(findSession: (key: string) => Session | undefined) {
    super();
    this.findSession = findSession;
    this.register(vscode.workspace.registerTextDocumentContentProvider(diffScheme, this));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const query = new URLSearchParams(uri.query);
    const session = this.findSession(query.get('session') ?? '');
    const call = query.get('call');
    const diff = session && call !== null ? findDiff(session.transcript, call, Number(query.get('index'))) : undefined;
    if (!diff) return l10n.t('The session that made this change is closed.');
    return query.get('side') === 'old' ? (diff.oldText ?? '') : diff.newText;
  }
}

/** Returns the diff at `index` in the content of the tool call with that id. */
export function findDiff(transcript: Transcript, toolCall: string, index: number): Diff | undefined {
  for (const entry of transcript.entries.values()) {
    if (entry.kind !== 'tool_call' || entry.toolCallId !== toolCall) continue;
    const content = entry.content[index];
    return content?.type === 'diff' ? content : undefined;
  }
  return undefined;
}
