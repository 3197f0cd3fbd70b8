import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { Plan, PlanItem, Transcript } from '../../src/shared/transcript/transcript';
import { icon } from '../base/icon';
import { planList, planPath, planProgress } from '../base/planList';

/** The state that a strip of the tray needs: whether it is unfolded, and how to open its file. */
export interface StripProps {
  isOpen(key: string, byDefault: boolean): boolean;
  setOpen(key: string, open: boolean): void;
  openPath(path: string): void;
}

/** Determines which plans belong in the tray. A plan belongs to its turn: after the next message, or once the turn is over and nothing of it is left, it is only a line in the transcript. */
export class PlansInTray {
  private known:
    | {
        readonly of: readonly Plan[];
        readonly turn: number;
        readonly isOver: boolean;
        readonly visible: readonly Plan[];
      }
    | undefined;

  reset(): void {
    this.known = undefined;
  }

  visible(transcript: Transcript): readonly Plan[] {
    const { plans, activity } = transcript.view;
    const turn = lastTurn(transcript);
    const isOver = activity.state === 'idle';
    // The entries of plans change only together with the plans.
    if (this.known?.of !== plans || this.known.turn !== turn || this.known.isOver !== isOver) {
      const past = plansOfEarlierTurns(transcript, turn);
      const visible = plans.filter(
        (plan) =>
          plan.subagent === undefined &&
          !past.has(plan.planId) &&
          !(plan.type === 'items' && (plan.items.length === 0 || (isOver && isDone(plan.items)))),
      );
      this.known = { of: plans, turn, isOver, visible };
    }
    return this.known.visible;
  }
}

function isDone(items: readonly PlanItem[]): boolean {
  const { done, total } = planProgress(items);
  return done === total;
}

/** Returns the ids of plans that haven't changed in this turn. If a turn is longer than the loaded entries, its plans may be in it. */
function plansOfEarlierTurns({ order, entries, view }: Transcript, turn: number): ReadonlySet<string> {
  const past = new Set<string>(view.plans.map(({ planId }) => planId));
  for (let at = order.length - 1; at >= 0; at--) {
    const entry = entries.get(order[at] ?? ('' as never));
    if (!entry) continue;
    if (entry.turn < turn) return past;
    if (entry.kind === 'plan') past.delete(entry.planId);
  }
  return new Set();
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
    ${plan.type === 'items' ? planList(plan.items, name, open) : html`<div class="pl-plan text" ?hidden=${!open}>${plan.content}</div>`}
  </section>`;
}

function fileStrip(uri: string, name: string, props: StripProps): TemplateResult {
  const path = planPath(uri);
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return html`<section class="pl-strip" aria-label=${name}>
    <div class="head">
      <span class="clip grow"><span class="dim">${name}</span>&ensp;${file}</span
      ><button class="btn link sm" @click=${() => props.openPath(path)}>${l10n.t('Open plan')}</button>
    </div>
  </section>`;
}

function firstLine(markdown: string): string {
  return (markdown.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^[#>*\s-]+/, '');
}
