import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { Plan, PlanItem, Transcript } from '../../src/shared/transcript';
import { icon } from '../base/icon';

/** The state that a strip of the tray needs: whether it is unfolded, and how to open its file. */
export interface StripProps {
  isOpen(key: string, byDefault: boolean): boolean;
  setOpen(key: string, open: boolean): void;
  openPath(path: string): void;
}

/** Returns a plan's progress: the number of completed items, the total, and the current one. Cancelled items don't count. */
export function planProgress(items: readonly PlanItem[]): { done: number; total: number; current: string } {
  const counted = items.filter((item) => item.status !== 'cancelled');
  const done = counted.filter((item) => item.status === 'completed').length;
  const current =
    counted.find((item) => item.status === 'in_progress') ?? counted.find((item) => item.status === 'pending');
  return { done, total: counted.length, current: current?.content ?? l10n.t('All done') };
}

/** Tracks which plans belong in the tray. A completed plan stays until the next message, and is then only a line in the transcript. */
export class PlansInTray {
  /** The turn in which each plan last changed, as observed here. */
  private readonly turns = new Map<string, { plan: Plan; turn: number }>();

  reset(transcript: Transcript | undefined): void {
    this.turns.clear();
    if (!transcript) return;
    // A snapshot doesn't say when a plan last changed. The place of its line is the best approximation.
    for (const entry of transcript.entries.values()) {
      const plan =
        entry.kind === 'plan' ? transcript.view.plans.find(({ planId }) => planId === entry.planId) : undefined;
      if (plan) this.turns.set(plan.planId, { plan, turn: entry.turn });
    }
  }

  visible(transcript: Transcript): readonly Plan[] {
    const now = lastTurn(transcript);
    return transcript.view.plans.filter((plan) => {
      if (plan.subagent !== undefined) return false;
      if (plan.type !== 'items') return true;
      if (plan.items.length === 0) return false;
      const seen = this.turns.get(plan.planId);
      if (seen?.plan !== plan) this.turns.set(plan.planId, { plan, turn: now });
      const { done, total } = planProgress(plan.items);
      return done < total || (this.turns.get(plan.planId)?.turn ?? now) >= now;
    });
  }
}

function lastTurn(transcript: Transcript): number {
  const id = transcript.order.at(-1);
  return (id && transcript.entries.get(id)?.turn) ?? 0;
}

/** Renders a plan's strip: a thin progress bar, the current item, "2 of 5". When folded, the list stays for screen readers. */
export function planStrip(plan: Plan, at: number, props: StripProps): TemplateResult {
  const name = at === 0 ? l10n.t('Plan') : l10n.t('Plan {0}', at + 1);
  const key = `plan ${plan.planId}`;
  const open = props.isOpen(key, false);
  if (plan.type === 'file') return fileStrip(plan.uri, name, props);
  const progress = plan.type === 'items' ? planProgress(plan.items) : undefined;
  const share = progress && progress.total > 0 ? progress.done / progress.total : 0;
  const current = plan.type === 'items' ? (progress?.current ?? '') : firstLine(plan.content);
  return html`<section class="pl-strip ${open ? 'open' : ''}" aria-label=${name}>
    <div class="pl-bar" aria-hidden="true"><i .style=${`width:${(share * 100).toFixed(1)}%`}></i></div>
    <div class="head">
      <button class="tw" aria-expanded=${String(open)} @click=${() => props.setOpen(key, !open)}>
        ${icon('chevron-right', 'chev')}<span class="clip"><span class="dim">${name}</span>&ensp;${current}</span>
      </button>
      ${progress ? html`<span class="cnt">${l10n.t('{0} of {1}', progress.done, progress.total)}</span>` : ''}
    </div>
    ${plan.type === 'items' ? list(plan.items, name, open) : html`<div class="pl-plan text" ?hidden=${!open}>${plan.content}</div>`}
  </section>`;
}

function list(items: readonly PlanItem[], name: string, open: boolean): TemplateResult {
  return html`<ul class=${open ? 'pl-plan' : 'pl-plan sr'} role="list" aria-label=${name} tabindex=${open ? 0 : -1}>
    ${items.map((item) => html`<li role="listitem" class=${classOf(item)}>${mark(item)}<span>${item.content}</span><span class="sr">${statusWords(item)}</span></li>`)}
  </ul>`;
}

function fileStrip(uri: string, name: string, props: StripProps): TemplateResult {
  const path = pathOf(uri);
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return html`<section class="pl-strip" aria-label=${name}>
    <div class="head">
      <span class="clip grow"><span class="dim">${name}</span>&ensp;${file}</span
      ><button class="btn link sm" @click=${() => props.openPath(path)}>${l10n.t('Open plan')}</button>
    </div>
  </section>`;
}

/** Returns the path of a `file:` URI (on Windows, without the slash before the drive). Anything else is returned unchanged. */
function pathOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return decodeURIComponent(new URL(uri).pathname).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    // The text isn't a URI, so it is the best available name.
    return uri;
  }
}

function firstLine(markdown: string): string {
  return (markdown.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^[#>*\s-]+/, '');
}

function classOf(item: PlanItem): string {
  return { completed: 'done', in_progress: 'now', cancelled: 'done', pending: '' }[item.status];
}

function mark(item: PlanItem): TemplateResult {
  switch (item.status) {
    case 'completed':
      return icon('pass');
    case 'in_progress':
      return icon('circle-large-filled', 'run');
    case 'cancelled':
      return icon('circle-slash');
    case 'pending':
      return icon('circle-large');
  }
}

function statusWords(item: PlanItem): string {
  switch (item.status) {
    case 'completed':
      return l10n.t('completed');
    case 'in_progress':
      return l10n.t('in progress');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'pending':
      return l10n.t('pending');
  }
}
