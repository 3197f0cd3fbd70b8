import type { ClientContext, ClientQuestion } from '../../session/services';
import type { Answer } from './contentConsent';

/** A session's chat, where questions are put. */
export type AskInChat = ClientContext['ask'];

/** A question of Parley's own about something that is to be used. */
export interface UseQuestion {
  readonly title: string;
  readonly question: string;
  /** What it is about, as plain text. */
  readonly text: string;
  readonly use: string;
  readonly refuse: string;
  /** A button that shows more, and what it does. */
  readonly look?: { readonly name: string; readonly show: () => void };
}

/** Puts the question in a chat, where it stays until it is answered; undefined when it is withdrawn. */
export async function askToUse(
  ask: AskInChat,
  { title, question, text, use, refuse, look }: UseQuestion,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const put: ClientQuestion = {
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
  const chosen = await ask(put, signal);
  if (chosen === undefined) return undefined;
  return chosen === 'use' ? 'yes' : 'no';
}
