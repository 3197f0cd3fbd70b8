import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { SessionKey } from '../../../src/shared/values/ids';
import type {
  CompactionEntry,
  Entry,
  ErrorAction,
  ErrorEntry,
  NoticeEntry,
  Plan,
  PlanEntry,
  Transcript,
} from '../../../src/shared/transcript/transcript';
import { limitName, resetTime, resetWords } from '../../../src/shared/amounts/usageLimit';
import { icon } from '../../base/icon';
import { planList, planPath, planProgress } from '../../base/planList';
import { EntryView, type EntryScope } from '../view/entryView';
import { FoldedText } from '../view/foldedText';

type Line = NoticeEntry | PlanEntry | CompactionEntry;

/** Returns the rest of a line after its first words. Separates them visually and for screen readers if no period or line break does. */
function after(words: string, text: string | undefined): TemplateResult | typeof nothing {
  if (text === undefined) return nothing;
  const isParted = text.startsWith('\n') || /[.!?:…]\s*$/.test(words);
  return html`<span class="dim">${isParted ? ' ' : ' · '}${text}</span>`;
}

/** A line between hairlines: a notice, the start of a plan, or a compaction with its summary. */
export class NoticeView extends EntryView {
  entry: Line;
  private readonly line = document.createElement('div');
  private readonly opened = document.createElement('div');
  private readonly summary: FoldedText;

