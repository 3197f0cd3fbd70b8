import * as l10n from '@vscode/l10n';
import { outlineOf } from '../../session/find/turns';
import type { ToWebview } from '../../shared/pages/messages';
import type { ChatPages } from '../pages/chatPages';
import { showInformation } from '../ui/notifications';
import { createPicker } from '../ui/quickInput';
import { turnItem, type TurnItem } from './turnItems';

/**
 * Lists the turns of the session used last, also those that its page hasn't loaded. The page shows the turn that the
 * user moves to in the list, and returns to where the reader was if the list is cancelled.
 */
export async function goToTurn(pages: ChatPages): Promise<void> {
  const session = pages.activeSession;
  if (!session) return;
  const turns = outlineOf(session.transcript);
  if (turns.length === 0) {
    void showInformation(l10n.t('There are no turns yet. Send a message first.'));
    return;
  }
  const picker = createPicker<TurnItem>();
  picker.title = l10n.t('Turns');
  picker.placeholder = turns.length === 1 ? l10n.t('Search 1 turn') : l10n.t('Search {0} turns', turns.length);
  picker.matchOnDescription = true;
  picker.items = turns.map(turnItem);
  const last = picker.items.at(-1);
  if (last) picker.activeItems = [last];
  const toPages = (message: ToWebview) => pages.visiblePages.forEach((page) => page.post(message));
  const message = ({ turn }: TurnItem) => ({ type: 'revealEntry', session: session.key, entry: turn.entry }) as const;
  // Until the newest turn is selected, the list reports selections that the user hasn't made.
  let isReady = false;
  let isAccepted = false;
  picker.onDidChangeActive(([item]) => {
    if (isReady && item) toPages({ ...message(item), isPreview: true });
    isReady ||= item === last;
  });
  picker.onDidAccept(() => {
    const [item] = picker.selectedItems;
    isAccepted = item !== undefined;
    if (item) void pages.withSession(session.key, (page) => page.post(message(item)));
    picker.hide();
  });
  await new Promise<void>((resolve) => {
    picker.onDidHide(() => {
      if (!isAccepted) toPages({ type: 'endPreview', session: session.key });
      resolve();
    });
    picker.show();
  });
  picker.dispose();
}
