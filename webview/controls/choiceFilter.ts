import { groupsOf, type PickerChoice } from './pickerChoices';

/**
 * Returns the choices whose name, value, or description contains every word of the query. Groups stay together, and duplicate values are
 * removed.
 */
export function choicesThatFit(choices: readonly PickerChoice[], query: string): readonly PickerChoice[] {
  const words = wordsOf(query).map((word) => word.toLowerCase());
  const fits = ({ label, value, description = '' }: PickerChoice) => {
    const text = `${label}\n${value}\n${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const each = new Map([...choices].reverse().map((choice) => [choice.value, choice]));
  const fitting = choices.filter((choice) => each.get(choice.value) === choice && fits(choice));
  return [...groupsOf(fitting).values()].flat();
}

/** Splits a text into pieces; every second piece is a word of the query. */
export function markedPieces(text: string, query: string): readonly string[] {
  const words = wordsOf(query).map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return words.length === 0 ? [text] : text.split(new RegExp(`(${words.join('|')})`, 'i'));
}

function wordsOf(query: string): string[] {
  return query.split(/\s+/).filter((word) => word !== '');
}
