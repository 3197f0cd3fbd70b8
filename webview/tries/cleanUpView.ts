import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { CleanUpWay, TryToCleanUp } from '../../src/shared/changes/triesPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { monogram } from '../base/monogram';

/** The tries to clean up, and those that the user has selected. */
export interface CleanUpState {
  readonly tries: readonly TryToCleanUp[];
  readonly selected: ReadonlySet<TryToCleanUp['session']>;
  readonly isBusy: boolean;
}

export interface CleanUpActions {
  select(session: TryToCleanUp['session'], isSelected: boolean): void;
  remove(way: CleanUpWay): void;
  cancel(): void;
}

/** Lists what would be lost with the worktrees of tries, and lets the user select them. */
export function cleanUpView(state: CleanUpState, actions: CleanUpActions): TemplateResult {
  const { tries, selected, isBusy } = state;
  const count = tries.filter(({ session }) => selected.has(session)).length;
  const question =
    count === 1 ? l10n.t('Delete the worktree of 1 try?') : l10n.t('Delete the worktrees of {0} tries?', count);
  const button = count === 1 ? l10n.t('Delete 1 worktree') : l10n.t('Delete {0} worktrees', count);
  const isOff = isBusy || count === 0;
  return html`<section class="pl-card pl-cleanup" role="group" aria-label=${question}>
    <div class="h">${icon('trash')}<span>${question}</span></div>
    <div class="ind">
      ${l10n.t('What you took stays in your files, and the conversations stay in the list of sessions. These changes are deleted with their worktrees and branches and can’t be restored:')}
    </div>
    <ul class="ind">
      ${tries.map((one) => row(one, state, actions))}
    </ul>
    <div class="ind dim">
      ${l10n.t('“Keep as branches” commits the changes on each branch instead. Files that Git ignores are lost either way.')}
    </div>
    <div class="ind btns">
      <button type="button" class="btn" ?disabled=${isOff} @click=${() => actions.remove('delete')}>${button}</button>
      <button type="button" class="btn" ?disabled=${isOff} @click=${() => actions.remove('keepBranches')}>
        ${l10n.t('Keep as branches')}
      </button>
      <button type="button" class="btn" ?disabled=${isBusy} @click=${() => actions.cancel()}>
        ${l10n.t('Cancel')}
      </button>
    </div>
  </section>`;
}

function row(one: TryToCleanUp, { selected, isBusy }: CleanUpState, actions: CleanUpActions): TemplateResult {
  const { session, agentName, reason, problem, details, files, added, removed } = one;
  const name = showHiddenOnOneLine(one.name);
  const count = files === 1 ? l10n.t('1 file not taken') : l10n.t('{0} files not taken', files);
  const id = `what-${session}`;
  const choose = (event: Event) => actions.select(session, (event.target as HTMLInputElement).checked);
  return html`<li>
    <label
      ><input
        type="checkbox"
        aria-label=${name}
        aria-describedby=${id}
        .checked=${live(selected.has(session))}
        ?disabled=${isBusy || reason !== undefined}
        @change=${choose}
      />${monogram(agentName)}<b class="clip">${name}</b
      ><span class="dir clip">${showHiddenOnOneLine(one.folder)}</span>${
        files === 0
          ? nothing
          : html`<span class="num"
              >${count} ${added > 0 ? html`<span class="add">+${added}</span>` : nothing}
              ${removed > 0 ? html`<span class="del">−${removed}</span>` : nothing}</span
            >`
      }</label
    >
    <div class="what" id=${id}>
      ${reason === undefined ? nothing : html`<p>${showHiddenOnOneLine(reason)}</p>`}
      ${problem === undefined ? nothing : html`<p class="err">${icon('error', 's12')}${showHiddenOnOneLine(problem)}</p>`}
      ${details.map((line) => html`<p class="dim">${showHiddenOnOneLine(line)}</p>`)}
    </div>
  </li>`;
}
