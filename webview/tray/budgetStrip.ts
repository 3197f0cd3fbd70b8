import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { budgetLevel, budgetName } from '../../src/shared/amounts/budget';
import type { SessionView } from '../../src/shared/transcript/transcript';
import { budgetAmounts } from '../base/amounts';
import { icon } from '../base/icon';

/** What the user does about a budget that is used up. */
export interface BudgetProps {
  readonly locale: string;
  /** Sends the message that waits. */
  sendAnyway(): void;
  openBudget(): void;
}

/** Renders the question whether the next message is sent although a budget is used up. */
export function budgetStrip(view: SessionView, props: BudgetProps): TemplateResult | typeof nothing {
  const { budgets = [], asksBudget = false } = view;
  const now = Date.now();
  const over = budgets.find((budget) => budgetLevel(budget, now) === 'usedUp');
  if (!asksBudget || !over) return nothing;
  const amounts = budgetAmounts(over, props.locale);
  const words = l10n.t('{0} is used up: {1}. Your message isn’t sent yet.', budgetName(over), amounts);
  return html`<section class="pl-strip need roomy" aria-label=${l10n.t('Budget')}>
    <div class="head">
      ${icon('warning', 'attn')}<span class="clip grow" role="status">${words}</span
      ><button type="button" class="btn link sm" @click=${() => props.sendAnyway()}>${l10n.t('Send anyway')}</button
      ><button type="button" class="btn link sm" @click=${() => props.openBudget()}>${l10n.t('Change budget')}</button>
    </div>
  </section>`;
}
