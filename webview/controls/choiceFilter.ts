import { groupsOf, type PickerChoice } from './pickerChoices';

/** The choices in which every word of the query is found, in name, value or description; groups stay together, a value comes once. */
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

/** A text in pieces, of which every second one is a word of the query. */
export function markedPieces(text: string, query: string): readonly string[] {
  const words = wordsOf(query).map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return words.length === 0 ? [text] : text.split(new RegExp(`(${words.join('|')})`, 'i'));
}

function wordsOf(query: string): string[] {
  return query.split(/\s+/).filter((word) => word !== '');
}
