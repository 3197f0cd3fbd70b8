/** A part of a document that the user typed, as offsets in the current text, and what was there before. */
interface TypedPart {
  start: number;
  end: number;
  removed: string;
}

/** A change of a text, as offsets in the text before it. */
export interface OffsetChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** A cursor with its selection, as offsets in the text before a change. */
export interface OffsetSelection {
  readonly start: number;
  readonly end: number;
}

/** What an editor may close by itself. */
const autoClosed = /^[)\]}>"'`]+$/;

/**
 * What the user typed into a document while an input box was about to open. Other changes, such as those of an agent, are
 * told from it by their place: the user types at a cursor.
 */
export class TypedAhead {
  private parts: TypedPart[] = [];

  /** Records an event: the changes of one edit, the text before it, and the cursors before it. */
  record(before: string, changes: readonly OffsetChange[], cursors: readonly OffsetSelection[]): void {
    let text = before;
    // From the end, so that the offsets of the others stay valid.
    for (const change of changes.toSorted((a, b) => b.offset - a.offset)) {
      if (isTyped(text, change, [...cursors, ...this.parts])) this.add(text, change);
      else this.shift(change);
      text = text.slice(0, change.offset) + change.text + text.slice(change.offset + change.length);
    }
  }

  /**
   * Returns what was typed, given the current text and its cursors, without the brackets and quotes that the editor closed
   * behind the cursor. Several cursors type the same.
   */
  words(text: string, cursors: readonly OffsetSelection[]): string {
    const words = this.parts.map(({ start, end }) => {
      const at = cursors.find((cursor) => cursor.end >= start && cursor.end <= end)?.end ?? end;
      return text.slice(start, autoClosed.test(text.slice(at, end)) ? at : end);
    });
    return [...new Set(words)].join('');
  }

  /** The changes of the current text that take out what was typed. */
  get edits(): readonly OffsetChange[] {
    return this.parts.map(({ start, end, removed }) => ({ offset: start, length: end - start, text: removed }));
  }

  private add(before: string, change: OffsetChange): void {
    const { offset, length, text } = change;
    const touched = this.parts.filter((part) => touches(change, part));
    const start = Math.min(offset, ...touched.map((part) => part.start));
    const end = Math.max(offset + length, ...touched.map((part) => part.end));
    let removed = '';
    let at = start;
    for (const part of touched) {
      removed += before.slice(at, part.start) + part.removed;
      at = part.end;
    }
    removed += before.slice(at, end);
    this.parts = this.parts.filter((part) => !touched.includes(part));
    this.shift(change);
    this.parts.push({ start, end: end + text.length - length, removed });
    this.parts.sort((a, b) => a.start - b.start);
  }

  private shift({ offset, length, text }: OffsetChange): void {
    const by = text.length - length;
    for (const part of this.parts) {
      if (part.start < offset + length) continue;
      part.start += by;
      part.end += by;
    }
  }
}

/** The user replaces a selection, or removes up to a line beside the cursor. A change of more lines is somebody else's. */
function isTyped(before: string, change: OffsetChange, places: readonly OffsetSelection[]): boolean {
  const { offset, length } = change;
  const removed = before.slice(offset, offset + length);
  const isSmall = removed.split('\n').length <= 2;
  return places.some((place) => {
    const isInside = offset >= place.start && offset + length <= place.end;
    return isInside || (isSmall && touches(change, place));
  });
}

function touches({ offset, length }: OffsetChange, { start, end }: OffsetSelection): boolean {
  return offset <= end && offset + length >= start;
}
