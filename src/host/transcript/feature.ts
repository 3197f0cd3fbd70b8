import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { transcriptMessages } from './transcriptMessages';

/** What the user does with a whole transcript: finding, going to a turn, copying. */
export function transcriptFeature({ pages, log }: { readonly pages: ChatPages; readonly log: Log }) {
  const goToTurn = async () => (await import('./goToTurn')).goToTurn(pages);
  const commands = commandTable({
    'parley.find': () => pages.withPage((page) => page.post({ type: 'openFind' })),
    'parley.nextTurn': () => pages.withPage((page) => page.post({ type: 'stepTurn', by: 1 })),
    'parley.previousTurn': () => pages.withPage((page) => page.post({ type: 'stepTurn', by: -1 })),
    'parley.goToTurn': goToTurn,
  });
  return { messages: transcriptMessages(log, goToTurn), commands };
}
