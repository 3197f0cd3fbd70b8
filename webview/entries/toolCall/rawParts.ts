import * as l10n from '@vscode/l10n';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { shortenMiddle } from '../../../src/shared/text/visibleText';
import { isRecord } from '../../../src/shared/values/isRecord';
import { createCodeBlock, highlightCodeBlock } from '../../code/codeBlock';
import { actionOf, askedLimit, lengthWords, visibleText } from '../request/askedText';
import { isForUser } from '../view/contentBlock';

/** Maximum length of pretty-printed raw values, in UTF-16 units. Longer ones are cut unless the user must decide on them. */
const rawLimit = 20_000;
/** Minimum length of a value to be left out because the call's text contains it. Shorter ones may match by chance. */
const saidLength = 20;

/** Returns raw input and output, pretty-printed. A call that asks shows all of it, except values its text already contains. */
export function rawParts(entry: ToolCallEntry): HTMLElement[] {
  const output = entry.rawOutput === undefined ? [] : [part(l10n.t('Output'), entry.rawOutput, rawLimit)];
  const isAsking = entry.permission.state === 'asked';
  // An action that isn't fully understood is shown in full, as received.
  const isUnclear = isAsking && !actionOf(entry).isComplete;
  const strange = isAsking ? entry.content.flatMap((item) => (item.type === 'unknown' ? [item.raw] : [])) : [];
  output.unshift(...strange.map((value) => part(l10n.t('Content'), value, askedLimit)));
  const input = isAsking && !isUnclear ? unseenInput(entry) : entry.rawInput;
  if (input === undefined) return output;
  if (!isAsking) return [part(l10n.t('Input'), input, rawLimit), ...output];
  if (!isRecord(input)) return [part(l10n.t('Input'), input, askedLimit), ...output];
  // Line breaks are hard to read as "\n", so such a text gets its own block.
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim().includes('\n');
  const fields = Object.entries(input);
  const rest = fields.filter(([, value]) => !isText(value));
  return [
    ...(rest.length > 0 || fields.length === 0 ? [part(l10n.t('Input'), Object.fromEntries(rest), askedLimit)] : []),
    ...fields.flatMap(([key, value]) =>
      isText(value) ? [part(l10n.t('Input: {0}', key), value, askedLimit, languageOf(key))] : [],
    ),
    ...output,
  ];
}

/** Returns the parts of a call's input that its text doesn't show, or undefined if there are none. */
export function unseenInput({ rawInput, content }: ToolCallEntry): unknown {
  const said = content
    .map((item) =>
      item.type === 'content' && item.content.type === 'text' && isForUser(item.content) ? item.content.text : '',
    )
    .join('\n');
  const isSaid = (value: unknown) =>
    typeof value === 'string' && value.trim().length > saidLength && said.includes(value.trim());
  if (content.length === 0 || rawInput === undefined) return rawInput;
  if (!isRecord(rawInput)) return isSaid(rawInput) ? undefined : rawInput;
  const rest = Object.entries(rawInput).filter(([, value]) => !isSaid(value));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function part(label: string, value: unknown, limit: number, language = ''): HTMLElement {
  const isOwnText = typeof value === 'string';
  const text = isOwnText ? value : JSON.stringify(value, undefined, 2);
  const shown = limit === askedLimit ? visibleText(text) : shortenMiddle(text, limit);
  const block = createCodeBlock(language === '' ? 'json' : language, shown, true);
  block.classList.add('raw');
  const length = lengthWords(text, limit);
  const head = block.querySelector('.grow');
  if (head) head.textContent = length === '' ? label : l10n.t('{0}, {1}', label, length);
  highlightCodeBlock(block, () => highlightCodeBlock(block, () => undefined));
  return block;
}

function languageOf(key: string): string {
  return /diff|patch/i.test(key) ? 'diff' : 'text';
}
