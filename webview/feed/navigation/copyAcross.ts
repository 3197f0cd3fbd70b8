import type { ContentBlock } from '../../../src/shared/transcript/content';
import type { Entry } from '../../../src/shared/transcript/transcript';

/**
 * Returns the text of a selection that contains entries that aren't on the page, with the text of these. Undefined if it contains none, or
 * nothing is selected. `entriesOf` returns the entries of a gap.
 */
export function textAcross(
  column: HTMLElement,
  selection: Selection | null,
  entriesOf: (gap: Element) => readonly Entry[],
): string | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const selected = [...column.children].filter((child) => range.intersectsNode(child)) as HTMLElement[];
  if (!selected.some((child) => child.classList.contains('pl-gap'))) return undefined;
  const parts = selected.flatMap((child) =>
    child.classList.contains('pl-gap') ? entriesOf(child).map(plainText) : [selectedText(child, range)],
  );
  return parts.filter((part) => part !== '').join('\n\n');
}

function selectedText(element: HTMLElement, range: Range): string {
  const own = document.createRange();
  own.selectNodeContents(element);
  const isWhole =
    range.compareBoundaryPoints(Range.START_TO_START, own) <= 0 &&
    range.compareBoundaryPoints(Range.END_TO_END, own) >= 0;
  if (isWhole) return element.innerText.trim();
  if (range.compareBoundaryPoints(Range.START_TO_START, own) > 0) own.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, own) < 0) own.setEnd(range.endContainer, range.endOffset);
  return own.toString().trim();
}

/** Returns what an entry shows when it is folded, as plain text. */
function plainText(entry: Entry): string {
  switch (entry.kind) {
    case 'user_message':
    case 'agent_message':
      return textOf(entry.content);
    case 'tool_call':
    case 'notice':
      return entry.title;
    case 'error':
      return [entry.title, entry.cause ?? ''].join('\n').trim();
    default:
      return '';
  }
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : [])).join('\n\n');
}
