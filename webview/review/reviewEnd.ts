import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { DecidedFile } from '../../src/shared/changes/reviewPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { nameAndFolder } from './nameAndFolder';
import type { ReviewModel } from './reviewModel';

/** What the user can do when nothing is left. */
export interface EndActions {
  readonly commit: () => void;
  readonly bring: () => void;
  readonly returnToChat: () => void;
  /** Absent if the header offers it, or there is nothing to take back. */
  readonly undoLast: (() => void) | undefined;
  readonly toggleDecided: () => void;
}

/** What the page shows when nothing is left. Its first button is the primary one, and gets the focus. */
export function reviewEnd(
  model: ReviewModel,
  unsent: number,
  showsDecided: boolean,
  actions: EndActions,
): TemplateResult {
  const mayCommit = model.end.kept > 0;
  const button = (look: string, label: string, act: () => void) =>
    html`<button type="button" class="btn ${look}" @click=${act}>${label}</button>`;
  if (model.total === 0) {
    return html`<section class="pl-done">
      <h2>${l10n.t('There are no changes to review')}</h2>
      <p>${l10n.t('What agents change next is listed here.')}</p>
      <div class="btns">${button('primary', l10n.t('Return to chat'), actions.returnToChat)}</div>
    </section>`;
  }
  const { all, outcomes } = model.end;
  const { last } = model;
  const [name] = nameAndFolder(last?.path ?? '');
  const lasts =
    last && (last.outcome === 'kept' ? l10n.t('You kept {0} last.', name) : l10n.t('You undid {0} last.', name));
  const comments = unsent === 1 ? l10n.t('1 comment isn’t sent.') : l10n.t('{0} comments aren’t sent.', unsent);
  const words = [lasts, unsent > 0 ? comments : undefined].filter((part) => part !== undefined).join(' ');
  return html`<section class="pl-done">
    <h2>
      ${icon('check-all')}<span>${all} <span class="dim">· ${outcomes}</span></span>
    </h2>
    ${words === '' ? nothing : html`<p>${words}</p>`}
    <div class="btns">
      ${mayCommit ? button('primary', l10n.t('Commit…'), actions.commit) : nothing}
      ${button(mayCommit ? '' : 'primary', l10n.t('Return to chat'), actions.returnToChat)}
      ${mayCommit && model.canBring ? button('', l10n.t('Bring changes here'), actions.bring) : nothing}
      ${actions.undoLast ? button('', l10n.t('Undo last'), actions.undoLast) : nothing}
      ${button('link', showsDecided ? l10n.t('Hide decided') : l10n.t('Show decided'), actions.toggleDecided)}
    </div>
  </section>`;
}

/** The decided files, one line each. */
export function decidedFiles(
  decided: readonly DecidedFile[],
  reviewAgain: (uri: string) => void,
): TemplateResult | typeof nothing {
  if (decided.length === 0) return nothing;
  return html`<ul class="pl-decided" aria-label=${l10n.t('Decided')}>
    ${decided.map((file) => {
      const { uri, path, outcome } = file;
      const [name, folder] = nameAndFolder(path);
      return html`<li>
        ${icon(outcome === 'kept' ? 'check' : 'reply', 'quiet')}
        <span class="clip">${showHiddenOnOneLine(name)}</span
        ><span class="dir clip">${showHiddenOnOneLine(folder)}</span>
        <span class="grow"></span>
        <span class="dim xs">${outcomeWords(file)}</span>
        <button
          type="button"
          class="btn sm quiet"
          aria-label=${l10n.t('Review {0} again', name)}
          @click=${() => reviewAgain(uri)}
        >
          ${l10n.t('Review again')}
        </button>
      </li>`;
    })}
  </ul>`;
}

function outcomeWords({ outcome, undone = 0 }: DecidedFile): string {
  if (outcome === 'undone') return l10n.t('undone');
  if (undone === 0) return l10n.t('kept');
  return undone === 1 ? l10n.t('kept, 1 change undone') : l10n.t('kept, {0} changes undone', undone);
}
