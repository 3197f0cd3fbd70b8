import * as l10n from '@vscode/l10n';
import type { AgentAction, AgentItem } from './agentItems';
import { showInformation } from '../ui/notifications';
import { createPicker } from '../ui/quickInput';
import { offerRuntime } from './runtimeOffer';

/** The content of the list. */
export interface PickerContent {
  readonly items: readonly AgentItem[];
  /** Why the list isn't up to date, and of which day it is. */
  readonly note?: string;
  /** The registry is still being asked. */
  readonly isPreliminary?: boolean;
}

/**
 * Lets the user select an action. The list opens immediately. `load` fills it, first with what is on this machine, and
 * is aborted if the user closes it first.
 */
export async function pickAgentAction(
  load: (signal: AbortSignal, show: (content: PickerContent) => void) => Promise<void>,
): Promise<AgentAction | undefined> {
  const picker = createPicker<AgentItem>();
  const closed = new AbortController();
  let shown = '';
  picker.title = l10n.t('Add agent');
  picker.placeholder = l10n.t('Loading agents…');
  picker.matchOnDescription = true;
  picker.keepScrollPosition = true;
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
        if (action?.does === 'explain') void explain(action);
        else if (action) resolve(action);
      });
      picker.onDidTriggerItemButton(({ item }) => {
        if (item.added) resolve({ does: 'remove', added: item.added });
      });
      picker.show();
      load(closed.signal, ({ items, note, isPreliminary = false }) => {
        if (closed.signal.aborted) return;
        // The same entries again would move the user's selection.
        const print = JSON.stringify(items);
        if (print !== shown) picker.items = items;
        shown = print;
        picker.busy = isPreliminary;
        picker.placeholder = note ?? l10n.t('Search {0} agents', items.filter(({ action }) => action).length);
        if (note !== undefined) picker.title = l10n.t('Add agent (offline)');
      }).catch(reject);
    });
  } finally {
    picker.dispose();
  }
}

async function explain({ words, needs }: Extract<AgentAction, { does: 'explain' }>): Promise<void> {
  if (needs === undefined) await showInformation(words);
  else await offerRuntime(words, needs);
}
