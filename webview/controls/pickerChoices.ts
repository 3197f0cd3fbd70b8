/** A choice of a picker. Choices are in the agent's order. */
export interface PickerChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  readonly group?: string;
}

/** A picker of one value. `label` is its accessible name; the picker shows the chosen value. */
export interface PickerProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly choices: readonly PickerChoice[];
  onPick(value: string): void;
}

/** With more choices than this, the list has a search. */
const maxPlain = 8;

/** Returns whether a picker needs a search, because its choices are in groups or too many. */
export function wantsSearch(choices: readonly PickerChoice[]): boolean {
  return choices.length > maxPlain || choices.some(({ group = '' }) => group !== '');
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
