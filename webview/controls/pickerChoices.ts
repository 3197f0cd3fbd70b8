/** A choice of a picker. Choices are in the agent's order. */
export interface PickerChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  readonly group?: string;
  /** What to be careful about, shown with a warning sign. */
  readonly warning?: string;
}

/** A picker of one value. `label` is its accessible name; the picker shows the chosen value. */
export interface PickerProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly choices: readonly PickerChoice[];
  /** The value is shown but can't be changed now. */
  readonly isDisabled?: boolean;
  onPick(value: string): void;
}

/** With more choices than this, the list has a search. */
const maxPlain = 8;

/** Returns whether a picker needs a search, because its choices are in groups or too many. */
export function wantsSearch(choices: readonly PickerChoice[]): boolean {
  return choices.length > maxPlain || choices.some(({ group = '' }) => group !== '');
}

/** Labels longer than this don't fit in a list that is as narrow as its picker. */
const maxLabel = 20;

/**
 * Returns whether a picker needs a list of its own, which has a search, or room for descriptions, warnings, and long labels. The toolkit's
 * list has neither.
 */
export function wantsOwnList(choices: readonly PickerChoice[]): boolean {
  const isRich = ({ label, description = '', warning = '' }: PickerChoice) =>
    description !== '' || warning !== '' || label.length > maxLabel;
  return wantsSearch(choices) || choices.some(isRich);
}

/** Returns the choices by group, in the order in which groups first appear. Choices without a group have the key ''. */
export function groupsOf(choices: readonly PickerChoice[]): ReadonlyMap<string, readonly PickerChoice[]> {
  const groups = new Map<string, PickerChoice[]>();
  for (const choice of choices) {
    const group = groups.get(choice.group ?? '');
    if (group) group.push(choice);
    else groups.set(choice.group ?? '', [choice]);
  }
  return groups;
}
