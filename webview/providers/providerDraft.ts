import {
  isValid,
  problemsOf,
  type ProviderDraft,
  type ProviderOutcome,
  type ProviderProblems,
  type ProviderView,
} from '../../src/shared/modelProviders';

/** A header in the form. */
export interface HeaderRow {
  /** Unique on the page. */
  readonly id: number;
  name: string;
  /** Empty while the stored one is to stay. */
  value: string;
}

let made = 0;

/** What a user has written for one provider and not saved yet, and what came of it. */
export class ProviderEdit {
  view: ProviderView;
  apiType = '';
  baseUrl = '';
  rows: HeaderRow[] = [];
  /** Something is on its way to the host. */
  isBusy = false;
  outcome: ProviderOutcome | undefined;
  private isTouched = false;
  /** Touched again since it was saved. */
  private isNewer = false;
  /** Nothing is called wrong before the user has tried to save it. */
  private isJudged = false;

  constructor(view: ProviderView) {
    this.view = view;
    this.begin();
  }

  /** Takes what the host tells; what the user has written stays. */
  update(view: ProviderView): void {
    this.view = view;
    if (!this.isTouched) this.begin();
  }

  touch(): void {
    this.isTouched = true;
    this.isNewer = true;
    this.outcome = undefined;
  }

  addRow(): HeaderRow {
    const row = { id: ++made, name: '', value: '' };
    this.rows.push(row);
    return row;
  }

  /** Whether a value is stored for this header, which stays unless another one is written. */
  isStored({ name }: HeaderRow): boolean {
    const wanted = name.trim().toLowerCase();
    return this.view.initial.headerNames.some((known) => known.toLowerCase() === wanted);
  }

  get problems(): ProviderProblems | undefined {
    return this.isJudged ? problemsOf(this.draft, this.view.initial.headerNames) : undefined;
  }

  /** What is to be saved, if it can be. */
  judge(): ProviderDraft | undefined {
    this.isJudged = true;
    this.isNewer = false;
    const { draft } = this;
    return isValid(problemsOf(draft, this.view.initial.headerNames)) ? draft : undefined;
  }

  /** What came of saving it, or of something else. */
  settle(outcome: ProviderOutcome, wasSaved: boolean): void {
    this.isBusy = false;
    this.outcome = outcome;
    if (outcome.isDone && wasSaved && !this.isNewer) this.isTouched = false;
  }

  private get draft(): ProviderDraft {
    const headers = this.rows.map((row) => {
      const { name, value } = row;
      return value === '' && this.isStored(row) ? { name } : { name, value };
    });
    return { providerId: this.view.providerId, apiType: this.apiType, baseUrl: this.baseUrl, headers };
  }

  private begin(): void {
    const { apiType, baseUrl, headerNames } = this.view.initial;
    this.apiType = apiType;
    this.baseUrl = baseUrl;
    this.rows = headerNames.map((name) => ({ id: ++made, name, value: '' }));
    this.isJudged = false;
  }
}
