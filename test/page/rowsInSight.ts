/** The groups of the protocol's checklist whose rows become something on the page. Of the others, some rows have a picture all the same. */
export const groupsInSight: readonly string[] = ['auth', 'prompt', 'updates', 'config', 'permission', 'elicitation'];

/** Rows of these groups that have no picture of their own, and why. */
export const nothingToSee: Readonly<Record<string, string>> = {
  A02: 'A method like any other: A01.',
  A04: 'Logging out is a command of the editor.',
  A07: 'The editor’s own input asks.',
  A08: 'A way of logging in like any other: A01.',
  P02: 'What goes over the wire; attachments look the same: P01.',
  P08: 'The words are a tooltip of the meter: U11.',
  P09: 'What goes over the wire; the turn ends as in P03.',
  U03: 'A call like any other: U02.',
  U09: 'The current choice of a picker: C02.',
  U10: 'The pickers anew: C02.',
  U21: 'What is not shown; it is missing in the picture of U20.',
  C04: 'Which options are there; they look like any: C02.',
  C05: 'Modes are options: C02.',
  C06: 'The order of the pickers: C02.',
  C07: 'What counts in the end; it looks like any option: C02.',
  C08: 'Models are options: C02.',
  E03: 'The same form, whatever it belongs to: E07.',
  E05: 'One of the lines of E02.',
  E06: 'A field of an unknown type is one of E01.',
  E08: 'One of the lines of E02.',
  E09: 'One of the addresses of E04 warns.',
};
