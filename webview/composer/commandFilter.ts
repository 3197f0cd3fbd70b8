import type { AvailableCommand } from '../../src/shared/transcript/transcript';

/** Something whose name matches the typed text. */
export interface NameMatch<T> {
  readonly item: T;
  /** The matching ranges of its name as pairs of start and end. */
  readonly marks: readonly (readonly [number, number])[];
  /** How well it matches; 0 is best. */
  readonly rank: number;
}

/** Returns the text after the slash while the cursor is in the first word, or undefined if there is no such word. */
export function commandQuery(text: string, cursor: number): string | undefined {
  const word = /^\/(\S*)/.exec(text);
  if (!word || cursor < 1 || cursor > word[0].length) return undefined;
  return text.slice(1, cursor);
}

/**
 * Returns what matches by name, best first: names that start with the query, then names that contain it, then names that contain its
 * letters in order.
 */
export function matchNames<T extends { readonly name: string }>(
  items: readonly T[],
  query: string,
): readonly NameMatch<T>[] {
  const wanted = query.toLowerCase();
  return items
    .map((item) => ({ item, ...matchName(item.name.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < unfit)
    .sort((a, b) => a.rank - b.rank);
}

const unfit = 3;

function matchName(name: string, wanted: string): { rank: number; marks: (readonly [number, number])[] } {
  if (wanted === '') return { rank: 0, marks: [] };
  const at = name.indexOf(wanted);
  if (at >= 0) return { rank: at === 0 ? 0 : 1, marks: [[at, at + wanted.length]] };
  const marks: (readonly [number, number])[] = [];
  let from = 0;
  for (const letter of wanted) {
    const found = name.indexOf(letter, from);
    if (found < 0) return { rank: unfit, marks: [] };
    marks.push([found, found + letter.length]);
    from = found + letter.length;
  }
  return { rank: 2, marks };
}

/** Returns the command at the start of the text and its input hint, as long as no input is typed. */
export function awaitedInput(commands: readonly AvailableCommand[], text: string): string | undefined {
  const word = /^\/(\S+)\s*$/.exec(text);
  const command = word && commands.find(({ name }) => name === word[1]);
  return command?.hint;
}

/** Returns whether the text is one of the agent's commands and nothing else. */
export function isBareCommand(commands: readonly AvailableCommand[], text: string): boolean {
  const word = /^\s*\/(\S+)\s*$/.exec(text);
  return word !== null && commands.some(({ name }) => name === word[1]);
}
