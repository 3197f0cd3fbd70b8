import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { TurnBreak, TurnSummary } from '../../../src/shared/amounts/turnSummary';
import { undidWords } from '../../../src/shared/changes/reviewWords';
import { spentTokens, type TurnUsage } from '../../../src/shared/amounts/turnUsage';
import { modelLines, money, shortCount, tokenWords } from '../../base/amounts';
import { endingName } from '../../base/endingName';
import { duration } from '../../base/format';
import { icon } from '../../base/icon';
import type { MenuItem } from '../../base/menu';
import { menuButton } from '../../base/menuButton';
import { changedWords, ranWords, type TurnWork } from './turnWork';

/** What the end of a turn does with what the turn changed. */
export interface TurnActions {
  /** For all files of the turn. Absent if nothing of it waits for review. */
  readonly review: ((action: 'open' | 'keep' | 'undo' | 'ask') => void) | undefined;
  /** Shows the files that wait for review, one by one. */
  readonly list: () => void;
  readonly redo: () => void;
  readonly commit: () => void;
  /** Brings what the session changed into the workspace. Absent unless it can be brought now. */
  readonly bring: (() => void) | undefined;
  readonly copy: () => void;
}

/** What the end of a turn shows. */
export interface TurnEnd {
  readonly summary: TurnSummary;
  readonly work: TurnWork;
  /** The title of the entry, which the line doesn't repeat. */
  readonly above: string | undefined;
  readonly agent: string;
  readonly locale: string;
  /** In how many files the user has undone the changes. Absent unless that can be redone. */
  readonly undone: number | undefined;
  readonly actions: TurnActions;
}

/**
 * The row at the end of a turn that changed files: what it changed and cost, and what to do with it. Of another turn it is a line: how it ended if not
 * as usual, agent, model, time, tokens, and cost, as far as they are known.
 */
export class TurnFooter {
  private readonly entry: HTMLElement;
  private line: HTMLElement | undefined;

  constructor(entry: HTMLElement) {
    this.entry = entry;
  }

  get element(): HTMLElement | undefined {
    return this.line;
  }

  /** Shows the end below the entry's content, which may have grown, or nothing. */
  set(end: TurnEnd | undefined): void {
    if (!end) {
      this.line?.remove();
      this.line = undefined;
      return;
    }
    this.line ??= document.createElement('div');
    draw(this.line, end);
    const { lastElementChild: last } = this.entry;
    const next = last?.classList.contains('acts') ? last : null;
    if (this.line.parentElement !== this.entry || this.line.nextElementSibling !== next)
      this.entry.insertBefore(this.line, next);
  }
}

/** The parts of a summary in words. */
interface Told {
  readonly how: string | undefined;
  readonly model: string | undefined;
  readonly time: string | undefined;
  readonly count: string | undefined;
  readonly price: string | undefined;
  /** All of them. */
  readonly parts: readonly string[];
  readonly details: string;
}

function told(
  { startedAt, endedAt, brokenBy, tokens, cost, ...summary }: TurnSummary,
  agent: string,
  locale: string,
): Told {
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
  const details = [...clock, ...parts, ...(tokens ? modelLines(tokens, locale) : [])].join('\n');
  return { how, model, time, count, price, parts, details };
}

function draw(element: HTMLElement, end: TurnEnd): void {
  const { summary, work, above, agent, locale } = end;
  const words = told(summary, agent, locale);
  const { how, parts } = words;
  const isRow = work.fileCount > 0;
  element.className = `pl-turn-end num ${isRow ? 'row' : ''}`;
  element.setAttribute('role', isRow ? 'group' : 'note');
  element.setAttribute('aria-label', isRow ? l10n.t('End of turn') : l10n.t('Turn ended: {0}', parts.join(', ')));
  element.title = words.details;
  const shownHow = how === undefined || how === above ? nothing : html`<span class="how">${how}</span>`;
  render(isRow ? row(end, words, shownHow) : line(end, words, shownHow), element);
}

/** What a turn changed, with what to do about it. */
function row({ work, undone, actions }: TurnEnd, words: Told, how: TemplateResult | typeof nothing): TemplateResult {
  const { commands } = work;
  const lines = undone === undefined ? work.lines : undefined;
  const { review, bring } = actions;
  const { parts, price } = words;
  return html`<span class="what"
      >${how}<span>${undone === undefined ? changedWords(work.fileCount) : undidWords(undone)}${
        lines ? html` <span class="add">+${lines.added}</span> <span class="del">−${lines.removed}</span>` : nothing
      }</span>${commands === 0 ? nothing : html`<span class="ran">${ranWords(commands)}</span>`}${
        price === undefined ? nothing : html`<span>${price}</span>`
      }</span
    ><span class="sr">${l10n.t('Turn ended: {0}', parts.join(', '))}</span
    ><span class="links"
      >${mainLink(review, undone === undefined ? undefined : actions.redo)}${
        undone === undefined ? link(l10n.t('Commit…'), actions.commit) : nothing
      }${bring === undefined ? nothing : link(l10n.t('Bring changes here'), bring)}${menuButton({
        label: l10n.t('More'),
        menu: l10n.t('More for this turn'),
        className: 'ib',
        content: icon('ellipsis'),
        foot: parts.join(' · '),
        items: () => moreItems(actions),
      })}</span
    >`;
}

function moreItems({ review, list, copy }: TurnActions): readonly MenuItem[] {
  const own: readonly MenuItem[] = review
    ? [
        { label: l10n.t('Keep all'), run: () => review('keep') },
        { label: l10n.t('Undo all'), run: () => review('undo') },
        { label: l10n.t('Show changed files'), run: list },
        { label: l10n.t('Second opinion…'), run: () => review('ask') },
      ]
    : [];
  return [...own, { label: l10n.t('Copy turn as Markdown'), run: copy }];
}

function line({ work, agent }: TurnEnd, words: Told, how: TemplateResult | typeof nothing): TemplateResult {
  const { model, time, count, price } = words;
  return html`${how}${work.commands === 0 ? nothing : html`<span>${ranWords(work.commands)}</span>`}<span
      class=${model === undefined && work.commands === 0 ? 'clip agent' : 'clip agent w-md'}
      >${agent}</span
    >${model === undefined ? nothing : endingName(model, [], 'model')}${time === undefined ? nothing : html`<span>${time}</span>`}${
      count === undefined
        ? nothing
        : html`<span class="w-md">${l10n.t('{0} tokens', count)}</span><span class="w-sm">${count}</span>`
    }${price === undefined ? nothing : html`<span>${price}</span>`}`;
}

/** One element for both, so that the focus stays where the user undoes and redoes. */
function mainLink(review: TurnActions['review'], redo: TurnActions['redo'] | undefined) {
  if (redo) return link(l10n.t('Redo'), redo);
  return review === undefined ? nothing : link(l10n.t('Review'), () => review('open'));
}

function link(label: string, act: () => void): TemplateResult {
  return html`<button type="button" class="btn link sm" @click=${act}>${label}</button>`;
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
