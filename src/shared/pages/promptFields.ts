/** Something that the user fills in: its name, and where it is in the text, at least once. */
export interface PromptField {
  readonly name: string;
  /** Pairs of start and end, in order. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** Finds the fields of a prompt, such as `{{branch}}`, in the order of their first place. */
export function promptFields(text: string): readonly PromptField[] {
  const found = new Map<string, (readonly [number, number])[]>();
  for (const match of text.matchAll(/\{\{([^{}\n]{1,60})\}\}/g)) {
    const name = match[1]?.trim() ?? '';
    if (name === '') continue;
    const range = [match.index, match.index + match[0].length] as const;
    const ranges = found.get(name);
    if (ranges) ranges.push(range);
    else found.set(name, [range]);
  }
  return [...found].map(([name, ranges]) => ({ name, ranges }));
}
