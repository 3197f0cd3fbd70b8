import type { Session } from '../../session/session';
import type { RestorePreview } from '../../shared/changes/review';
import type { UserMessageEntry } from '../../shared/transcript/transcript';
import { commandTable } from '../base/feature';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import { restoreIn, type RestoreServices } from './restoreMessages';

/**
 * The chat page's checkpoint actions as commands for keybindings and scripts. They act on the session used last, and
 * identify a message by its turn, counted from 1. Restore accepts the URIs to overwrite and a message to send instead.
 */
export function restoreCommands(pages: ChatPages, services: RestoreServices) {
  const { restorer } = services;
  return commandTable({
    'parley.checkpoints.preview': async (turn): Promise<RestorePreview | undefined> => {
      const { session, message } = find(pages, turn);
      return session && message && restorer.preview(session, message);
    },
    'parley.checkpoints.restore': async (turn, overwrite, text) => {
      const { page, session, message } = find(pages, turn);
      if (!page || !session || !message) return undefined;
      const uris = Array.isArray(overwrite) ? overwrite.map(String) : [];
      return restoreIn(services, page, session, {
        type: 'restore',
        session: session.key,
        entry: message.id,
        overwrite: uris,
        ...(typeof text === 'string' ? { text } : {}),
      });
    },
    'parley.checkpoints.undo': async () => {
      const session = pages.activeSession;
      const entries = session ? [...session.transcript.entries.values()] : [];
      const notice = entries.findLast((entry) => entry.kind === 'notice' && entry.restore === 'undoable');
      return session && notice && restorer.undo(session, notice.id);
    },
  });
}

function find(
  pages: ChatPages,
  turn: unknown,
): { page?: ChatPage | undefined; session?: Session | undefined; message?: UserMessageEntry | undefined } {
  const session = pages.activeSession;
  const page = pages.all.find((one) => one.session !== undefined && one.session === session);
  const entries = session ? [...session.transcript.entries.values()] : [];
  const message = entries.find((entry) => entry.kind === 'user_message' && entry.turn === turn);
  return { page, session, message: message?.kind === 'user_message' ? message : undefined };
}
