import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NesPosition } from '../../acp/decode/nesMessages';
import type { AwaySuggestion } from '../../nes/placement';
import { insertedWords } from '../../nes/insertedWords';
import { minimalEdit } from '../../nes/minimalEdit';
import { Disposable } from '../../shared/values/disposable';
import { shortenMiddle } from '../../shared/text/visibleText';
import { PlainMarkdown } from '../ui/plainMarkdown';
import { placeWords, shownText } from './awayWords';

/** Maximum characters of a text in the editor, and lines of a text in a hover. */
const [longestText, mostLines] = [120, 20];

const acceptCommand = 'parley.nextEdit.accept';
const dismissCommand = 'parley.nextEdit.dismiss';

const inserted = {
  color: new vscode.ThemeColor('editor.foreground'),
  backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'),
  // High contrast themes have these borders instead of backgrounds; elsewhere, they are transparent.
  border: '1px solid',
  borderColor: new vscode.ThemeColor('diffEditor.insertedTextBorder'),
  fontStyle: 'italic',
};

/** The next change of a suggestion, and the editor in which it isn't in view, if any. */
export interface Hint {
  readonly place: NesPosition;
  readonly editor: vscode.TextEditor | undefined;
}

/** Draws the suggestion that isn't at the cursor. Stable API has no other way to show it. */
export class AwayDecorations extends Disposable {
  private readonly place = this.register(
    vscode.window.createTextEditorDecorationType({
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.infoForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  private readonly removed = this.register(
    vscode.window.createTextEditorDecorationType({
      backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
      border: '1px solid',
      borderColor: new vscode.ThemeColor('diffEditor.removedTextBorder'),
      textDecoration: 'line-through',
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  private readonly hint = this.register(
    vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed }),
  );
  private drawn = new Set<vscode.TextEditor>();

  /** Draws the suggestion instead of the one before, with a hint at the cursor where its next change isn't in view. */
  draw(suggestion: AwaySuggestion | undefined, agentName: string, hint: Hint | undefined): void {
    const far = hint?.editor;
    if (!suggestion && this.drawn.size === 0) return;
    const before = this.drawn;
    this.drawn = new Set();
    for (const editor of vscode.window.visibleTextEditors) {
      const isTarget = suggestion?.uri === editor.document.uri.toString();
      if (!before.has(editor) && !isTarget && editor !== far) continue;
      const changes = isTarget ? changesIn(suggestion, agentName, editor.document) : [];
      editor.setDecorations(
        this.place,
        changes.map((change) => change.place),
      );
      editor.setDecorations(
        this.removed,
        changes.flatMap((change) => change.removed ?? []),
      );
      editor.setDecorations(
        this.hint,
        suggestion && hint && editor === far ? [hintIn(suggestion, hint.place, editor)] : [],
      );
      if (isTarget || editor === far) this.drawn.add(editor);
    }
  }
}

/** A change as drawn: the text that it removes, and the text that it inserts behind it. */
interface DrawnChange {
  readonly place: vscode.DecorationOptions;
  readonly removed?: vscode.Range;
}

function changesIn(
  suggestion: AwaySuggestion,
  agentName: string,
  document: vscode.TextDocument,
): readonly DrawnChange[] {
  const hoverMessage = hoverOf(suggestion, agentName, document);
  if (suggestion.kind === 'jump') {
    const range = pointAt(document, suggestion.position.line, suggestion.position.character);
    return [{ place: { range, hoverMessage, renderOptions: { after: textAfter(l10n.t('Continue here')) } } }];
  }
  if (suggestion.kind === 'rename') {
    const { line, character } = suggestion.position;
    const point = pointAt(document, line, character);
    const range = document.getWordRangeAtPosition(point.start) ?? point;
    const after = textAfter(suggestion.newName);
    return [{ place: { range, hoverMessage, renderOptions: { after } }, removed: range }];
  }
  return suggestion.edits.map(({ range: { start, end }, newText }) => {
    const whole = document.validateRange(new vscode.Range(start.line, start.character, end.line, end.character));
    const difference = minimalEdit(document.getText(whole).replace(/\r\n/g, '\n'), newText.replace(/\r\n/g, '\n'));
    const from = advance(whole.start, document.getText(whole), difference.kept);
    const removed = new vscode.Range(from, advance(from, difference.removed, difference.removed.length));
    const renderOptions = difference.inserted === '' ? {} : { after: textAfter(insertedWords(difference.inserted)) };
    return { place: { range: removed, hoverMessage, renderOptions }, ...(removed.isEmpty ? {} : { removed }) };
  });
}

/** Returns the position `length` units after `from`, in a text that begins there. Line breaks count as one unit. */
function advance(from: vscode.Position, text: string, length: number): vscode.Position {
  const lines = text.replace(/\r\n/g, '\n').slice(0, length).split('\n');
  const last = lines.at(-1) ?? '';
  return lines.length === 1
    ? from.translate(0, last.length)
    : new vscode.Position(from.line + lines.length - 1, last.length);
}

function pointAt(document: vscode.TextDocument, line: number, character: number): vscode.Range {
  const position = document.validatePosition(new vscode.Position(line, character));
  return new vscode.Range(position, position);
}

function textAfter(text: string): vscode.ThemableDecorationAttachmentRenderOptions {
  return { ...inserted, contentText: shownText(text, longestText) };
}

function hintIn(
  suggestion: AwaySuggestion,
  place: NesPosition,
  { document, selection }: vscode.TextEditor,
): vscode.DecorationOptions {
  const { end } = document.lineAt(selection.active.line).range;
  const after = {
    color: new vscode.ThemeColor('editorGhostText.foreground'),
    fontStyle: 'italic',
    contentText: placeWords(suggestion, place, document.uri.toString()),
    margin: '0 0 0 2em',
  };
  return { range: new vscode.Range(end, end), renderOptions: { after } };
}

function hoverOf(suggestion: AwaySuggestion, agentName: string, document: vscode.TextDocument): vscode.MarkdownString {
  const text = new PlainMarkdown(acceptCommand, dismissCommand);
  text.say(l10n.t('Suggested by {0}', agentName));
  if (suggestion.kind === 'rename') text.say(l10n.t('Rename to {0}', suggestion.newName));
  if (suggestion.kind === 'edit') {
    const lines = suggestion.edits.flatMap(({ newText }) => newText.split('\n'));
    const shown = lines.slice(0, mostLines).map((line) => shortenMiddle(line, longestText));
    if (lines.some((line) => line !== '')) text.code(shown, document.languageId);
    if (lines.length > mostLines) text.say(l10n.t('and {0} more', lines.length - mostLines));
  }
  const label = suggestion.kind === 'jump' ? l10n.t('Go there') : l10n.t('Accept');
  text.link('check', label, acceptCommand, []);
  text.link('close', l10n.t('Dismiss'), dismissCommand, [], true);
  return text.value;
}
