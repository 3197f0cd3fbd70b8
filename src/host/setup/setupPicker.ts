import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Finding, Fix } from '../../agent/setup/check';
import { stateWord } from '../../agent/setup/setupReport';
import type { AgentId } from '../../shared/ids';
import { createPicker } from '../ui/quickInput';
import type { CheckedPart } from './setupCheck';

/** What the user chose in the list. */
export type SetupChoice =
  | { readonly does: 'fix'; readonly fix: Fix; readonly agent: AgentId | undefined }
  | { readonly does: 'again' | 'showText' | 'saveBundle' };

interface SetupItem extends vscode.QuickPickItem {
  readonly choice?: SetupChoice;
  /** Ends the wait for agents that don't answer, and keeps the list open. */
  readonly stopsWaiting?: true;
}

const icons: Readonly<Record<Finding['state'], string>> = {
  ok: 'pass',
  note: 'info',
  problem: 'error',
  skipped: 'circle-slash',
};

/**
 * Runs a check and lists its parts as they are found, each with its one fix, which Enter applies. Resolves to the
 * user's choice, or to undefined if the user closes the list, which also cancels the check.
 */
export async function pickFix(
  run: (signal: AbortSignal, changed: (parts: readonly CheckedPart[]) => void, enough: AbortSignal) => Promise<void>,
): Promise<SetupChoice | undefined> {
  const picker = createPicker<SetupItem>();
  const closed = new AbortController();
  const enough = new AbortController();
  let parts: readonly CheckedPart[] = [];
  let isDone = false;
  const draw = () => {
    if (closed.signal.aborted) return;
    const active = picker.activeItems[0];
    const hasMoved = active !== undefined && active !== picker.items[0];
    picker.items = itemsOf(parts, isDone);
    // The user may read a part while others are still being checked.
    const kept = picker.items.find(({ label }) => label === active?.label);
    if (hasMoved && kept) picker.activeItems = [kept];
    picker.busy = !isDone;
    picker.placeholder = placeholderOf(parts, isDone);
  };
  picker.title = l10n.t('Check setup');
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  try {
    return await new Promise<SetupChoice | undefined>((resolve, reject) => {
      picker.onDidHide(() => {
        closed.abort();
        resolve(undefined);
      });
      picker.onDidAccept(() => {
        // A part without a fix stays in the list, because there is nothing to do.
        const [chosen] = picker.selectedItems;
        if (chosen?.stopsWaiting) enough.abort();
        else if (chosen?.choice) resolve(chosen.choice);
      });
      picker.show();
      run(
        closed.signal,
        (found) => {
          parts = found;
          draw();
        },
        enough.signal,
      ).then(() => {
        isDone = true;
        draw();
      }, reject);
    });
  } finally {
    closed.abort();
    picker.dispose();
  }
}

function placeholderOf(parts: readonly CheckedPart[], isDone: boolean): string {
  if (!isDone) {
    const known = parts.filter(({ finding }) => finding).length;
    return l10n.t('Checking… {0} of {1} checked', known, parts.length);
  }
  const problems = parts.filter(({ finding }) => finding?.state === 'problem').length;
  if (problems === 0) return l10n.t('No problems found');
  return problems === 1
    ? l10n.t('1 problem found. Select it to fix it.')
    : l10n.t('{0} problems found. Select one to fix it.', problems);
}

function itemsOf(parts: readonly CheckedPart[], isDone: boolean): readonly SetupItem[] {
  if (!isDone) {
    const items = parts.map(itemOf);
    if (!parts.some(({ finding, soFar }) => !finding && soFar)) return items;
    const stop = {
      label: l10n.t('Stop waiting'),
      iconPath: new vscode.ThemeIcon('debug-stop'),
      stopsWaiting: true,
    } as const;
    return [...items, { label: '', kind: vscode.QuickPickItemKind.Separator }, stop];
  }
  // Problems come first once all are known. Before, nothing moves.
  const order = ['problem', 'note', 'skipped', 'ok'];
  const rank = ({ finding }: CheckedPart) => order.indexOf(finding?.state ?? 'ok');
  const sorted = [...parts].sort((one, other) => rank(one) - rank(other));
  return [
    ...sorted.map(itemOf),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: l10n.t('Check again'), iconPath: new vscode.ThemeIcon('refresh'), choice: { does: 'again' } },
    { label: l10n.t('Show as text'), iconPath: new vscode.ThemeIcon('file'), choice: { does: 'showText' } },
    {
      label: l10n.t('Save support bundle…'),
      iconPath: new vscode.ThemeIcon('save'),
      detail: l10n.t('Shows you everything in it first'),
      choice: { does: 'saveBundle' },
    },
  ];
}

function itemOf({ name, agent, finding, soFar }: CheckedPart): SetupItem {
  const known = finding ?? soFar;
  if (!known) {
    return { label: name, description: l10n.t('Checking…'), iconPath: new vscode.ThemeIcon('loading~spin') };
  }
  const { state, summary, detail, fix } = known;
  const isBad = state === 'problem';
  const color = isBad ? new vscode.ThemeColor('list.errorForeground') : undefined;
  const shown = detail.replaceAll(homedir(), '~').replace(/\s+/g, ' ');
  return {
    label: name,
    description: finding ? `${stateWord(state)} · ${summary}` : `${l10n.t('Checking…')} · ${summary}`,
    // A row has one line, which cuts the end off.
    detail: fix ? `→ ${fix.label} · ${shown}` : shown,
    iconPath: new vscode.ThemeIcon(finding ? icons[state] : 'loading~spin', color),
    ...(fix ? { choice: { does: 'fix', fix, agent } } : {}),
  };
}
