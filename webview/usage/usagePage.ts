import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { budgetLevel, budgetName, type Budget, type BudgetUse } from '../../src/shared/amounts/budget';
import {
  usageRanges,
  type FromUsagePage,
  type ToUsagePage,
  type UsageGroup,
  type UsageLine,
  type UsageRange,
} from '../../src/shared/pages/usagePage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { budgetAmounts, budgetMost, costWords, shortCount, tokenWords } from '../base/amounts';

/** The tab of usage: what agents used, by day, agent, model, and session. */
export class UsagePage {
  private readonly root: HTMLElement;
  private readonly post: (message: FromUsagePage) => void;
  private shown: ToUsagePage | undefined;

  constructor(root: HTMLElement, post: (message: FromUsagePage) => void) {
    this.root = root;
    this.post = post;
  }

  receive(message: ToUsagePage): void {
    this.shown = message;
    this.draw();
  }

  private draw(): void {
    const heading = l10n.t('Usage');
    render(
      html`<main class="pl-usage">
        <h1>${heading}</h1>
        <p class="lead">
          ${l10n.t(
            'Tokens and costs as agents report them, with subagents, for all folders on this computer. Kept for a year, without any text of your sessions.',
          )}
        </p>
        ${this.shown ? this.body(this.shown) : nothing}
      </main>`,
      this.root,
    );
  }

  private body({ report, locale }: ToUsagePage): TemplateResult {
    const { total, groups, range, budgets } = report;
    return html`<div class="btns">
        <select
          aria-label=${l10n.t('Range')}
          .value=${range}
          @change=${({ target }: Event) => {
            const chosen = usageRanges.find((one) => target instanceof HTMLSelectElement && one === target.value);
            if (chosen) this.post({ type: 'setRange', range: chosen });
          }}
        >
          ${usageRanges.map((one) => html`<option value=${one} ?selected=${one === range}>${rangeName(one)}</option>`)}
        </select>
        <button type="button" class="btn sec" @click=${() => this.post({ type: 'exportCsv' })}>
          ${l10n.t('Export as CSV')}
        </button>
        <button type="button" class="btn link" @click=${() => this.post({ type: 'openPrices' })}>
          ${l10n.t('Prices')}
        </button>
        <button type="button" class="btn link" @click=${() => this.post({ type: 'openBudget' })}>
          ${l10n.t('Budgets')}
        </button>
      </div>
      ${budgets.length > 0 ? budgetTable(budgets, locale) : nothing}
      ${
        groups.days.length === 0
          ? html`<p role="status">${l10n.t('No agent reported any usage in this period.')}</p>`
          : html`<p class="sum num" role="status">
                <b>${tokenWords(total.tokens, locale)}</b
                ><span>${[turnWords(total.turns, locale), costWords(total, locale)].filter(Boolean).join(', ')}</span>
              </p>
              ${(['days', 'agents', 'models', 'sessions'] as const).map((group) => table(group, groups[group], locale))}`
      }`;
  }
}

function budgetTable(budgets: readonly (Budget | BudgetUse)[], locale: string): TemplateResult {
  const now = Date.now();
  return html`<section>
    <table>
      <caption>
        ${l10n.t('Budgets')}
      </caption>
      <thead>
        <tr>
          <th scope="col">${l10n.t('Budget')}</th>
          <th scope="col" class="n wide">${l10n.t('Used')}</th>
        </tr>
      </thead>
      <tbody>
        ${budgets.map((budget) => {
          const use = 'used' in budget ? budget : undefined;
          const level = use ? budgetLevel(use, now) : 'ok';
          return html`<tr>
            <th scope="row">
              <span dir="auto">${showHiddenOnOneLine(budgetName(budget))}</span>
              ${
                use
                  ? html`<progress
                      max=${Math.max(use.most, Number.MIN_VALUE)}
                      value=${Math.min(use.used, use.most)}
                      aria-hidden="true"
                      data-level=${level === 'usedUp' ? 'full' : level === 'near' ? 'high' : 'ok'}
                    ></progress>`
                  : nothing
              }
            </th>
            <td class="n wide">
              ${use ? budgetAmounts(use, locale) : l10n.t('{0} per session', budgetMost(budget, locale))}
              ${level === 'usedUp' ? html`<div>${l10n.t('used up')}</div>` : nothing}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
  </section>`;
}

function table(group: UsageGroup, lines: readonly UsageLine[], locale: string): TemplateResult {
  const most = Math.max(1, ...lines.map(({ tokens }) => tokens.total));
  const hasCosts = lines.some(({ costs, about }) => costs.length > 0 || about.length > 0);
  return html`<section>
    <table>
      <caption>
        ${groupName(group)}
      </caption>
      <thead>
        <tr>
          <th scope="col">${columnName(group)}</th>
          <th scope="col" class="n">${l10n.t('Turns')}</th>
          <th scope="col" class="n">${l10n.t('Tokens')}</th>
          ${hasCosts ? html`<th scope="col" class="n">${l10n.t('Cost')}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          (line) =>
            html`<tr title=${tokenWords(line.tokens, locale)}>
              <th scope="row">
                <span class="clip" dir="auto">${labelOf(group, line, locale)}</span>
                <progress max=${most} value=${line.tokens.total} aria-hidden="true"></progress>
              </th>
              <td class="n">${line.turns.toLocaleString(locale)}</td>
              <td class="n">${shortCount(line.tokens.total, locale)}</td>
              ${hasCosts ? html`<td class="n">${costWords(line, locale)}</td>` : nothing}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function labelOf(group: UsageGroup, { label, agentName }: UsageLine, locale: string): string {
  if (group === 'days') {
    const [year = 0, month = 1, day = 1] = label.split('-').map(Number);
    return new Date(year, month - 1, day).toLocaleDateString(locale, { dateStyle: 'medium' });
  }
  const name = showHiddenOnOneLine(label);
  if (group === 'agents') return name;
  if (group === 'models') return name === '' ? l10n.t('{0}, model not reported', agentName) : name;
  return name === '' ? l10n.t('{0}, session not in this folder', agentName) : name;
}

function turnWords(turns: number, locale: string): string {
  return turns === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', turns.toLocaleString(locale));
}

function rangeName(range: UsageRange): string {
  switch (range) {
    case 'week':
      return l10n.t('Last 7 days');
    case 'month':
      return l10n.t('Last 30 days');
    case 'year':
      return l10n.t('Last 12 months');
  }
}

function groupName(group: UsageGroup): string {
  switch (group) {
    case 'days':
      return l10n.t('Days');
    case 'agents':
      return l10n.t('Agents');
    case 'models':
      return l10n.t('Models');
    case 'sessions':
      return l10n.t('Sessions');
  }
}

function columnName(group: UsageGroup): string {
  switch (group) {
    case 'days':
      return l10n.t('Day');
    case 'agents':
      return l10n.t('Agent');
    case 'models':
      return l10n.t('Model');
    case 'sessions':
      return l10n.t('Session');
  }
}