  constructor(scope: EntryScope, entry: Line) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-line';
    this.element.setAttribute('aria-label', entry.kind === 'plan' ? l10n.t('Plan') : l10n.t('Notice'));
    this.line.className = 'pl-notice';
    this.summary = new FoldedText(scope, entry.id, 'pl-summary pl-prose');
    this.opened.hidden = true;
    this.element.append(this.line, this.opened, this.summary.element);
  }

  set(entry: Entry): void {
    if (entry.kind === this.entry.kind) this.entry = entry;
    if (entry.kind === 'compaction') this.summary.set(entry.summary);
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { entry } = this;
    if (entry.kind === 'notice') this.drawNotice(entry);
    else if (entry.kind === 'plan') this.plan(entry);
    else this.compaction(entry);
    return true;
  }

  override toggle(): boolean {
    if (this.entry.kind === 'plan') {
      if (!this.line.querySelector('[aria-expanded]')) return false;
      this.scope.context.setExpanded(this.entry.id, !this.isPlanOpen);
      this.refresh();
      return true;
    }
    if (this.entry.kind !== 'compaction') return false;
    this.summary.toggle();
    this.refresh();
    return true;
  }

  override dispose(): void {
    this.summary.dispose();
    super.dispose();
  }

  private drawNotice(entry: NoticeEntry): void {
    const hadFocus = this.line.contains(document.activeElement);
    render(this.notice(entry), this.line);
    // What it offered may be gone.
    if (hadFocus && !this.line.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  private notice(entry: NoticeEntry): TemplateResult {
    const glyph =
      entry.severity === 'error'
        ? icon('error', 'err')
        : entry.severity === 'warning'
          ? icon('warning', 'attn')
          : entry.restore === undefined
            ? nothing
            : icon('discard');
    return html`${glyph}<span class="text">${entry.title}${after(entry.title, entry.description)}</span>${
        entry.restore === 'undoable'
          ? html`<button type="button" @click=${() => this.undoRestore()}>
              ${entry.isBrought ? l10n.t('Undo') : l10n.t('Undo restore')}
            </button>`
          : nothing
      }${entry.offer === undefined ? nothing : this.offer()}${this.links(entry)}`;
  }

  /** Offers what the notice is about: the session's changes, the remarks on them, or another session. */
  private links({ opens, hasRemarks, hasChanges }: NoticeEntry): TemplateResult {
    const { context, session } = this.scope;
    const review = (action: 'open' | 'undo') => () =>
      context.post({ type: 'reviewChanges', session, scope: 'session', action });
    const other = (key: SessionKey) => context.post({ type: 'selectSession', session: key });
    return html`${
      hasRemarks ? html`<button type="button" @click=${review('open')}>${l10n.t('Show remarks')}</button>` : nothing
    }${
      hasChanges && context.isReviewPending
        ? html`<button type="button" @click=${review('open')}>${l10n.t('Show changes')}</button
            ><button type="button" @click=${review('undo')}>${l10n.t('Undo changes')}</button>`
        : nothing
    }${
      opens === undefined
        ? nothing
        : html`<button type="button" @click=${() => other(opens)}>${l10n.t('Open session')}</button>`
    }`;
  }

  /** Offers what comes after the tour: a session with the user's own agent, or adding one. */
  private offer(): TemplateResult {
    const { agents, defaultAgent } = this.scope.context.page;
    const own = agents.filter(({ source }) => source !== 'builtin');
    const first = own.find(({ agentId }) => agentId === defaultAgent) ?? own[0];
    const add = html`<button type="button" @click=${() => this.addAgent()}>${l10n.t('Add Agent…')}</button>`;
    if (!first) return add;
    const start = () => this.scope.context.post({ type: 'startAgent', agent: first.agentId });
    return html`<button type="button" @click=${start}>${l10n.t('New session with {0}', first.name)}</button>${add}`;
  }

  private addAgent(): void {
    this.scope.context.post({
      type: 'errorAction',
      session: this.scope.session,
      entry: this.entry.id,
      action: 'addAgent',
    });
  }

  private undoRestore(): void {
    this.scope.context.post({ type: 'undoRestore', session: this.scope.session, entry: this.entry.id });
    // The button disappears when it is done, so the notice takes the focus.
    this.element.focus({ preventScroll: true });
  }

  /** The plan of the running turn is in the tray. Later, it can be opened here. */
  private plan(entry: PlanEntry): void {
    const plan = planOf(entry, this.scope.transcript);
    const isPast = plan !== undefined && entry.turn < lastTurn(this.scope.transcript);
    // A plan that the agent emptied is none any more.
    this.element.hidden = plan?.type === 'items' && plan.items.length === 0;
    const canOpen = isPast && plan.type !== 'file';
    const isOpen = canOpen && this.isPlanOpen;
    render(
      html`${icon('checklist')}<span class="text">${planLine(plan)}</span>${
          canOpen
            ? html`<button type="button" aria-expanded=${isOpen} @click=${() => this.toggle()}>
                ${isOpen ? l10n.t('Hide plan') : l10n.t('Show plan')}
              </button>`
            : nothing
        }${
          isPast && plan.type === 'file'
            ? html`<button type="button" @click=${() => this.openPlan(plan.uri)}>${l10n.t('Open plan')}</button>`
            : nothing
        }`,
      this.line,
    );
    render(isOpen ? openedPlan(plan) : nothing, this.opened);
    this.opened.hidden = !isOpen;
  }

  private get isPlanOpen(): boolean {
    return this.scope.context.isExpanded(this.entry.id) ?? false;
  }

  private openPlan(uri: string): void {
    this.scope.context.post({ type: 'openLocation', session: this.scope.session, path: planPath(uri) });
  }

  private compaction(entry: CompactionEntry): void {
    const texts = {
      in_progress: l10n.t('Compacting the conversation'),
      completed: l10n.t('Conversation compacted'),
      failed: l10n.t('Couldn’t compact the conversation'),
      cancelled: l10n.t('Compaction cancelled'),
    };
    const hasSummary = entry.summary.length > 0;
    const isOpen = hasSummary && this.summary.isOpen;
    render(
      html`${entry.status === 'failed' ? icon('error', 'err') : icon('fold')}<span class="text"
          >${texts[entry.status]}${after(texts[entry.status], entry.error)}</span
        >${
          hasSummary
            ? html`<button type="button" aria-expanded=${isOpen} @click=${() => this.toggle()}>
                ${isOpen ? l10n.t('Hide summary') : l10n.t('Show summary')}
              </button>`
            : nothing
        }`,
      this.line,
    );
    this.summary.draw(isOpen, entry.summary, entry.status !== 'in_progress');
  }
}

function planOf(entry: PlanEntry, { view }: Transcript): Plan | undefined {
  return entry.plan ?? view.plans.find(({ planId }) => planId === entry.planId);
}

function lastTurn({ order, entries }: Transcript): number {
  const last = order.at(-1);
  return (last === undefined ? undefined : entries.get(last)?.turn) ?? 0;
}

/** Renders the plan below its line. Its list has the name of the line, because the list of the tray is the plan of now. */
function openedPlan(plan: Plan): TemplateResult | typeof nothing {
  if (plan.type === 'items') return planList(plan.items, planLine(plan), true);
  return plan.type === 'markdown' ? html`<div class="pl-plan text">${plan.content}</div>` : nothing;
}

/** Returns the line of a plan: "Plan, 2 of 5". */
export function planLine(plan: Plan | undefined): string {
  if (plan?.type !== 'items') return l10n.t('Plan');
  const { done, total } = planProgress(plan.items);
  return l10n.t('Plan, {0} of {1}', done, total);
}

/** A failure: what failed, why, the end of the log, and the next steps, the best one first. */
export class ErrorView extends EntryView {
  entry: ErrorEntry;
  private readonly card = document.createElement('div');
  /** Screen readers announce an error once, and not again when the reader comes back to it. */
  private readonly isNews: boolean;

  constructor(scope: EntryScope, entry: ErrorEntry) {
    super(scope);
    this.entry = entry;
    this.isNews = scope.isFirstTime(entry.id) && entry.earlier !== true;
    this.element.append(this.card);
    this.element.setAttribute('aria-label', l10n.t('Notice'));
  }

  set(entry: Entry): void {
    if (entry.kind === 'error') this.entry = entry;
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { entry } = this;
    const log = entry.logTail?.trimEnd().split('\n').slice(-4).join('\n');
    render(
      html`<div class="pl-card err" role=${this.isNews ? 'alert' : 'note'}>
        <div class="h">${icon('error', 'err')}<span>${entry.title}</span></div>
        ${entry.cause === undefined ? nothing : html`<div class="ind">${entry.cause}</div>`}
        ${entry.limit ? html`<div class="ind">${limitWords(entry.limit, this.scope.context.page.locale)}</div>` : nothing}
        ${log === undefined || log === '' ? nothing : html`<div class="ind"><div class="pl-log">${log}</div></div>`}
        ${
          entry.actions.length === 0
            ? nothing
            : html`<div class="ind btns">
                ${actionsOf(entry).map(
                  (action, index) =>
                    html`<button
                      type="button"
                      class="btn ${index === 0 ? 'primary' : ''}"
                      @click=${() => this.act(action)}
                    >
                      ${
                        action === 'sendLater' && entry.limit?.resetsAt !== undefined
                          ? l10n.t(
                              'Send at {0}',
                              resetTime(entry.limit.resetsAt, Date.now(), this.scope.context.page.locale),
                            )
                          : actionLabel(action, entry.code)
                      }
                    </button>`,
                )}
              </div>`
        }
      </div>`,
      this.card,
    );
    return true;
  }

  private act(action: ErrorAction): void {
    this.scope.context.post({ type: 'errorAction', session: this.scope.session, entry: this.entry.id, action });
  }
}

/** The actions of a card. A message can be sent later only if it's known when. */
function actionsOf({ actions, limit }: ErrorEntry): readonly ErrorAction[] {
  const isLater = limit?.resetsAt !== undefined && limit.resetsAt > Date.now();
  return isLater ? actions : actions.filter((action) => action !== 'sendLater');
}

/** Says which limit it is, when it resets, and that nothing is lost. */
function limitWords({ type, resetsAt }: ErrorEntry['limit'] & object, locale: string): string {
  const now = Date.now();
  const isAhead = resetsAt !== undefined && resetsAt > now;
  const name = type === '' && !isAhead ? '' : limitName(type);
  const when = isAhead ? resetWords(resetsAt, now, locale) : '';
  const line = name === '' ? '' : when === '' ? `${name}.` : `${name}: ${when}.`;
  return [line, l10n.t('Your message is saved.')].filter(Boolean).join(' ');
}

/** Failures of agents that never ran, so that nothing is restarted or continued. */
const neverRan: ReadonlySet<string> = new Set([
  'agentNotFound',
  'agentNotStarted',
  'agentUnreachable',
  'handshakeFailed',
  'notTrusted',
  'sandboxNotMade',
]);

function actionLabel(action: ErrorAction, code: string): string {
  const labels: Readonly<Record<ErrorAction, string>> = {
    restartAgent: neverRan.has(code) ? l10n.t('Try again') : l10n.t('Restart and continue'),
    reopen: l10n.t('Try again'),
    startFresh: l10n.t('Start fresh'),
    continueTurn: l10n.t('Continue'),
    sendAgain: l10n.t('Send again'),
    sendLater: l10n.t('Send later'),
    newSession: l10n.t('New session'),
    continueWith: l10n.t('Continue with…'),
    showLog: l10n.t('Show log'),
    openSettings: l10n.t('Open settings'),
    addAgent: l10n.t('Add agent'),
    manageTrust: l10n.t('Manage trust'),
    openFolder: l10n.t('Open folder…'),
    endProcess: l10n.t('End process'),
    disconnect: l10n.t('Disconnect'),
    keepWaiting: l10n.t('Keep waiting'),
  };
  return labels[action];
}
