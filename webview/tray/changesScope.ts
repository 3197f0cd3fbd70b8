import type { ReviewFile, ReviewScope } from '../../src/shared/changes/review';
import type { Transcript } from '../../src/shared/transcript/transcript';

// The turn selected in the strip of changed files is stored with the foldings, one key per choice, so that it survives a reload like the
// rest of the page's view state.

/** The choice of all turns. Selected if none of the others is. */
export const allTurns = 'session';
/** The choice of the last turn with changes, even as new turns follow. */
export const lastTurnKey = 'changes of the last turn';
/** Returns the key for the choice of one turn. */
export const turnKey = (turn: number) => `changes of turn ${turn}`;

/** Returns the numbers of the turns with changes in these files, in order. */
export function turnsOf(files: readonly ReviewFile[]): number[] {
  return [...new Set(files.flatMap(({ turns }) => turns.map(({ turn }) => turn)))].sort((one, other) => one - other);
}

/** Returns the user's choice. A turn without remaining changes is replaced by all turns. */
export function scopeOf(turns: readonly number[], isChosen: (key: string) => boolean): ReviewScope {
  const last = turns.at(-1);
  if (last === undefined || turns.length === 1) return 'session';
  if (isChosen(lastTurnKey)) return last;
  return turns.find((turn) => isChosen(turnKey(turn))) ?? 'session';
}

const maxWords = 60;

/** Returns the beginning of a turn's message, on one line. */
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
