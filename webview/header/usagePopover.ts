import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { budgetLevel, budgetName, budgetPercent } from '../../src/shared/amounts/budget';
import type { AgentStats, ContextParts } from '../../src/shared/amounts/contextParts';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview } from '../../src/shared/pages/messages';
import type { SessionView } from '../../src/shared/transcript/transcript';
import { spentTokens } from '../../src/shared/amounts/turnUsage';
import { currentLimits, limitName, resetWords } from '../../src/shared/amounts/usageLimit';
import type { UsageLine } from '../../src/shared/pages/usagePage';
import { budgetAmounts, costWords, money, shortCount, tokenWords } from '../base/amounts';
import { contextParts } from './contextParts';

/** Commands of agents that compact the conversation. */
const compactCommands = ['compact', 'compress'];

/** What the popover shows and does. */
export interface UsagePopoverContext {
  readonly session: () => SessionKey | '';
  readonly view: () => SessionView | undefined;
  readonly locale: () => string;
  post(message: FromWebview): void;
}

/** The lines that the host has, for the session they are of. */
interface Fetched {
  readonly session: SessionKey;
  readonly lines: { readonly session: UsageLine; readonly today: UsageLine };
}

/** What the agent itself says about a session. */
interface Told {
  readonly session: SessionKey;
  readonly context?: ContextParts;
  readonly stats?: AgentStats;
}

/**
 * What a session and its agent use: context, tokens, costs, and limits. Opens below the ring; Escape, Tab out of it, and a click elsewhere
 * close it. What isn't known isn't shown.
 */
export class UsagePopover {
  private readonly context: UsagePopoverContext;
  private readonly element = document.createElement('div');
  private button: HTMLElement | undefined;
  private session: SessionKey | '' = '';
  private fetched: Fetched | undefined;
  private told: Told | undefined;
  /** The tokens of the session when the lines were requested. */
  private spentBefore = 0;

  constructor(context: UsagePopoverContext) {
    this.context = context;
    this.element.className = 'pl-pop pl-usagepop';
    this.element.setAttribute('role', 'dialog');
    this.element.setAttribute('aria-label', l10n.t('Usage'));
    this.element.tabIndex = -1;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.close(true);
      event.preventDefault();
      event.stopPropagation();
    });
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !this.isIn(relatedTarget)) this.close(false);
    });
  }

  toggle(button: HTMLElement): void {
    if (this.element.isConnected) {
      this.close(true);
      return;
    }
    this.button = button;
    this.session = this.context.session();
    (button.closest('.pl') ?? document.body).append(this.element);
    button.setAttribute('aria-expanded', 'true');
    this.fetch();
    this.update();
    document.addEventListener('pointerdown', this.onPointer, true);
    window.addEventListener('resize', this.onResize);
    this.element.focus({ preventScroll: true });
  }

  /** The host has sent lines. */
  receive(fetched: Fetched): void {
    this.fetched = fetched;
    this.update();
  }

  /** The agent has said what it knows about the session. */
  receiveContext(told: Told): void {
    this.told = told;
    this.update();
  }

  /** Shows what has changed since. */
  update(): void {
    if (!this.element.isConnected) return;
    const view = this.context.view();
    if (!view || this.context.session() !== this.session || this.button?.isConnected !== true) {
      this.close(false);
      return;
    }
    if ((view.spent?.total ?? 0) !== this.spentBefore) this.fetch();
    render(this.content(view), this.element);
    this.place();
  }

  private fetch(): void {
    if (this.session === '') return;
    this.spentBefore = this.context.view()?.spent?.total ?? 0;
    this.context.post({ type: 'fetchUsage', session: this.session });
    this.context.post({ type: 'fetchContext', session: this.session });
  }

  private content(view: SessionView): TemplateResult {
    const locale = this.context.locale();
    const { session, today } = (this.fetched?.session === this.session ? this.fetched.lines : undefined) ?? {};
    const { usage, turnUsage, spent } = view;
    const { context, stats } = (this.told?.session === this.session ? this.told : undefined) ?? {};
    const sessionCost =
      usage.state === 'known' && usage.cost
        ? money(usage.cost.amount, usage.cost.currency, locale)
        : session && costWords(session, locale);
    const rows = [
      row(l10n.t('Last turn'), turnUsage && turnUsage !== 'none' ? tokenWords(spentTokens(turnUsage), locale) : '', ''),
      row(l10n.t('This session'), spent ? tokenWords(spent, locale) : '', sessionCost ?? ''),
      stats && row(l10n.t('Counted by {0}', view.agentName), statsWords(stats, locale), ''),
      today && row(l10n.t('{0} today', view.agentName), tokensOf(today, locale), costWords(today, locale)),
    ];
    const compact = view.availableCommands.find(({ name }) => compactCommands.includes(name));
    const isIdle = view.activity.state === 'idle' && view.connection.state === 'ready';
    const shown = usage.state === 'known' && usage.size > 0 ? usage : context;
    return html`${shown ? contextBar(shown, locale) : nothing} ${context ? contextParts(context, locale) : nothing}
      <dl>${rows}${limitRows(view, Date.now(), locale)}${budgetRows(view, Date.now(), locale)}</dl>
      <div class="btns">
        ${
          compact && isIdle
            ? html`<button type="button" class="btn sec sm" @click=${() => this.compact(compact.name)}>
                ${l10n.t('Compact now')}
              </button>`
            : nothing
        }
        ${
          isIdle && view.title !== ''
            ? html`<button type="button" class="btn link sm" @click=${() => this.summarize()}>
                ${l10n.t('New session from summary')}
              </button>`
            : nothing
        }
        <button type="button" class="btn link sm" @click=${() => this.showAll()}>${l10n.t('All usage')}</button>
      </div>`;
  }

  private compact(command: string): void {
    const { session } = this;
    this.close(true);
    if (session !== '') this.context.post({ type: 'sendPrompt', session, text: `/${command}` });
  }

  private summarize(): void {
    const { session } = this;
    this.close(false);
    if (session !== '') this.context.post({ type: 'newFromSummary', session });
  }

  private showAll(): void {
    this.close(false);
    this.context.post({ type: 'showUsage' });
  }

  private close(givesFocusBack: boolean): void {
    if (!this.element.isConnected) return;
    document.removeEventListener('pointerdown', this.onPointer, true);
    window.removeEventListener('resize', this.onResize);
    const { button } = this;
    this.button = undefined;
    this.element.remove();
    button?.setAttribute('aria-expanded', 'false');
    if (givesFocusBack) button?.focus({ preventScroll: true });
  }

  private readonly onPointer = ({ target }: Event) => {
    if (target instanceof Node && !this.isIn(target)) this.close(false);
  };
  private readonly onResize = () => this.place();

  private isIn(node: Node): boolean {
    return this.element.contains(node) || this.button?.contains(node) === true;
  }

  private place(): void {
    const { element, button } = this;
    if (!button) return;
    const around = (element.parentElement ?? document.body).getBoundingClientRect();
    const at = button.getBoundingClientRect();
    const gap = 2;
    const most = around.right - element.offsetWidth - gap;
    const left = Math.max(around.left + gap, Math.min(at.right - element.offsetWidth, most));
    element.style.left = `${left - around.left}px`;
    element.style.top = `${at.bottom + gap - around.top}px`;
  }
}

