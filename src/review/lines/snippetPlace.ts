/** A change as reported by an agent: the whole file or a part of it. */
interface Snippet {
  readonly oldText?: string;
  readonly newText: string;
}

/**
 * Returns the line where a snippet begins, counted from 1. Returns 0 if the file doesn't contain it or the place is ambiguous.
 * `hasHappened` decides which of its texts to look for first; `near` is the line that the agent reported.
 */
export function lineOfSnippet(
  file: string,
  { oldText = '', newText }: Snippet,
  { hasHappened, near }: { readonly hasHappened: boolean; readonly near?: number },
): number {
  const text = withoutReturns(file);
  for (const piece of hasHappened ? [newText, oldText] : [oldText, newText]) {
    const places = placesOf(text, withoutReturns(piece));
    const [only, another] = places;
    if (only !== undefined && another === undefined) return only;
    if (only === undefined || near === undefined) continue;
    return places.reduce((best, line) => (Math.abs(line - near) < Math.abs(best - near) ? line : best), only);
  }
  return 0;
}

function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

/** Returns the lines where a piece begins. If it begins at the start of any line, only those count. */
function placesOf(text: string, piece: string): readonly number[] {
  if (piece === '') return [];
  const found: { readonly line: number; readonly isStart: boolean }[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', counted)) {
      line += 1;
      counted = end + 1;
    }
    if (found.at(-1)?.line !== line) found.push({ line, isStart: at === 0 || text[at - 1] === '\n' });
    // A text that occurs this often doesn't identify a place.
    if (found.length > 100) break;
  }
  const starts = found.filter(({ isStart }) => isStart);
  return (starts.length > 0 ? starts : found).map((one) => one.line);
}
