/** What a change looks like in an agent's words: the whole file, or a piece of it. */
interface Snippet {
  readonly oldText?: string;
  readonly newText: string;
}

/**
 * The line, counted from 1, that a snippet begins at; 0 when it isn't in the file or nobody can tell which of several places
 * is meant. `hasHappened` says which of its texts to look for first, `near` is a line that the agent names.
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

/** The lines that a piece begins at: those where it begins with the line, if there are any. */
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
    // A text that repeats itself this often says nothing about a place.
    if (found.length > 100) break;
  }
  const starts = found.filter(({ isStart }) => isStart);
  return (starts.length > 0 ? starts : found).map((one) => one.line);
}
