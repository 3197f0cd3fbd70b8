import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NesPosition, NesRange } from '../../acp/decode/nesMessages';
import type { AwaySuggestion } from '../../nes/placement';
import { placesOf, SeenPlaces } from '../../nes/seenPlaces';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { messageOf } from '../../shared/values/messageOf';
import { Coalesced } from '../base/coalesce';
import { StatusItem } from '../ui/labels';
import { showWarning } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';
import { applyEdits } from '../workspaceFiles/workspaceFile';
import { AwayDecorations } from './awayDecorations';
import { placeWords } from './awayWords';

/** A suggestion that isn't at the cursor, with what its agent is told about it. */
export interface Offer {
  readonly suggestion: AwaySuggestion;
  readonly agentName: string;
  readonly accept: () => void;
  readonly reject: (reason: 'rejected' | 'ignored') => void;
}

const acceptCommand = 'parley.nextEdit.accept';

/**
 * Shows one suggestion away from the cursor: in the text, beside the cursor if the text isn't in view, and in the status
 * bar. The accept command applies a suggestion once all of its changes have been in view; until then, it goes to the next
 * one that hasn't. The others of the same answer follow. Any change of the file, except by that command, ends its suggestions.
 */
export class AwayEdits extends Disposable {
  private readonly decorations = this.register(new AwayDecorations());
  private readonly status = this.register(new StatusItem('parley.nextEdit', l10n.t('Parley: Next Edit'), 88));
  private readonly accepted = this.register(new Emitter<void>());
  /** Fires after a suggestion was applied or followed. */
  readonly onDidAccept = this.accepted.event;
  /** The suggestions of each source, in its order. */
  private readonly offers = new Map<object, readonly Offer[]>();
  private readonly seen = new SeenPlaces();
  /** The document that is being changed by an accepted suggestion. */
  private applying: string | undefined;
  private hadOffer = false;

  constructor() {
    super();
    const redraw = this.register(new Coalesced(() => this.draw()));
    for (const event of [
      vscode.window.onDidChangeActiveTextEditor,
      vscode.window.onDidChangeVisibleTextEditors,
      vscode.window.onDidChangeTextEditorVisibleRanges,
      vscode.window.onDidChangeTextEditorSelection,
    ]) {
      this.register(event(() => this.current && redraw.request()));
    }
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const uri = document.uri.toString();
        if (contentChanges.length > 0 && uri !== this.applying) this.endAll(uri);
      }),
    );
    this.register({ dispose: () => void vscode.commands.executeCommand('setContext', 'parley.hasNextEdit', false) });
  }

  private get current(): Offer | undefined {
    return [...this.offers.values()].flat()[0];
  }

  /** Replaces the suggestions of a source. Doesn't tell the agent anything about those before. */
  offer(source: object, offers: readonly Offer[]): void {
    this.offers.delete(source);
    if (offers.length > 0) this.offers.set(source, offers);
    this.update();
  }

  /** Removes a suggestion that the agent was already answered for. */
  settled(source: object, id: string): void {
    const offers = this.offers.get(source);
    if (!offers?.some(({ suggestion }) => suggestion.id === id)) return;
    this.offer(
      source,
      offers.filter(({ suggestion }) => suggestion.id !== id),
    );
  }

  /** Goes to the suggestion, or applies it if it is in view. */
  async accept(): Promise<void> {
    const offer = this.current;
    if (!offer) return;
    const { suggestion } = offer;
    const uri = vscode.Uri.parse(suggestion.uri);
    this.noteSeen(offer);
    const place = this.nextPlace(offer);
    const shown = vscode.window.activeTextEditor;
    const isSeen = this.seen.next(suggestion) === undefined;
    const isHere = shown?.document.uri.toString() === suggestion.uri && isInView(shown, place) && isSeen;
    const editor = isHere ? shown : await show(uri, place);
    if (!editor || (!isHere && suggestion.kind !== 'jump') || this.current !== offer) return;
    if (suggestion.kind === 'jump') this.goTo(editor, place);
    else if (!(await this.apply(editor, suggestion))) {
      offer.reject('ignored');
      return;
    }
    offer.accept();
    // What is left of the same answer was meant for the text before.
    if (suggestion.kind !== 'jump') this.endAll(suggestion.uri);
    this.accepted.fire();
  }

  /** Notes which changes of a suggestion are in view. */
  private noteSeen({ suggestion }: Offer): void {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.toString() !== suggestion.uri) return;
    this.seen.note(suggestion, (place) => isInView(editor, place));
  }

  /** Returns the place of the first change that hasn't been in view; if all have, that of one that is, or the first. */
  private nextPlace({ suggestion }: Offer): NesPosition {
    const unseen = this.seen.next(suggestion);
    if (unseen) return unseen;
    const editor = vscode.window.activeTextEditor;
    const isActive = editor?.document.uri.toString() === suggestion.uri;
    const shown = isActive ? placesOf(suggestion).find((place) => isInView(editor, place)) : undefined;
    return shown ?? placeOf(suggestion);
  }

  /** Rejects the suggestion. */
  dismiss(): void {
    this.current?.reject('rejected');
  }

  private async apply(
    editor: vscode.TextEditor,
    suggestion: Exclude<AwaySuggestion, { readonly kind: 'jump' }>,
  ): Promise<boolean> {
    const { document } = editor;
    const change = suggestion.kind === 'edit' ? changeOf(suggestion, document.uri) : await this.rename(suggestion);
    if (!change) return false;
    this.applying = suggestion.uri;
    try {
      if (!(await applyEdits(change))) {
        void showWarning(l10n.t('The editor couldn’t apply the suggestion. Nothing was changed.'));
        return false;
      }
    } finally {
      this.applying = undefined;
    }
    if (suggestion.kind === 'edit') this.goTo(editor, suggestion.cursor ?? endOf(suggestion.edits));
    return true;
  }

  /** Resolves to the change by which the language's extension renames the symbol. */
  private async rename({
    uri,
    position,
    newName,
  }: AwaySuggestion & { readonly kind: 'rename' }): Promise<vscode.WorkspaceEdit | undefined> {
    try {
      const change = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
        'vscode.executeDocumentRenameProvider',
        vscode.Uri.parse(uri),
        new vscode.Position(position.line, position.character),
        newName,
      );
      if (change && change.size > 0) return change;
      void showWarning(
        l10n.t('Couldn’t rename to “{0}”: no extension can rename this symbol. Nothing was changed.', newName),
      );
    } catch (error) {
      const words = l10n.t('Couldn’t rename to “{0}”: {1}. Nothing was changed.', newName, messageOf(error));
      void showWarning(words);
    }
    return undefined;
  }

  private goTo(editor: vscode.TextEditor, { line, character }: NesPosition): void {
    const position = editor.document.validatePosition(new vscode.Position(line, character));
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Ends the suggestions for a document whose text has changed. */
  private endAll(uri: string): void {
    for (const offer of [...this.offers.values()].flat()) if (offer.suggestion.uri === uri) offer.reject('ignored');
  }

  private update(): void {
    const has = this.current !== undefined;
    if (has !== this.hadOffer) void vscode.commands.executeCommand('setContext', 'parley.hasNextEdit', has);
    this.hadOffer = has;
    this.draw();
  }

  private draw(): void {
    const offer = this.current;
    if (offer) this.noteSeen(offer);
    const place = offer && this.nextPlace(offer);
    const hint = offer && place && { place, editor: hintEditor(offer.suggestion, place) };
    this.decorations.draw(offer?.suggestion, offer?.agentName ?? '', hint);
    if (!offer || !place) {
      this.status.hide();
      return;
    }
    const words = placeWords(offer.suggestion, place, vscode.window.activeTextEditor?.document.uri.toString());
    const tooltip = l10n.t('Go to or accept the next edit, suggested by {0}', offer.agentName);
    this.status.show({ icon: 'edit', text: words, tooltip, isWarning: false }, acceptCommand, []);
  }
}

