import type { ClientContext, ClientQuestion } from '../../session/services';
import type { Answer } from './contentConsent';

/** A session's chat, where questions are shown. */
export type AskInChat = ClientContext['ask'];

/** A question from Parley about something that agents or Parley would use. */
export interface UseQuestion {
  readonly title: string;
  readonly question: string;
  /** The subject of the question, as plain text. */
  readonly text: string;
  readonly use: string;
  readonly refuse: string;
  /** A button that shows details, and its action. */
  readonly look?: { readonly name: string; readonly show: () => void };
}

/** Shows the question in a chat until it's answered. Resolves to undefined if it's withdrawn. */
export async function askToUse(
  ask: AskInChat,
  { title, question, text, use, refuse, look }: UseQuestion,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const clientQuestion: ClientQuestion = {
    title,
    toolKind: 'other',
    content: [],
    locations: [],
    asks: { question, text },
    ...(look ? { look: { optionId: 'look', show: look.show } } : {}),
    options: [
      { optionId: 'use', name: use, kind: 'allow_always' },
      ...(look ? ([{ optionId: 'look', name: look.name, kind: 'unknown' }] as const) : []),
      { optionId: 'refuse', name: refuse, kind: 'reject_always' },
    ],
  };
  const chosen = await ask(clientQuestion, signal);
  if (chosen === undefined) return undefined;
  return chosen === 'use' ? 'yes' : 'no';
}
