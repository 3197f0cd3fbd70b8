import { ownIntros } from '../../shared/pages/ownPrompts';
import { inFence } from '../../shared/text/codeFence';
import { diffText } from '../../shared/diff/diffText';
import { isSameButLineBreaks } from '../lines/lines';

/** A change that an agent asks about: the whole file, or a piece of it. Without an old text, it is the whole file. */
export interface ProposedPiece {
  readonly oldText?: string;
  readonly newText: string;
  /** The line where the piece begins, counted from 1, if known. */
  readonly line?: number;
}

/**
 * Returns a file's text with the changes that an agent asks about, with line feeds only. Returns undefined if the place
 * of one isn't known. `isEverywhere`: the agent means all places that have the old text.
 */
export function proposedText(
  present: string | undefined,
  pieces: readonly ProposedPiece[],
  isEverywhere = false,
): string | undefined {
  let text: string | undefined = withLineFeeds(present ?? '');
  for (const piece of pieces) {
    text = withPiece(text, piece, isEverywhere);
    if (text === undefined) return undefined;
  }
  return text;
}

function withPiece(file: string, piece: ProposedPiece, isEverywhere: boolean): string | undefined {
  const oldText = withLineFeeds(piece.oldText ?? '');
  const newText = withLineFeeds(piece.newText);
  if (oldText === '' || oldText === file) return newText;
  const places = placesOf(file, oldText);
  if (places.length === 0) return atEdge(file, oldText, newText);
  if (isEverywhere) return file.split(oldText).join(newText);
  const at = places.length === 1 ? places[0] : onLine(file, places, piece.line);
  return at === undefined ? undefined : file.slice(0, at) + newText + file.slice(at + oldText.length);
}

/** Some agents put a line break around a piece that the file doesn't have at its start or end. */
function atEdge(file: string, oldText: string, newText: string): string | undefined {
  const isAround = (test: (text: string) => boolean) => test(oldText) && test(newText);
  const first = isAround((text) => text.startsWith('\n')) ? 1 : 0;
  const last = isAround((text) => text.endsWith('\n')) ? 1 : 0;
  const cut = (text: string, from: number, to: number) => text.slice(from, Math.max(from, text.length - to));
  const isPiece = (old: string) => old !== '' && placesOf(file, old).length === 1;
  const [start, end] = [cut(oldText, first, 0), cut(oldText, 0, last)];
  if (first === 1 && isPiece(start) && file.startsWith(start)) return cut(newText, 1, 0) + file.slice(start.length);
  if (last === 1 && isPiece(end) && file.endsWith(end)) return file.slice(0, -end.length) + cut(newText, 0, 1);
  return first === 1 && last === 1 && cut(oldText, 1, 1) === file ? cut(newText, 1, 1) : undefined;
}

function placesOf(file: string, piece: string): readonly number[] {
  const places: number[] = [];
  for (let at = file.indexOf(piece); at >= 0; at = file.indexOf(piece, at + piece.length)) places.push(at);
  return places;
}

/** Returns the place on a line. Any other place would be a guess. */
function onLine(file: string, places: readonly number[], line: number | undefined): number | undefined {
  if (line === undefined || line === 0) return undefined;
  const found = places.filter((at) => file.slice(0, at).split('\n').length === line);
  return found.length === 1 ? found[0] : undefined;
}

/** A file that the agent wants to change, and the text that the user wants instead of the agent's. */
export interface Proposal {
  readonly before: string | undefined;
  readonly agents: string;
  readonly mine: string;
}

/**
 * What a file has after the agent's write: the user's version, the agent's, still the text from before, or another text, which isn't what
 * the user was asked about.
 */
export type WrittenText = 'mine' | 'agents' | 'before' | 'other';

/** Compares a file's text with what was proposed. `present` is undefined if there is no file. */
export function writtenText(present: string | undefined, { before, agents, mine }: Proposal): WrittenText {
  const isText = (text: string | undefined) =>
    text === undefined || present === undefined ? text === present : isSameButLineBreaks(text, present);
  if (isText(mine)) return 'mine';
  if (isText(agents)) return 'agents';
  return isText(before) ? 'before' : 'other';
}

/** Maximum size of a difference in a message, in UTF-16 units. The agent reads the file if there are more. */
const longestDiff = 20_000;

/** Returns the message that tells an agent what the user changed in its edits before allowing them. */
export function editedPrompt(
  files: readonly { readonly path: string; readonly agents: string; readonly mine: string }[],
): string {
  const parts = files.map(({ path, agents, mine }) => {
    const diff = diffText(agents, mine);
    const end = mine.endsWith('\n') ? 'with a line break at the end' : 'without a line break at the end';
    if (diff === '') return `${path}: ${end}`;
    return diff.length > longestDiff
      ? `${path}: read the file, because it differs in many lines`
      : `${path}:\n\n${inFence(diff, 'diff')}`;
  });
  const [intro, rest] =
    files.length === 1 ? [ownIntros.edited, 'The file has'] : [ownIntros.editedSeveral, 'The files have'];
  return [intro, ...parts, `${rest} my version now. Keep it in your next edits.`].join('\n\n');
}

function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