function contextBar({ used, size }: { readonly used: number; readonly size: number }, locale: string): TemplateResult {
  const share = Math.min(1, Math.max(0, used / size));
  const percent = Math.round(share * 100);
  const words = l10n.t('{0} of {1}', shortCount(used, locale), shortCount(size, locale));
  return html`<div class="ctx">
    <span>${l10n.t('Context')}</span><span class="num">${l10n.t('{0}% used, {1}', percent, words)}</span>
    <progress
      max="100"
      value=${percent}
      aria-hidden="true"
      data-level=${percent >= 95 ? 'full' : percent >= 80 ? 'high' : 'ok'}
    ></progress>
  </div>`;
}

/** Returns what the agent counted, with work that isn't part of a turn. */
function statsWords({ tokens, requests, toolCalls }: AgentStats, locale: string): string {
  const total = l10n.t('{0} tokens', shortCount(tokens, locale));
  const asked = requests === 1 ? l10n.t('1 model request') : l10n.t('{0} model requests', requests);
  const called = toolCalls === 1 ? l10n.t('1 tool call') : l10n.t('{0} tool calls', toolCalls);
  return [total, asked, called].join(', ');
}

function row(name: string, value: string, cost: string): TemplateResult | typeof nothing {
  if (value === '' && cost === '') return nothing;
  return html`<div>
    <dt>${name}</dt>
    <dd class="num">
      ${value === '' ? nothing : html`<span>${value}</span>`}${cost === '' ? nothing : html`<span>${cost}</span>`}
    </dd>
  </div>`;
}

function tokensOf({ tokens }: UsageLine, locale: string): string {
  return tokens.total === 0 ? '' : tokenWords(tokens, locale);
}

function limitRows({ limits = [] }: SessionView, now: number, locale: string) {
  return currentLimits(limits, now).map(({ type, state, used, resetsAt }) => {
    const share =
      state === 'reached' ? l10n.t('used up') : used === undefined ? '' : l10n.t('{0}% used', Math.round(used * 100));
    const resets = resetsAt === undefined ? '' : resetWords(resetsAt, now, locale);
    return row(limitName(type), [share, resets].filter(Boolean).join(', '), '');
  });
}

function budgetRows({ budgets = [] }: SessionView, now: number, locale: string) {
  return budgets.map((budget) => {
    const level = budgetLevel(budget, now);
    const isOver = budget.until !== undefined && budget.until <= now;
    const use = isOver ? { ...budget, used: 0 } : budget;
    const share = level === 'usedUp' ? l10n.t('used up') : l10n.t('{0}% used', budgetPercent(use));
    return row(budgetName(budget), `${share}, ${budgetAmounts(use, locale)}`, '');
  });
}
