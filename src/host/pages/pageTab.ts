import type { IDisposable } from '../../shared/values/disposable';

/** A tab of the page “Parley”: what it shows, and what its messages do. */
export interface PageTab<From> extends IDisposable {
  /** Sends everything that it shows. Called whenever the user selects it. */
  show(): void;
  /** Brings one of its entries into view, by its id. */
  reveal?(id: string): void;
  receive(message: From): void;
}

/** Loads and makes a tab, which happens when it is selected for the first time. */
export type MakeTab<From, To> = (post: (message: To) => void) => Promise<PageTab<From>>;
