import * as l10n from '@vscode/l10n';
import { promptFields } from '../../src/shared/pages/promptFields';
import { replaceRange } from './textField';

type Range = readonly [start: number, end: number];

/** A field that is asked: its name, and where its value is. */
interface OpenField {
  readonly name: string;
  readonly ranges: readonly Range[];
}

/** What a key did. */
export type FieldKey = 'nothing' | 'moved' | 'done' | 'takenBack';

/**
 * Asks for the fields of a prompt in the message, one by one: each is selected, and typing replaces it. Tab and Enter go
 * on, Shift+Tab goes back, and a field that is in the text more than once is asked once. Escape restores the message as
 * it was before the prompt. After an edit elsewhere, it asks for the fields that are still in the text.
 */
export class PromptFields {
  private fields: readonly OpenField[] = [];
  /** The selected field; -1 if none is, because the user has edited something else. */
  private at = -1;
  /** The whole text when the field was selected. */
  private entered = '';
  private before = { text: '', cursor: 0 };
  /** Whether the text is being changed here, and not by the user. */
  private isWriting = false;

  get isOpen(): boolean {
    return this.fields.length > 0;
  }

  /** What to do now; empty if no field is asked. */
  get sentence(): string {
    if (!this.isOpen) return '';
    const field = this.fields[this.at];
    if (!field) {
      const names = this.fields.map(({ name }) => name).join(', ');
      return l10n.t('Fields left: {0}. Enter or Tab continues, Escape removes the prompt.', names);
    }
    return l10n.t(
      'Field {0} of {1}: {2}. Enter or Tab continues, Escape removes the prompt.',
      this.at + 1,
      this.fields.length,
      field.name,
    );
  }

  /** Puts a prompt in the place of a range of the message, and asks for its fields. */
  begin(field: HTMLTextAreaElement, [start, end]: Range, text: string): void {
    this.end();
    this.before = { text: field.value, cursor: field.selectionStart };
    replaceRange(field, start, end, text);
    this.fields = fieldsIn(text, start);
    if (this.isOpen) this.select(field, 0);
  }

  end(): void {
    this.fields = [];
  }

  /** Handles a change of the text. */
  follow(field: HTMLTextAreaElement): void {
    if (!this.isOpen || this.isWriting || (this.at >= 0 && this.valueIn(field.value) !== undefined)) return;
    const names = new Set(this.fields.map(({ name }) => name));
    this.fields = fieldsIn(field.value, 0).filter(({ name }) => names.has(name));
    this.at = -1;
  }

  key(event: KeyboardEvent, field: HTMLTextAreaElement): FieldKey {
    if (!this.isOpen || event.ctrlKey || event.altKey || event.metaKey) return 'nothing';
    if (event.key === 'Escape') {
      this.end();
      // One step, so that undo brings back the prompt with everything that was typed.
      replaceRange(field, 0, field.value.length, this.before.text);
      field.setSelectionRange(this.before.cursor, this.before.cursor);
      return 'takenBack';
    }
    const isBack = event.key === 'Tab' && event.shiftKey;
    if (!isBack && (event.shiftKey || (event.key !== 'Tab' && event.key !== 'Enter'))) return 'nothing';
    this.leave(field);
    const next = Math.max(0, this.at + (isBack ? -1 : 1));
    if (next < this.fields.length) {
      this.select(field, next);
      return 'moved';
    }
    const last = Math.max(...this.fields.flatMap(({ ranges }) => ranges.map(([, end]) => end)));
    this.end();
    field.setSelectionRange(last, last);
    return 'done';
  }

  private select(field: HTMLTextAreaElement, at: number): void {
    this.at = at;
    this.entered = field.value;
    const [start, end] = this.fields[at]?.ranges[0] ?? [0, 0];
    field.setSelectionRange(start, end);
    showCursor(field, start);
  }

  /** Returns what is in the place of the selected field, or undefined if the text was changed elsewhere. */
  private valueIn(text: string): string | undefined {
    const [start, end] = this.fields[this.at]?.ranges[0] ?? [0, 0];
    const [head, tail] = [this.entered.slice(0, start), this.entered.slice(end)];
    const isSame = text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
    return isSame ? text.slice(start, text.length - tail.length) : undefined;
  }

  /** Writes the typed value to the field's other places. */
  private leave(field: HTMLTextAreaElement): void {
    const { at } = this;
    const value = this.valueIn(field.value);
    const current = this.fields[at];
    if (value === undefined || !current) return;
    this.isWriting = true;
    for (const index of current.ranges.keys()) {
      const range = this.fields[at]?.ranges[index] ?? [0, 0];
      if (index > 0 && field.value.slice(...range) !== value) replaceRange(field, ...range, value);
      this.shift(range, value.length);
    }
    this.isWriting = false;
  }

  /** Notes that a range has another length now. */
  private shift([start, end]: Range, length: number): void {
    const by = length - (end - start);
    const moved = ([from, to]: Range): Range => {
      if (from === start && to === end) return [from, start + length];
      return from >= end ? [from + by, to + by] : [from, to];
    };
    this.fields = this.fields.map(({ name, ranges }) => ({ name, ranges: ranges.map(moved) }));
  }
}

function fieldsIn(text: string, offset: number): readonly OpenField[] {
  return promptFields(text).map(({ name, ranges }) => ({
    name,
    ranges: ranges.map(([start, end]) => [start + offset, end + offset] as const),
  }));
}

/** Scrolls a long message to its cursor. Setting a selection doesn't. */
function showCursor(field: HTMLTextAreaElement, at: number): void {
  if (field.scrollHeight <= field.clientHeight) return;
  const before = field.value.slice(0, at).split('\n').length - 1;
  const all = field.value.split('\n').length;
  field.scrollTop = (before / all) * field.scrollHeight - field.clientHeight / 2;
}
