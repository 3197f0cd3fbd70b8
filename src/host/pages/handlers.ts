import type { Session } from '../../session/session';
import type { ChatPage } from './chatPage';
import type { Intent, IntentOf, IntentType } from './intent';

/** Handles messages of one type. */
export type Handler<T extends IntentType> = (page: ChatPage, message: IntentOf<T>) => void;
/** The handlers of these message types: the message table or a part of it. */
export type Handlers<T extends IntentType> = { readonly [Type in T]: Handler<Type> };

type SessionIntent = Extract<Intent, { readonly session: unknown }>;

/** Creates a handler that acts only while the page shows the message's session. */
export function inSession<M extends SessionIntent>(
  act: (session: Session, message: M, page: ChatPage) => void,
): (page: ChatPage, message: M) => void {
  return (page, message) => {
    const session = page.sessionOf(message);
    if (session) act(session, message, page);
  };
}

/**
 * Calls a message's handler. Ignores unknown types, and reports what a handler can't read: only foreign code in the page can send either.
 */
export function handleIntent(
  table: Handlers<IntentType>,
  page: ChatPage,
  message: Intent,
  report: (error: unknown) => void,
): void {
  if (!Object.hasOwn(table, message.type)) return;
  const handler = table[message.type] as (page: ChatPage, message: Intent) => void;
  try {
    handler(page, message);
  } catch (error) {
    report(error);
  }
}
