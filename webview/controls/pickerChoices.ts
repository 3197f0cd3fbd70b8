/** A choice of a picker, in the order in which the agent lists them. */
export interface PickerChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  readonly group?: string;
}

/** A picker of one value. `label` is its accessible name; what is shown is the chosen value. */
export interface PickerProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly choices: readonly PickerChoice[];
  onPick(value: string): void;
}

/** More choices than this are searched rather than read. */
const maxPlain = 8;

/** Whether a picker's choices are in groups, or so many that they want a search. */
export function wantsSearch(choices: readonly PickerChoice[]): boolean {
  return choices.length > maxPlain || choices.some(({ group = '' }) => group !== '');
}

/** The choices by group in the order in which groups first appear; '' holds those without one. */
export function groupsOf(choices: readonly PickerChoice[]): ReadonlyMap<string, readonly PickerChoice[]> {
  const groups = new Map<string, PickerChoice[]>();
  for (const choice of choices) {
    const group = groups.get(choice.group ?? '');
    if (group) group.push(choice);
    else groups.set(choice.group ?? '', [choice]);
  }
  return groups;
}
