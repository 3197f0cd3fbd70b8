import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Goal, GoalStatus } from '../../src/shared/transcript/goal';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { shortCount } from '../base/amounts';
import { duration } from '../base/format';
import { icon } from '../base/icon';

/** The user's actions on a goal. */
export interface GoalProps {
  readonly locale: string;
  onGoal(action: 'set' | 'clear'): void;
}

/** Renders what the agent works on until it is reached, with what the agent says about it. */
export function goalStrip(goal: Goal, props: GoalProps): TemplateResult {
  const { objective, reason } = goal;
  const words = factsOf(goal, props.locale);
  const shown = showHiddenOnOneLine(objective);
  return html`<section class="pl-strip pl-goal" aria-label=${l10n.t('Goal')}>
    <div class="head">
      ${icon('target')}<span class="clip grow" dir="auto" title=${shown}
        ><span class="dim">${l10n.t('Goal')}</span>&ensp;${shown}</span
      ><button type="button" class="btn link sm" @click=${() => props.onGoal('set')}>${l10n.t('Change')}</button
      ><button type="button" class="btn link sm" @click=${() => props.onGoal('clear')}>${l10n.t('Clear')}</button>
    </div>
    ${words === '' ? nothing : html`<p class="facts" role="status">${words}</p>`}
    ${reason ? html`<p class="facts" dir="auto">${showHiddenOnOneLine(reason)}</p>` : nothing}
  </section>`;
}

function factsOf({ status, iterations, tokens, seconds }: Goal, locale: string): string {
  const rounds = iterations === 1 ? l10n.t('1 round') : l10n.t('{0} rounds', iterations ?? 0);
  const facts = [
    status ? statusWords(status) : '',
    iterations === undefined ? '' : rounds,
    tokens === undefined ? '' : l10n.t('{0} tokens', shortCount(tokens, locale)),
    seconds === undefined ? '' : duration(seconds * 1000),
  ];
  return facts.filter(Boolean).join(' · ');
}

function statusWords(status: GoalStatus): string {
  const words: Readonly<Record<GoalStatus, string>> = {
    active: l10n.t('active'),
    paused: l10n.t('paused'),
    blocked: l10n.t('blocked'),
    limited: l10n.t('stopped by a limit'),
    complete: l10n.t('reached'),
  };
  return words[status];
}
