import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { ToolDetail } from '../../src/shared/pages/messages';
import type { SessionView } from '../../src/shared/transcript/transcript';
import { spentTokens } from '../../src/shared/amounts/turnUsage';
import { icon } from '../base/icon';
import { money, shortCount, tokenWords } from '../base/amounts';
import { monogram } from '../base/monogram';
import { detailButton } from './detailMenu';
import { followSwitch, type FollowProps } from './followSwitch';
import { titleButton } from './titleButton';
import type { UsagePopover } from './usagePopover';

/** The data and actions of the header. */
export interface HeaderProps {
  readonly view: SessionView;
  /** The logged-in account. Empty if the agent doesn't report it. */
  readonly account: string;
  /** Whether tabs are shown. A low panel then has no header, and the heading stays for screen readers. */
  readonly hasTabs: boolean;
  readonly host: 'view' | 'editor';
  readonly locale: string;
  readonly toolDetail: ToolDetail;
  readonly follow: Omit<FollowProps, 'agentName'>;
  readonly usage: Pick<UsagePopover, 'toggle'>;
  setToolDetail(detail: ToolDetail): void;
  rename(title: string): void;
  toggleSessions(): void;
  newSession(): void;
  showTurns(): void;
}

/**
 * Renders the session's one-line header: mark, title (the page's level 1 heading), and how full the agent's context is. In an editor tab,
 * it also has the actions of the side bar view's native title bar.
 */
export function header(props: HeaderProps): TemplateResult {
  const { view } = props;
  const title = view.title || l10n.t('New session');
  const name = view.agentVersion === '' ? view.agentName : `${view.agentName} ${view.agentVersion}`;
  const account = props.account === '' ? '' : l10n.t('Account: {0}', props.account);
  const names = {
    rename: (title: string) => props.rename(title),
    showSessions: () => props.toggleSessions(),
  };
  return html`<header class="pl-header">
    <span class="pl-title" title=${[title, name, account].filter(Boolean).join('\n')}>
      ${monogram(view.agentName)}
      ${
        props.hasTabs
          ? html`<h1 class="sr">${title}</h1>
              ${titleButton({ title, ...names })}`
          : html`<h1 class="clip">${titleButton({ title, ...names })}</h1>`
      }
      ${account === '' ? nothing : html`<span class="sr">${account}</span>`}
    </span>
    <span class="grow"></span>
    ${view.place === 'elsewhere' ? nothing : followSwitch({ ...props.follow, agentName: view.agentName })}
    ${usageButton(props)} ${detailButton(props.toolDetail, (detail) => props.setToolDetail(detail))}
    <button
      class="ib"
      aria-label=${l10n.t('Go to turn')}
      title=${l10n.t('Go to turn')}
      @click=${() => props.showTurns()}
    >
      ${icon('list-tree')}
    </button>
    ${
      props.host === 'editor'
        ? html`<button
            class="ib"
            aria-label=${l10n.t('New session')}
            title=${l10n.t('New session')}
            @click=${() => props.newSession()}
          >
            ${icon('add')}
          </button>`
        : nothing
    }
  </header>`;
}

/**
 * Renders how full the context is, or else what the last turn or the session used, as a button that opens more. Empty if
 * the agent reported nothing.
 */
function usageButton({ view, locale, usage }: HeaderProps): TemplateResult | typeof nothing {
  const shown = contextRing(view, locale);
  if (!shown) return nothing;
  // What a button contains has no role of its own, so the button is above the meter.
  return html`<span class="pl-usagebox ${shown.isRing ? '' : 'w-md'}" title=${shown.title}
    >${shown.content}<button
      type="button"
      class="over"
      aria-haspopup="dialog"
      aria-expanded="false"
      aria-label=${l10n.t('Usage')}
      @click=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLElement) usage.toggle(currentTarget);
      }}
    ></button
  ></span>`;
}

const radius = 6;
const around = 2 * Math.PI * radius;

interface ContextRing {
  readonly content: TemplateResult;
  readonly title: string;
  readonly isRing: boolean;
}

function contextRing({ usage, turnUsage: told, spent }: SessionView, locale: string): ContextRing | undefined {
  const turnUsage = told === undefined || told === 'none' ? undefined : spentTokens(told);
  const turn = turnUsage && l10n.t('Last turn: {0}', tokenWords(turnUsage, locale));
  if (usage.state !== 'known' || usage.size <= 0) {
    const counts = turnUsage ?? spent;
    if (!counts) return undefined;
    const title = turn ?? l10n.t('This session: {0}', tokenWords(counts, locale));
    const total = l10n.t('{0} tokens', shortCount(counts.total, locale));
    const content = html`<span class="num" title=${title}>${total}</span><span class="sr">${title}</span>`;
    return { content, title, isRing: false };
  }
  const share = Math.min(1, Math.max(0, usage.used / usage.size));
  const percent = Math.round(share * 100);
  const used = l10n.t('{0} of {1}', shortCount(usage.used, locale), shortCount(usage.size, locale));
  const cost = usage.cost && money(usage.cost.amount, usage.cost.currency, locale);
  const more = [cost === undefined ? '' : l10n.t('This session: {0}', cost), turn ?? ''].filter(Boolean);
  const title = [l10n.t('Context: {0}', used), ...more].join('\n');
  const content = html`<span
    class="pl-ring"
    role="meter"
    aria-label=${l10n.t('Context')}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${percent}
    aria-valuetext=${[l10n.t('{0}% used, {1}', percent, used), ...more].join(', ')}
    title=${title}
    data-level=${percent >= 95 ? 'full' : percent >= 80 ? 'high' : 'ok'}
  >
    <svg viewBox="0 0 16 16" aria-hidden="true">
      ${svg`<circle cx="8" cy="8" r=${radius}></circle>
        <circle cx="8" cy="8" r=${radius} stroke-dasharray="${(share * around).toFixed(2)} ${around.toFixed(2)}"></circle>`}
    </svg>
    <span class="num w-md">${percent}%</span>
  </span>`;
  return { content, title, isRing: true };
}