/** Returns the editor in which the user is, if the suggestion isn't in view there. */
function hintEditor(suggestion: AwaySuggestion, place: NesPosition): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') return undefined;
  const isHere = editor.document.uri.toString() === suggestion.uri && isInView(editor, place);
  return isHere ? undefined : editor;
}

function isInView({ visibleRanges, document }: vscode.TextEditor, { line, character }: NesPosition): boolean {
  const position = document.validatePosition(new vscode.Position(line, character));
  return visibleRanges.some((range) => range.contains(position));
}

async function show(uri: vscode.Uri, { line, character }: NesPosition): Promise<vscode.TextEditor | undefined> {
  const at = new vscode.Range(line, character, line, character);
  try {
    const options = { selection: at, viewColumn: targetColumn() };
    return await vscode.window.showTextDocument(uri, options);
  } catch (error) {
    void showWarning(l10n.t('Couldn’t open the file of the suggestion: {0}.', messageOf(error)));
    return undefined;
  }
}

/** The place of a suggestion: where its first change is. */
export function placeOf(suggestion: AwaySuggestion): NesPosition {
  if (suggestion.kind !== 'edit') return suggestion.position;
  return suggestion.edits[0]?.range.start ?? { line: 0, character: 0 };
}

function changeOf({ edits }: AwaySuggestion & { readonly kind: 'edit' }, uri: vscode.Uri): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  change.set(
    uri,
    edits.map(({ range, newText }) => new vscode.TextEdit(editorRange(range), newText)),
  );
  return change;
}

/** Returns where the last of these edits ends, once all of them are applied. */
function endOf(edits: (AwaySuggestion & { readonly kind: 'edit' })['edits']): NesPosition {
  const last = edits.at(-1);
  if (!last) return { line: 0, character: 0 };
  let [lines, characters] = [0, 0];
  for (const { range, newText } of edits.slice(0, -1)) {
    const added = newText.split('\n');
    lines += added.length - 1 - (range.end.line - range.start.line);
    if (range.end.line !== last.range.start.line) continue;
    const before = range.start.line === range.end.line ? range.start.character : 0;
    characters += (added.at(-1)?.length ?? 0) + before - range.end.character;
  }
  const inserted = last.newText.split('\n');
  const isOneLine = inserted.length === 1;
  return {
    line: last.range.start.line + lines + inserted.length - 1,
    character: (isOneLine ? last.range.start.character + characters : 0) + (inserted.at(-1)?.length ?? 0),
  };
}

export function editorRange({ start, end }: NesRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
