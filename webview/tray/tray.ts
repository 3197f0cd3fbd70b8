import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { Freedom } from '../../src/shared/limits/freedom';
import type { Plan, ScheduledPrompt, SessionView } from '../../src/shared/transcript/transcript';
import { budgetStrip, type BudgetProps } from './budgetStrip';
import {
  changesStrip,
  foldedList,
  gapStrip,
  openKey,
  redoStrip,
  type ChangesProps,
  type RedoProps,
} from './changesStrip';
import { lateWorkOf } from '../../src/shared/transcript/lateWork';
import { icon } from '../base/icon';
import { goalStrip, type GoalProps } from './goalStrip';
import { lateStrip, type LateProps } from './lateStrip';
import { planStrip, type StripProps } from './planStrip';
import { problemsStrip, type ProblemsProps } from './problemsStrip';
import { queueStrip, type QueueProps } from './queueStrip';
import { unprotectedStrip, type UnprotectedProps } from './unprotectedStrip';
import { resetTime } from '../../src/shared/amounts/usageLimit';

/** The data and actions of the tray. Its order never changes: the warning, requests, late work, goal, plan, changed files, files that can't be undone, new problems, scheduled message, budget, queue. */
export interface TrayProps
  extends
    StripProps,
    LateProps,
    GoalProps,
    ChangesProps,
    RedoProps,
    ProblemsProps,
    QueueProps,
    ScheduledProps,
    BudgetProps,
    UnprotectedProps {
  readonly view: SessionView;
  readonly plans: readonly Plan[];
  /** Number of open requests that are out of sight. */
  readonly requests: number;
  showRequest(): void;
  /** What the user allowed in this session without being asked. */
  readonly freedom: Freedom | undefined;
  stopAllowing(): void;
}

/** Renders the tray above the composer: everything current that isn't visible in the transcript. */
export function tray(props: TrayProps): TemplateResult | typeof nothing {
  const queue = props.view.queue;
  const { recordedFrom } = props;
  // What the user unfolded stays.
  const isShown = props.areShown && !props.isOpen(openKey, false);
  const files = isShown ? [] : props.files;
  const list = isShown ? guard([props.files], () => foldedList(props.files, 'session')) : nothing;
  const isLate = lateWorkOf(props.view).length > 0;
  const asksBudget = props.view.asksBudget === true;
  const isEmpty = props.requests === 0 && props.plans.length === 0 && files.length === 0 && queue.length === 0;
  const hasProblems = props.newProblems.count > 0;
  const hasGap = recordedFrom !== undefined;
  const isExposed = props.unprotected.count > 0;
  const scheduled = props.view.scheduled === 'none' ? undefined : props.view.scheduled;
  const goal = props.view.goal === 'none' ? undefined : props.view.goal;
  if (
    isEmpty &&
    !goal &&
    !scheduled &&
    !asksBudget &&
    !isLate &&
    !isExposed &&
    !hasProblems &&
    !hasGap &&
    !props.redo &&
    !props.freedom
  )
    return isShown ? html`${list}` : nothing;
  return html`${list}
    <div class="tray">
      ${props.freedom ? freedomStrip(props, props.freedom) : nothing}
      ${props.requests > 0 ? requestsStrip(props) : nothing} ${lateStrip(props)}
      ${goal ? goalStrip(goal, props) : nothing} ${props.plans.map((plan, at) => planStrip(plan, at, props))}
      ${files.length > 0 ? changesStrip(props) : nothing} ${redoStrip(props)}
      ${hasGap ? gapStrip(recordedFrom) : nothing} ${isExposed ? unprotectedStrip(props) : nothing}
      ${hasProblems ? problemsStrip(props, props.view.agentName) : nothing}
      ${scheduled ? scheduledStrip(scheduled, props) : nothing} ${budgetStrip(props.view, props)}
      ${queue.length > 0 ? queueStrip(props) : nothing}
    </div>`;
}

function freedomStrip(props: TrayProps, freedom: Freedom): TemplateResult {
  const { agentName } = props.view;
  const isHeld = freedom === 'inSandbox';
  const words = isHeld
    ? l10n.t('{0} works freely inside its sandbox', agentName)
    : l10n.t('{0} is allowed everything in this session', agentName);
  return html`<section
    class="pl-strip ${isHeld ? 'free' : 'need'}"
    aria-label=${isHeld ? l10n.t('Sandbox') : l10n.t('Warning')}
  >
    <div class="head">
      ${isHeld ? icon('shield') : icon('warning', 'attn')}<span class="clip grow" role="status">${words}</span
      ><button type="button" class="btn link sm" @click=${() => props.stopAllowing()}>${l10n.t('Turn off')}</button>
    </div>
  </section>`;
}

function requestsStrip(props: TrayProps): TemplateResult {
  const words =
    props.requests === 1
      ? l10n.t('{0} is waiting for you', props.view.agentName)
      : l10n.t('{0} requests need your answer', props.requests);
  return html`<section class="pl-strip need" aria-label=${l10n.t('Requests')}>
    <div class="head">
      ${icon('bell-dot', 'attn')}<span class="clip grow">${words}</span
      ><button class="btn link sm" @click=${() => props.showRequest()}>${l10n.t('Show request')}</button>
    </div>
  </section>`;
}

/** What the user does with a scheduled message. */
interface ScheduledProps {
  readonly locale: string;
  onScheduled(action: 'send' | 'cancel'): void;
}

/** Renders when a message is sent, with its text. */
function scheduledStrip({ at, text }: ScheduledPrompt, props: ScheduledProps): TemplateResult {
  const words = l10n.t('Scheduled for {0}', resetTime(at, Date.now(), props.locale));
  return html`<section class="pl-strip timed" aria-label=${l10n.t('Scheduled message')}>
    <div class="head">
      ${icon('watch')}<span class="clip grow" role="status" title=${text}>${words}</span
      ><button type="button" class="btn link sm" @click=${() => props.onScheduled('send')}>${l10n.t('Send now')}</button
      ><button type="button" class="btn link sm" @click=${() => props.onScheduled('cancel')}>
        ${l10n.t('Don’t send')}
      </button>
    </div>
  </section>`;
}
