import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../src/shared/transcript/content';

/** How long a line is that counts as one, in UTF-16 units. */
const lineLength = 100;
/** The place of pasted texts among the URIs of texts that are in no file. The name follows it. */
const pastedPlace = 'attachment:///pasted/';

/** An attached text. */
export type TextAttachment = Extract<Attachment, { type: 'resource' }>;

/** Returns the number of lines of a text. A line break at its end doesn't begin another line. */
export function lineCount(text: string): number {
  return fieldText(text).replace(/\n$/, '').split('\n').length;
}

/** Returns whether a pasted text would flood the message: it has more than `most` lines, or as much text. If `most` is 0, none would. */
export function isLongPaste(text: string, most: number): boolean {
  return most > 0 && (text.length > most * lineLength || lineCount(text) > most);
}

/** Returns whether a pasted text may be code that is worth a reference: two lines or more, apart from blank ones. */
export function mayBeCode(text: string): boolean {
  return text.split(/\r\n?|\n/).filter((line) => line.trim() !== '').length > 1;
}

/** Attaches a pasted text as it is. */
export function pastedText(text: string): TextAttachment {
  const lines = lineCount(text);
  const name = lines === 1 ? l10n.t('Pasted text, 1 line') : l10n.t('Pasted text, {0} lines', lines);
  return { type: 'resource', uri: `${pastedPlace}${encodeURIComponent(name)}`, name, text };
}

/** Returns whether an attachment is a long paste. */
export function isPastedText(one: Attachment): one is TextAttachment {
  return one.type === 'resource' && one.uri.startsWith(pastedPlace);
}

/** Returns a text as a text field stores it. */
export function fieldText(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
