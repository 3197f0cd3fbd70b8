/** Where on which look of the page a row of the protocol's checklist is to be seen. */
export interface RowPicture {
  /** The name of the look, in one of the tests that call `testLooks`. */
  readonly look: string;
  /** A selector of what belongs to it; the picture is the stripe of the page that holds all of that. */
  readonly part: string;
}

const article = (from: number, to = from) => `.pl-col > article:nth-of-type(n + ${from}):nth-of-type(-n + ${to})`;

/** The picture of each row that a person has to look at, by the row's id in `test/conformance/rows`. */
export const pictures: Readonly<Record<string, RowPicture>> = {
  // How agents fail.
  B11: { look: 'failures', part: article(4) },
  N03: { look: 'failures', part: article(3) },
  T08: { look: 'failures', part: article(6) },
  T09: { look: 'failures', part: article(2) },
  // Logging in.
  A01: { look: 'login-asked', part: '.pl-card' },
  A03: { look: 'login-running', part: '.pl-card' },
  A05: { look: 'login-failed', part: '.pl-card' },
  A06: { look: 'login-none', part: '.pl-card' },
  A10: { look: 'account', part: '.pl-agent' },
  // Sessions and their turns.
  S08: { look: 'busy', part: '.pl-tabs' },
  S16: { look: 'plan', part: '.pl-header' },
  P01: { look: 'attachments', part: '.pl-composer' },
  P03: { look: 'stops', part: '.pl-col > article' },
  P04: { look: 'transcript', part: 'article[aria-label*="nodejs"]' },
  P05: { look: 'failures', part: article(5) },
  P06: { look: 'busy', part: '.pl-dock' },
  P07: { look: 'popup', part: '[role="listbox"], .pl-composer' },
  O03: { look: 'queue', part: '.pl-queue' },
  M02: { look: 'notice-lines', part: article(1) },
  O01: { look: 'providers-set', part: '.pl-providers' },
  // What agents report.
  U01: { look: 'transcript', part: '.pl-md' },
  U02: { look: 'transcript', part: 'article[aria-label*="nodejs"], article[aria-label*="jira"]' },
  U04: { look: 'transcript', part: '.pl-diff' },
  U05: { look: 'transcript', part: '.pl-tool:has(.pl-term)' },
  U06: { look: 'subagents', part: 'article[aria-label*="zones.test.ts"]' },
  U07: { look: 'plan', part: '.tray' },
  U08: { look: 'popup', part: '[role="listbox"]' },
  U11: { look: 'busy', part: '.pl-header' },
  U12: { look: 'notices', part: article(2, 4) },
  U13: { look: 'notices', part: article(5, 8) },
  U14: { look: 'plans', part: '.tray' },
  U15: { look: 'subagents', part: '.pl-sub' },
  U20: { look: 'content', part: '.pl-col > article' },
  U22: { look: 'transcript', part: '.pl-tool:not(.asking)[aria-label$="npm test"]' },
  // Settings of the session.
  C01: { look: 'choices', part: '.pl-composer, .pl-pop.choices' },
  C02: { look: 'settings', part: '.pl-composer' },
  C03: { look: 'settings', part: '.pl-composer' },
  // Questions.
  R01: { look: 'permissions', part: article(2) },
  R02: { look: 'permissions', part: article(8) },
  R03: { look: 'permissions', part: article(3) },
  R04: { look: 'permissions', part: article(2, 5) },
  R05: { look: 'permissions', part: article(6, 7) },
  R06: { look: 'permissions', part: article(4, 5) },
  E01: { look: 'question-everyField', part: '.pl-ask' },
  E02: { look: 'question-answered', part: '.pl-card, .pl-ask, .pl-answered' },
  E04: { look: 'question-addresses', part: '.pl-ask' },
  Q22: { look: 'asked-input', part: '.pl-tool' },
  E07: { look: 'question-form', part: '.pl-ask' },
};
