import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { pickOne } from '../ui/quickInput';

/** Represents a new session, which isn't open yet. */
export const newSessionChoice = Symbol('a new session');

/**
 * Asks which session gets a comment if no session with the change's author is open. Resolves to undefined if the user
 * cancels. Doesn't ask if no session is open.
 */
export async function pickReader(
  sessions: readonly Session[],
  agentName: string | undefined,
): Promise<Session | typeof newSessionChoice | undefined> {
  if (sessions.length === 0) return newSessionChoice;
  const anew = agentName === undefined ? l10n.t('New session') : l10n.t('New session with {0}', agentName);
  const items: (vscode.QuickPickItem & { readonly reader: Session | typeof newSessionChoice })[] = [
    { label: anew, iconPath: new vscode.ThemeIcon('add'), reader: newSessionChoice },
    ...sessions.toReversed().map((session) => ({
      label: session.transcript.view.title || l10n.t('Untitled session'),
      description: session.context.agentName,
      reader: session,
    })),
  ];
  const placeHolder =
    agentName === undefined
      ? l10n.t('Select a session for your comment')
      : l10n.t('{0} made this change but has no open session. Select a session for your comment', agentName);
  // A question that closes when it loses the focus would look like an answer.
  const picked = await pickOne(items, { placeHolder, ignoreFocusOut: true });
  return picked?.reader;
}
