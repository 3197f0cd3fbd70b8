import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { goToTurn } from './goToTurn';
import { transcriptMessages } from './transcriptMessages';

/** What the user does with a whole transcript: finding, going to a turn, copying. */
export function transcriptFeature({ pages, log }: { readonly pages: ChatPages; readonly log: Log }) {
  const commands = commandTable({
    'parley.find': () => pages.withPage((page) => page.post({ type: 'openFind' })),
    'parley.nextTurn': () => pages.withPage((page) => page.post({ type: 'stepTurn', by: 1 })),
    'parley.previousTurn': () => pages.withPage((page) => page.post({ type: 'stepTurn', by: -1 })),
    'parley.goToTurn': () => goToTurn(pages),
  });
  return { messages: transcriptMessages(log, () => goToTurn(pages)), commands };
}
