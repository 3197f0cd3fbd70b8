import * as l10n from '@vscode/l10n';
import { html, nothing, render } from 'lit-html';
import type { TurnBreak, TurnSummary } from '../../src/shared/turnSummary';
import { spentTokens, type TurnUsage } from '../../src/shared/turnUsage';
import { modelLines, money, shortCount, tokenWords } from '../base/amounts';
import { endingName } from '../base/endingName';
import { duration } from '../base/format';

/** The line at the end of a turn: how it ended if not as usual, agent, model, time, tokens, and cost, as far as they are known. */
export class TurnFooter {
  private readonly entry: HTMLElement;
  private line: HTMLElement | undefined;
  private shown: TurnSummary | undefined;

  constructor(entry: HTMLElement) {
    this.entry = entry;
  }

  get element(): HTMLElement | undefined {
    return this.line;
  }

  /**
   * Shows a summary below the entry's content, which may have grown, or nothing. `above` is the title of the entry, so that
   * the line doesn't repeat it.
   */
  set(summary: TurnSummary | undefined, above: string | undefined, agent: string, locale: string): void {
    if (!summary) {
      this.line?.remove();
      this.line = undefined;
      this.shown = undefined;
      return;
    }
    this.line ??= document.createElement('div');
    if (this.shown !== summary) draw(this.line, summary, above, agent, locale);
    this.shown = summary;
    const { lastElementChild: last } = this.entry;
    const next = last?.classList.contains('acts') ? last : null;
    if (this.line.parentElement !== this.entry || this.line.nextElementSibling !== next)
      this.entry.insertBefore(this.line, next);
  }
}

function draw(
  element: HTMLElement,
  summary: TurnSummary,
  above: string | undefined,
  agent: string,
  locale: string,
): void {
  const { startedAt, endedAt, brokenBy, tokens, cost } = summary;
  const model = summary.model ?? onlyModel(tokens);
  const time = endedAt === undefined ? undefined : duration(Math.max(0, endedAt - startedAt));
  const price = cost && money(cost.amount, cost.currency, locale);
  const clock =
    endedAt === undefined
      ? []
      : [l10n.t('Ended {0}', new Date(endedAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' }))];
  // As on the usage page, subagents belong to the turn.
  const spent = tokens && spentTokens(tokens);
  const count = spent && shortCount(spent.total, locale);
  const how = brokenBy && breakWord(brokenBy);
  const parts = [how, agent, model, time, spent && tokenWords(spent, locale), price].filter(
    (part) => part !== undefined,
  );
  element.className = 'pl-turn-end num';
  element.setAttribute('role', 'note');
  element.setAttribute('aria-label', l10n.t('Turn ended: {0}', parts.join(', ')));
  element.title = [...clock, ...parts, ...(tokens ? modelLines(tokens, locale) : [])].join('\n');
  render(
    html`${how === undefined || how === above ? nothing : html`<span class="how">${how}</span>`}<span
        class=${model === undefined ? 'clip agent' : 'clip agent w-md'}
        >${agent}</span
      >${model === undefined ? nothing : endingName(model, [], 'model')}${time === undefined ? nothing : html`<span>${time}</span>`}${
        count === undefined
          ? nothing
          : html`<span class="w-md">${l10n.t('{0} tokens', count)}</span><span class="w-sm">${count}</span>`
      }${price === undefined ? nothing : html`<span>${price}</span>`}`,
    element,
  );
}

/** Returns the model that a turn used, if it was one. */
function onlyModel(tokens: TurnUsage | undefined): string | undefined {
  const [row, ...others] = tokens?.models ?? [];
  return row && others.length === 0 && row.model !== '' ? row.model : undefined;
}

function breakWord(brokenBy: TurnBreak): string {
  switch (brokenBy) {
    case 'stopped':
      return l10n.t('Stopped');
    case 'cutOff':
      return l10n.t('Cut off');
    case 'failed':
      return l10n.t('Failed');
  }
}
