import { budgetLevel, type BudgetUse } from '../../shared/amounts/budget';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** Asks the user before a message is sent if a budget is used up. It never stops a running turn. */
export class BudgetGate {
  private readonly store: TranscriptStore;
  /** The user wants the next message to be sent anyway. */
  private isAllowed = false;

  constructor(store: TranscriptStore) {
    this.store = store;
  }

  /** Whether the next message can be sent without asking. */
  get isOpen(): boolean {
    const { view, now } = this.store;
    return this.isAllowed || (view.budgets ?? []).every((budget) => budgetLevel(budget, now()) !== 'usedUp');
  }

  /** Whether a message waits for the user's answer. */
  get asks(): boolean {
    return this.store.view.asksBudget === true;
  }

  ask(): void {
    if (!this.asks) this.store.setView({ asksBudget: true });
  }

  /** The user lets one message through. */
  allowNext(): void {
    this.isAllowed = true;
    this.withdraw();
  }

  /** A message was sent, so the next one asks again. */
  passed(): void {
    this.isAllowed = false;
    this.withdraw();
  }

  /** Nothing waits for an answer any more. */
  withdraw(): void {
    if (this.asks) this.store.setView({ asksBudget: false });
  }

  /** Shows the budgets, and how much of them is used. */
  setBudgets(budgets: readonly BudgetUse[]): void {
    const { budgets: before = [] } = this.store.view;
    if (JSON.stringify(budgets) !== JSON.stringify(before)) this.store.setView({ budgets });
  }
}
