import type { ReviewFile, ReviewScope } from '../../src/shared/review';
import type { Transcript } from '../../src/shared/transcript';

// Which turn the strip of changed files is about is kept among what is open and what is not, a key per choice, so that it
// is there again after a reload like everything else of the page's own.

/** The choice of all turns; it is made when none of the others is. */
export const allTurns = 'session';
/** The choice of the last turn with changes, whichever that is. */
export const lastTurnKey = 'changes of the last turn';
/** The choice of one turn. */
export const turnKey = (turn: number) => `changes of turn ${turn}`;

/** The numbers of the turns with something in these files, in order. */
export function turnsOf(files: readonly ReviewFile[]): number[] {
  return [...new Set(files.flatMap(({ turns }) => turns.map(({ turn }) => turn)))].sort((one, other) => one - other);
}

/** What the user chose, as far as it is still there: a turn without changes any more gives way to all of them. */
export function scopeOf(turns: readonly number[], isChosen: (key: string) => boolean): ReviewScope {
  const last = turns.at(-1);
  if (last === undefined || turns.length === 1) return 'session';
  if (isChosen(lastTurnKey)) return last;
  return turns.find((turn) => isChosen(turnKey(turn))) ?? 'session';
}

const maxWords = 60;

/** The beginning of the message that a turn answers, on one line. */
export function wordsOfTurn({ order, entries }: Transcript, turn: number): string {
  for (const id of order) {
    const entry = entries.get(id);
    if (entry?.kind !== 'user_message' || entry.turn !== turn) continue;
    const text = entry.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
    const line = text
      .slice(0, 4 * maxWords)
      .replace(/\s+/g, ' ')
      .trim();
    return line.length > maxWords ? `${line.slice(0, maxWords).trimEnd()}…` : line;
  }
  return '';
}
