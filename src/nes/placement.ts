import type { NesPosition, NesRange, NesSuggestion, NesTextEdit } from '../acp/decode/nesMessages';
import { linearPattern } from '../shared/text/linearPattern';

/** The part of a document that placing needs. */
export interface PlacedDocument {
  readonly uri: string;
  readonly lineCount: number;
  getText(range?: NesRange): string;
  positionAt(offset: number): NesPosition;
}

/** An edit that the editor can show as grey text at the cursor. */
export interface InlineEdit {
  readonly id: string;
  readonly range: NesRange;
  readonly insertText: string;
}

/** A suggestion that Parley shows itself. Search and replace has become edits. */
export type AwaySuggestion = Exclude<NesSuggestion, { readonly kind: 'searchAndReplace' }>;

/** With more edits, a suggestion is no longer one that the user can judge at a glance. */
const mostEdits = 100;

/**
 * Returns the suggestion as grey text at the cursor, if the editor can show it: one edit on the cursor's line that keeps
 * the text before the cursor and only adds to the text after it.
 */
export function inlineEdit(
  suggestion: NesSuggestion,
  document: PlacedDocument,
  cursor: NesPosition,
): InlineEdit | undefined {
  if (suggestion.kind !== 'edit' || suggestion.uri !== document.uri) return undefined;
  const [edit, ...others] = suggestion.edits;
  if (!edit || others.length > 0) return undefined;
  const { range, newText } = edit;
  const { start, end } = range;
  if (start.line !== cursor.line || end.line !== cursor.line) return undefined;
  if (start.character > cursor.character || end.character < cursor.character) return undefined;
  const replaced = document.getText(range);
  const before = replaced.slice(0, cursor.character - start.character);
  if (!newText.startsWith(before)) return undefined;
  if (!isSubsequence(replaced.slice(before.length), newText.slice(before.length))) return undefined;
  return newText === replaced ? undefined : { id: suggestion.id, range, insertText: newText };
}

/**
 * Returns the suggestion as Parley shows it away from the cursor; undefined if it changes nothing or doesn't fit the
 * document. `document` is the one it is for, if it is open.
 */
export function awaySuggestion(
  suggestion: NesSuggestion,
  document: PlacedDocument | undefined,
): AwaySuggestion | undefined {
  if (suggestion.kind === 'edit') return checkedEdit(suggestion, document);
  if (suggestion.kind === 'searchAndReplace') {
    const edits = document ? replacements(suggestion, document) : [];
    const { id, uri } = suggestion;
    return edits.length === 0 ? undefined : checkedEdit({ kind: 'edit', id, uri, edits }, document);
  }
  return !document || suggestion.position.line < document.lineCount ? suggestion : undefined;
}

function checkedEdit(
  suggestion: NesSuggestion & { readonly kind: 'edit' },
  document: PlacedDocument | undefined,
): AwaySuggestion | undefined {
  const edits = [...suggestion.edits].sort((one, other) => compare(one.range.start, other.range.start));
  if (edits.length > mostEdits) return undefined;
  const overlap = edits.some(({ range }, index) => {
    const before = edits[index - 1];
    return before !== undefined && compare(before.range.end, range.start) > 0;
  });
  if (overlap) return undefined;
  if (!document) return { ...suggestion, edits };
  if (edits.some(({ range }) => range.start.line >= document.lineCount)) return undefined;
  const isChange = edits.some(({ range, newText }) => document.getText(range) !== newText);
  return isChange ? { ...suggestion, edits } : undefined;
}

/** The replacement is literal, also for a pattern. */
function replacements(
  { search, replace, isRegex }: NesSuggestion & { readonly kind: 'searchAndReplace' },
  document: PlacedDocument,
): readonly NesTextEdit[] {
  const text = document.getText();
  const found = isRegex ? linearPattern(search)?.matches(text) : literalMatches(text, search);
  const edits: NesTextEdit[] = [];
  for (const [start, end] of found ?? []) {
    edits.push({ range: { start: document.positionAt(start), end: document.positionAt(end) }, newText: replace });
    if (edits.length > mostEdits) break;
  }
  return edits;
}

function* literalMatches(text: string, search: string): Generator<readonly [number, number]> {
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) {
    yield [at, at + search.length];
  }
}

function compare(one: NesPosition, other: NesPosition): number {
  return one.line - other.line || one.character - other.character;
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const unit of part) {
    const found = whole.indexOf(unit, at);
    if (found < 0) return false;
    at = found + unit.length;
  }
  return true;
}
