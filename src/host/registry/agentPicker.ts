import * as l10n from '@vscode/l10n';
import type { AgentAction, AgentItem } from './agentItems';
import { showInformation } from '../ui/notifications';
import { createPicker } from '../ui/quickInput';

/** The content of the list once it's loaded. */
export interface PickerContent {
  readonly items: readonly AgentItem[];
  /** The age of the list if it isn't up to date. */
  readonly note?: string;
}

/**
 * Lets the user select an action. The list opens immediately. `load` fills it, and is aborted if the user closes it
 * first.
 */
export async function pickAgentAction(
  load: (signal: AbortSignal) => Promise<PickerContent>,
): Promise<AgentAction | undefined> {
  const picker = createPicker<AgentItem>();
  const closed = new AbortController();
  picker.title = l10n.t('Add agent');
  picker.placeholder = l10n.t('Loading agents…');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.busy = true;
  try {
    return await new Promise<AgentAction | undefined>((resolve, reject) => {
      picker.onDidHide(() => {
        closed.abort();
        resolve(undefined);
      });
      picker.onDidAccept(() => {
        const action = picker.selectedItems[0]?.action;
        // Keep the list open, because the user may want another action.
        if (action?.does === 'explain') void showInformation(action.words);
        else if (action) resolve(action);
      });
      picker.onDidTriggerItemButton(({ item }) => {
        if (item.added) resolve({ does: 'remove', added: item.added });
      });
      picker.show();
      load(closed.signal).then(({ items, note }) => {
        if (closed.signal.aborted) return;
        picker.items = items;
        picker.busy = false;
        picker.placeholder = note ?? l10n.t('Search {0} agents', items.filter(({ action }) => action).length);
        if (note !== undefined) picker.title = l10n.t('Add agent (offline)');
      }, reject);
    });
  } finally {
    picker.dispose();
  }
}
