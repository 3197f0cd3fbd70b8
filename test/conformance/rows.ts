import { foundationRows } from './rows/foundation';
import { offerRows } from './rows/offers';
import { quirkRows } from './rows/quirks';
import { sessionRows } from './rows/sessions';
import { workRows } from './rows/work';

/** How it stands with a row of the checklist. */
export type RowState =
  /** A case of this suite plays it. */
  | 'case'
  /** A case plays a part of it, tests of other layers the rest. */
  | { readonly caseAnd: readonly string[] }
  /** Tests of other layers show it, each written as `path › name`. */
  | { readonly shownBy: readonly string[] }
  /** Of another version or transport, or of what Parley does not do yet, for the reason given. */
  | { readonly later: string }
  /** Of nothing that Parley does, for the reason given. */
  | { readonly notApplicable: string }
  /** Parley does not serve it yet: what is missing. A case that it may have is expected to fail. */
  | { readonly open: string };

/** One row of the checklist of the protocol. */
export interface Row {
  readonly id: string;
  readonly group: string;
  /** What the row asks for. */
  readonly words: string;
  readonly state: RowState;
}

/** Every row, group by group. */
export const rows: readonly Row[] = [...foundationRows, ...sessionRows, ...workRows, ...offerRows, ...quirkRows];
