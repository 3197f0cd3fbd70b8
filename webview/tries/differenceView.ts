import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageDifference } from '../../src/shared/changes/triesPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { scrollSideways } from '../review/sidewaysKeys';

/** The name of a side, and whether its changes can be taken. What all tries started from can't. */
export interface SideLabel {
  readonly name: string;
  readonly isTry: boolean;
}

export interface DifferenceProps {
  readonly difference: PageDifference;
  /** Its position, counted from 1, of how many. */
  readonly at: number;
  readonly count: number;
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly isSideBySide: boolean;
  readonly left: SideLabel;
  readonly right: SideLabel;
  /** The lines, drawn. */
  readonly lines: HTMLElement;
  chosen(): void;
  take(side: 'left' | 'right'): void;
  unfold(): void;
  showMore(): void;
}

/** Renders a place where two sides differ: a bar with what can be taken from each, and the lines. */
export function differenceView(props: DifferenceProps): TemplateResult {
  const { difference, isCurrent, isSideBySide, lines, left, right } = props;
  const { hunk } = difference;
  const isTaken = difference.left === 'taken' || difference.right === 'taken';
  const count = hunk.hidden > 0 ? hunk.hidden : hunk.unfolded;
  const gap = count === 1 ? l10n.t('1 identical line') : l10n.t('{0} identical lines', count);
  return html`<section
    class="pl-hunk ${isCurrent ? 'is-current' : ''} ${isTaken ? 'is-taken' : ''} ${isSideBySide ? 'is-split' : ''}"
    role="group"
    tabindex=${isCurrent ? 0 : -1}
    data-difference=${hunk.id}
    aria-label=${nameOf(props)}
    @focusin=${() => props.chosen()}
    @pointerdown=${() => props.chosen()}
    @keydown=${scrollSideways}
  >
    <div class="hb two-hb">
      <span class="hl">
        ${
          count > 0
            ? html`<button
                type="button"
                class="gapb"
                aria-expanded=${String(hunk.hidden === 0)}
                tabindex=${isCurrent ? 0 : -1}
                title=${gap}
                @click=${() => props.unfold()}
              >
                ${icon(hunk.hidden > 0 ? 'unfold' : 'fold', 's12')}<span>${gap}</span>
              </button>`
            : nothing
        }
        ${hunk.heading === '' ? nothing : html`<span class="sym clip">${showHiddenOnOneLine(hunk.heading)}</span>`}
        <span class="grow"></span>${action(props, 'left', left)}
      </span>
      <span class="hr"><span class="grow"></span>${action(props, 'right', right)}</span>
    </div>
    ${lines}
    ${
      hunk.cut > 0
        ? html`<button type="button" class="pl-more" @click=${() => props.showMore()}>
            ${icon('unfold', 's12')}${l10n.t('Show {0} more lines', hunk.cut)}
          </button>`
        : nothing
    }
  </section>`;
}

function action(
  props: DifferenceProps,
  side: 'left' | 'right',
  { name, isTry }: SideLabel,
): TemplateResult | typeof nothing {
  const { difference, isCurrent, isBusy } = props;
  const state = difference[side];
  if (!isTry || state === 'unknown') return nothing;
  if (state === 'same') {
    return html`<span class="acts"><span class="st-t dim">${l10n.t('{0} changed nothing here', name)}</span></span>`;
  }
  if (state === 'taken') {
    return html`<span class="acts"
      ><span class="st-t"
        >${icon('check', 's12')}<span class="clip">${l10n.t('taken from {0}', name)}</span></span
      ></span
    >`;
  }
  const key = side === 'left' ? '1' : '2';
  return html`<span class="acts"
    ><button
      type="button"
      class="btn sm act ${isCurrent ? '' : 'quiet'}"
      tabindex=${isCurrent ? 0 : -1}
      aria-keyshortcuts=${key}
      ?disabled=${isBusy}
      @click=${() => props.take(side)}
    >
      ${l10n.t('Take {0}’s', name)}<kbd aria-hidden="true">${key}</kbd>
    </button></span
  >`;
}

function nameOf({ difference, at, count, left, right }: DifferenceProps): string {
  const { newLine, newEnd, heading } = difference.hunk;
  const last = Math.max(newLine, newEnd - 1);
  const lines = last === newLine ? l10n.t('line {0}', newLine) : l10n.t('lines {0} to {1}', newLine, last);
  return [
    l10n.t('Difference {0} of {1}', at, count),
    lines,
    ...(heading === '' ? [] : [l10n.t('in {0}', showHiddenOnOneLine(heading))]),
    ...(difference.left === 'taken' ? [l10n.t('taken from {0}', left.name)] : []),
    ...(difference.right === 'taken' ? [l10n.t('taken from {0}', right.name)] : []),
  ].join(', ');
}
