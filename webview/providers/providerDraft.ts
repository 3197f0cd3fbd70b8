import {
  isValid,
  problemsOf,
  type ProviderDraft,
  type ProviderOutcome,
  type ProviderProblems,
  type ProviderView,
} from '../../src/shared/pages/modelProviders';

/** A header in the form. */
export interface HeaderRow {
  /** Unique on the page. */
  readonly id: number;
  name: string;
  /** Empty if the stored value should stay. */
  value: string;
}

let lastId = 0;

/** A provider's unsaved edits, and the outcome of saving them. */
export class ProviderEdit {
  view: ProviderView;
  apiType = '';
  baseUrl = '';
  rows: HeaderRow[] = [];
  /** Whether a request to the host is pending. */
  isBusy = false;
  outcome: ProviderOutcome | undefined;
  private isTouched = false;
  /** Whether the user has edited it since it was saved. */
  private isNewer = false;
  /** Whether the user has tried to save. Problems are shown only after that. */
  private isJudged = false;

  constructor(view: ProviderView) {
    this.view = view;
    this.begin();
  }

  /** Updates the host's view of the provider. The user's edits stay. */
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
    const row = { id: ++lastId, name: '', value: '' };
    this.rows.push(row);
    return row;
  }

  /** Returns whether a value is stored for this header. It stays unless the user types another one. */
  isStored({ name }: HeaderRow): boolean {
    const lowerName = name.trim().toLowerCase();
    return this.view.initial.headerNames.some((known) => known.toLowerCase() === lowerName);
  }

  get problems(): ProviderProblems | undefined {
    return this.isJudged ? problemsOf(this.draft, this.view.initial.headerNames) : undefined;
  }

  /** Validates the form and returns the draft to save, or undefined if there are problems. */
  judge(): ProviderDraft | undefined {
    this.isJudged = true;
    this.isNewer = false;
    const { draft } = this;
    return isValid(problemsOf(draft, this.view.initial.headerNames)) ? draft : undefined;
  }

  /** Records the outcome of saving or of another action. */
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
    this.rows = headerNames.map((name) => ({ id: ++lastId, name, value: '' }));
    this.isJudged = false;
  }
}
