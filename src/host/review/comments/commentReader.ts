import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../../session/session';
import { pickOne } from '../../ui/quickInput';

/** Represents a new session, which isn't open yet. */
export const newSessionChoice = Symbol('a new session');

/** Who gets a comment. */
export type CommentReader = Session | typeof newSessionChoice;

type ReaderItem = vscode.QuickPickItem & { readonly reader: CommentReader };

/**
 * Asks which session gets a comment if no session with the change's author is open. Resolves to undefined if the user
 * cancels. Doesn't ask if no session is open.
 */
export async function pickReader(
  sessions: readonly Session[],
  agentName: string | undefined,
): Promise<CommentReader | undefined> {
  if (sessions.length === 0) return newSessionChoice;
  const items = [newSessionItem(agentName), ...sessions.toReversed().map((session) => sessionItem(session))];
  const placeHolder =
    agentName === undefined
      ? l10n.t('Select a session for your comment')
      : l10n.t('{0} made this change but has no open session. Select a session for your comment', agentName);
  // A question that closes when it loses the focus would look like an answer.
  const picked = await pickOne(items, { placeHolder, ignoreFocusOut: true });
  return picked?.reader;
}

/** Lets the user send a comment to any session: first the one that it is about, then the other open ones, then a new one. */
export async function pickAnyReader(
  sessions: readonly Session[],
  about: Session | undefined,
  agentName: string | undefined,
): Promise<CommentReader | undefined> {
  const others = sessions.toReversed().filter((session) => session !== about);
  const items = [
    ...(about ? [sessionItem(about, l10n.t('this is about its change'))] : []),
    ...others.map((session) => sessionItem(session)),
    newSessionItem(agentName),
  ];
  const placeHolder = l10n.t('Select a session for your comment');
  return (await pickOne(items, { placeHolder, ignoreFocusOut: true }))?.reader;
}

function newSessionItem(agentName: string | undefined): ReaderItem {
  const label = agentName === undefined ? l10n.t('New session') : l10n.t('New session with {0}', agentName);
  return { label, iconPath: new vscode.ThemeIcon('add'), reader: newSessionChoice };
}

function sessionItem(session: Session, why?: string): ReaderItem {
  const { agentName } = session.context;
  return {
    label: session.transcript.view.title || l10n.t('Untitled session'),
    description: why === undefined ? agentName : `${agentName} · ${why}`,
    reader: session,
  };
}
