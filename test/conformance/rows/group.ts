import type { Row, RowState } from '../rows';

/** The rows of one group: id, words and state each. */
export function group(name: string, rows: readonly (readonly [id: string, words: string, state: RowState])[]): Row[] {
  return rows.map(([id, words, state]) => ({ id, group: name, words, state }));
}

/** A case of this suite plays the row. */
export const here: RowState = 'case';

/** A case of this suite plays a part of the row, tests of other layers the rest. */
export function hereAnd(...tests: readonly string[]): RowState {
  return { caseAnd: tests };
}

/** Tests of other layers show the row, each written as `path › name`. */
export function shownBy(...tests: readonly string[]): RowState {
  return { shownBy: tests };
}

/** The row asks for something that what Parley does leaves no room for. */
export function notApplicable(reason: string): RowState {
  return { notApplicable: reason };
}

/** The row is of something that Parley does not speak yet, for the reason given. */
export function later(reason: string): RowState {
  return { later: reason };
}

/** The row waits for something that Parley lacks. */
export function open(missing: string): RowState {
  return { open: missing };
}

export const remote = later('Parley speaks to agents over standard streams only.');
