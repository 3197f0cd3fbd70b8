import type { Session } from '../../session/session';
import type { ChatPage } from './chatPage';
import type { Intent, IntentOf, IntentType } from './intent';

/** Does what messages of one type ask for. */
export type Handler<T extends IntentType> = (page: ChatPage, message: IntentOf<T>) => void;
/** The handlers of these types: a part of the table of messages, or all of it. */
export type Handlers<T extends IntentType> = { readonly [Type in T]: Handler<Type> };

type SessionIntent = Extract<Intent, { readonly session: unknown }>;

/** A handler that acts only as long as the page shows the session that the message is about. */
export function inSession<M extends SessionIntent>(
  act: (session: Session, message: M, page: ChatPage) => void,
): (page: ChatPage, message: M) => void {
  return (page, message) => {
    const session = page.sessionOf(message);
    if (session) act(session, message, page);
  };
}

type TypesOf<Part> = Part extends unknown ? keyof Part & IntentType : never;
/** The types that more than one of these parts handles. */
type HandledTwice<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? (TypesOf<First> & TypesOf<Rest[number]>) | HandledTwice<Rest>
  : never;

/** Parts of the table as one. Where two parts handle the same type, the result is no table, and names the type. */
export function joinHandlers<Parts extends readonly Partial<Handlers<IntentType>>[]>(
  ...parts: Parts
): [HandledTwice<Parts>] extends [never]
  ? Handlers<TypesOf<Parts[number]>>
  : `${HandledTwice<Parts>} has two handlers` {
  return Object.assign({}, ...parts) as ReturnType<typeof joinHandlers<Parts>>;
}

/** Calls the handler of a message. A type that is not in the table does nothing: something else has come to run in the page. */
export function handleIntent(table: Handlers<IntentType>, page: ChatPage, message: Intent): void {
  if (!Object.hasOwn(table, message.type)) return;
  const handler = table[message.type] as (page: ChatPage, message: Intent) => void;
  handler(page, message);
}
