import * as l10n from '@vscode/l10n';
import { commandLineOf } from '../../../src/rules/requestedAction';
import type { ChangedCall, ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { shortenMiddle, showHiddenOnOneLine } from '../../../src/shared/text/visibleText';

/** A change by the agent after asking: the original value, and the current one. */
export interface ChangeRow {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

const longest = 400;

/** Returns the agent's changes to an open request, in the order of the card. */
export function changeRows(asked: ToolCallEntry, changed: ChangedCall): readonly ChangeRow[] {
  const rows: ChangeRow[] = [];
  const add = (label: string, before: unknown, after: unknown) => {
    if (after !== undefined) rows.push({ label, before: words(before), after: words(after) });
  };
  add(l10n.t('Title'), asked.title, changed.title);
  add(l10n.t('Tool'), asked.name, changed.name);
  add(l10n.t('Kind'), asked.toolKind, changed.toolKind);
  const command = commandLineOf(changed.rawInput);
  if (command === undefined) add(l10n.t('Input'), asked.rawInput, changed.rawInput);
  else add(l10n.t('Command'), commandLineOf(asked.rawInput) ?? asked.rawInput, command);
  // The input may contain more than the command.
  if (command !== undefined && Object.keys(changed.rawInput as object).length > 1) {
    add(l10n.t('Input'), asked.rawInput, changed.rawInput);
  }
  add(l10n.t('Files'), paths(asked.locations), paths(changed.locations));
  add(l10n.t('Content'), asked.content.length === 0 ? undefined : asked.content, changed.content);
  return rows;
}

function paths(locations: ToolCallEntry['locations'] | undefined): string | undefined {
  return locations?.map(({ path }) => path).join(', ');
}

function words(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return showHiddenOnOneLine(shortenMiddle(text, longest)) || l10n.t('(nothing)');
}
