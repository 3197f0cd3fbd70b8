/**
 * Returns whether the cursor is in the first or last row of a text field, counting wrapped rows. Up and Down access the history only there.
 */
export function cursorRows(field: HTMLTextAreaElement): { isFirst: boolean; isLast: boolean } {
  const text = field.value;
  const cursor = field.selectionStart;
  // Measures a copy of the field with marks at the beginning, at the cursor, and at the end.
  const copy = document.createElement('div');
  copy.className = field.className;
  copy.classList.add('measured');
  copy.setAttribute('aria-hidden', 'true');
  copy.style.width = `${field.offsetWidth}px`;
  const marks = [mark(), mark(), mark()] as const;
  copy.append(marks[0], text.slice(0, cursor), marks[1], text.slice(cursor), marks[2]);
  field.after(copy);
  const [start, at, end] = marks.map((element) => element.offsetTop);
  copy.remove();
  return { isFirst: at === start, isLast: at === end };
}

/** Returns a zero-width character, because an empty element at a wrap would count as part of the row above. */
function mark(): HTMLElement {
  const element = document.createElement('span');
  element.textContent = '\u200b';
  return element;
}

/** Replaces a range of a text field's text in a way that the user can undo. The cursor ends up after it. */
export function replaceRange(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  if (document.activeElement === field) {
    field.setSelectionRange(start, end);
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else changes a field and keeps its undo history
    const done = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
    if (done) return;
  }
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Removes a range of a text field's text in a way that the user can undo. The cursor stays where it is in the rest of the text. */
export function removeRange(field: HTMLTextAreaElement, start: number, end: number): void {
  const moved = (at: number) => (at <= start ? at : Math.max(start, at - (end - start)));
  const cursor = [moved(field.selectionStart), moved(field.selectionEnd)] as const;
  replaceRange(field, start, end, '');
  field.setSelectionRange(...cursor);
}
