/** Where on which look of the page a row of the protocol's checklist is to be seen. */
export interface RowPicture {
  /** The name of the look, in one of the tests that call `testLooks`. */
  readonly look: string;
  /** A selector of what belongs to it; the picture is the stripe of the page that holds all of that. */
  readonly part: string;
}

const article = (from: number, to = from) => `.pl-col > article:nth-of-type(n + ${from}):nth-of-type(-n + ${to})`;

/**
 * The pictures that a person has to look at, one for each family of things that the page draws, by the id of a row in
 * `test/conformance/rows` that shows it.
 */
export const pictures: Readonly<Record<string, RowPicture>> = {
  // Around a conversation.
  U11: { look: 'busy', part: '.pl-tabs, .pl-header' },
  P06: { look: 'busy', part: '.pl-dock' },
  P01: { look: 'attachments', part: '.pl-composer' },
  U08: { look: 'popup', part: '[role="listbox"]' },
  U14: { look: 'plans', part: '.tray' },
  C01: { look: 'choices', part: '.pl-composer, .pl-pop.choices' },
  C02: { look: 'settings', part: '.pl-composer, .pl-pop.options' },
  O01: { look: 'providers-set', part: '.pl-providers' },
  // What agents report.
  U01: { look: 'transcript', part: '.pl-md' },
  U02: { look: 'transcript', part: 'article[aria-label*="nodejs"], article[aria-label*="jira"]' },
  U04: { look: 'transcript', part: '.pl-diff' },
  U05: { look: 'transcript', part: '.pl-tool:has(.pl-term)' },
  U15: { look: 'subagents', part: '.pl-sub' },
  U20: { look: 'entries', part: article(1, 2) },
  T09: { look: 'entries', part: article(4) },
  U12: { look: 'entries', part: article(10, 24) },
  P11: { look: 'second-version', part: '.pl-queue' },
  P13: { look: 'second-version', part: '.pl-late' },
  U19: { look: 'second-version', part: 'article[aria-label*="Tidy up"]' },
  // What they ask.
  A01: { look: 'login', part: article(2) },
  R04: { look: 'permissions', part: article(2, 5) },
  R05: { look: 'permissions', part: article(6, 7) },
  R07: { look: 'second-version', part: 'article[aria-label*="Edit b.txt"]' },
  Q22: { look: 'asked-more', part: 'article[aria-label*="lab_delete"]' },
  E01: { look: 'questions', part: article(4) },
  E04: { look: 'questions', part: article(5, 6) },
};
