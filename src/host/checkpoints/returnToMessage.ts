import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { outlineOf } from '../../session/find/turns';
import type { ChatPages } from '../pages/chatPages';
import { turnItem } from '../transcript/turnItems';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/**
 * Lets the user choose an earlier message of the session used last, and what to restore: the conversation, the files, or
 * both. The page opens the form of that message, so nothing is changed before the user has seen the effects.
 */
export async function returnToMessage(
  pages: Pick<ChatPages, 'activeSession' | 'withSession'>,
  canRestore: (session: Session, turn: number) => boolean,
): Promise<void> {
  const session = pages.activeSession;
  if (!session) return;
  const turns = outlineOf(session.transcript);
  if (turns.length === 0) {
    void showInformation(l10n.t('There are no turns yet. Send a message first.'));
    return;
  }
  const title = l10n.t('Return to message');
  const item = await pickOne(turns.map(turnItem).reverse(), {
    title,
    placeHolder: l10n.t('Select a message'),
    matchOnDescription: true,
  });
  if (!item) return;
  const { entry, turn } = item.turn;
  const stays = session.transcript.view.canRewind === true;
  const scopes = canRestore(session, turn)
    ? [conversationOnly(stays), filesOnly(), both(stays)]
    : [conversationOnly(stays)];
  const scope = await pickOne(scopes, { title, placeHolder: l10n.t('Select what to restore') });
  if (!scope) return;
  const { mode, keepsFiles } = scope;
  const kept = keepsFiles ? { keepsFiles } : {};
  await pages.withSession(session.key, (page) =>
    page.post({ type: 'openRestore', session: session.key, entry, mode, ...kept }),
  );
}

function conversationOnly(stays: boolean) {
  const detail = stays
    ? l10n.t('Edit the message and send it. A copy of the session keeps the later messages. Files stay as they are.')
    : l10n.t('Edit the message and send it in a new session. Files stay as they are.');
  return { label: l10n.t('Conversation only'), detail, mode: 'edit', keepsFiles: true } as const;
}

function filesOnly() {
  const detail = l10n.t('Restore files to this point. The conversation stays as it is.');
  return { label: l10n.t('Files only'), detail, mode: 'restore', keepsFiles: false } as const;
}

function both(stays: boolean) {
  const detail = stays
    ? l10n.t(
        'Restore files to this point, then send the edited message. A copy of the session keeps the later messages.',
      )
    : l10n.t('Restore files to this point, then send the edited message in a new session.');
  return { label: l10n.t('Conversation and files'), detail, mode: 'edit', keepsFiles: false } as const;
}
