import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { ReviewCount, ReviewFile, ReviewScope } from '../src/shared/review';
import { changedRows, changedText, countsInWords, lineCounts } from './changedRows';
import { icon } from './icon';

/** What can be done with all files of the list. */
export type ChangesAction = 'open' | 'keep' | 'undo';

/** What can be done with one file. */
export type FileAction = 'show' | 'compare' | 'keep' | 'undo';

/** What the strip of changed files shows and does. */
export interface ChangesProps {
  readonly files: readonly ReviewFile[];
  isOpen(key: string, byDefault: boolean): boolean;
  setOpen(key: string, open: boolean): void;
  onChanges(action: ChangesAction, scope: ReviewScope): void;
  onFile(action: FileAction, file: ReviewFile, scope: ReviewScope): void;
}

const openKey = 'changes';
const lastTurnKey = 'changes of the last turn';

/**
 * The files that wait for review, in the tray: their number, their lines, what to do with all of them, and unfolded one row
 * each. Where more than one turn left changes, the user chooses whether all of this is about the last turn only.
 */
export function changesStrip(props: ChangesProps): TemplateResult {
  const open = props.isOpen(openKey, false);
  const hasScopes = isOfSeveralTurns(props.files);
  const scope: ReviewScope = hasScopes && props.isOpen(lastTurnKey, false) ? 'turn' : 'session';
  const files = scope === 'turn' ? props.files.filter(({ turn }) => turn !== undefined) : props.files;
  return html`<section class="pl-strip pl-changes ${open ? 'open' : ''}" aria-label=${l10n.t('Changed files')}>
    ${head(props, files, scope, open)} ${open && hasScopes ? scopeChoice(props, scope) : nothing}
    ${guard([props.files, scope, open], () =>
      open ? changedRows(files, scope, (action, file) => props.onFile(action, file, scope)) : foldedList(files, scope),
    )}
  </section>`;
}

/** Whether the changes of the last turn are less than all. */
function isOfSeveralTurns(files: readonly ReviewFile[]): boolean {
  return files.some(({ session, turn }) => turn?.added !== session.added || turn.removed !== session.removed);
}

function head(props: ChangesProps, files: readonly ReviewFile[], scope: ReviewScope, open: boolean): TemplateResult {
  const total = sum(files, scope);
  const words = files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length);
  const inWords = countsInWords(total);
  const review = l10n.t('Review the changes in one diff editor');
  const isTurn = scope === 'turn';
  const undo = isTurn ? l10n.t('Undo all changes of the last turn') : l10n.t('Undo all changes of this session');
  const keep = isTurn ? l10n.t('Keep all changes of the last turn') : l10n.t('Keep all changes of this session');
  const textButton = (look: string, name: string, hint: string, action: ChangesAction) =>
    html`<button type="button" class="btn sm ${look}" title=${hint} @click=${() => props.onChanges(action, scope)}>
      ${name}
    </button>`;
  const iconButton = (glyph: string, name: string, hint: string, action: ChangesAction) =>
    html`<button
      type="button"
      class="ib w-sm"
      aria-label=${name}
      title=${hint}
      @click=${() => props.onChanges(action, scope)}
    >
      ${icon(glyph)}
    </button>`;
  return html`<div class="head">
    <button type="button" class="tw" aria-expanded=${String(open)} @click=${() => props.setOpen(openKey, !open)}>
      ${icon('chevron-right', 'chev')}<span class="files">${words}</span>${lineCounts(total)}<span class="sr"
        >${inWords === '' ? nothing : `, ${inWords}`}</span
      >${isTurn && !open ? html`<span class="dim xs clip">${l10n.t('last turn')}</span>` : nothing}
    </button>
    <span class="all">
      ${textButton('link', l10n.t('Review'), review, 'open')} ${textButton('w-md', l10n.t('Undo all'), undo, 'undo')}
      ${textButton('w-md', l10n.t('Keep all'), keep, 'keep')} ${iconButton('discard', l10n.t('Undo all'), undo, 'undo')}
      ${iconButton('check-all', l10n.t('Keep all'), keep, 'keep')}
    </span>
  </div>`;
}

function scopeChoice(props: ChangesProps, scope: ReviewScope): TemplateResult {
  const choice = (value: ReviewScope, words: string) =>
    html`<label
      ><input
        type="radio"
        name="changes-scope"
        .checked=${scope === value}
        @change=${() => props.setOpen(lastTurnKey, value === 'turn')}
      /><span>${words}</span></label
    >`;
  return html`<div class="scope" role="radiogroup" aria-label=${l10n.t('Changes of')}>
    ${choice('session', l10n.t('All turns'))}${choice('turn', l10n.t('Last turn'))}
  </div>`;
}

/** For screen readers only: names and numbers, without anything to press. */
function foldedList(files: readonly ReviewFile[], scope: ReviewScope): TemplateResult {
  return html`<div class="pl-rows sr" role="list" aria-label=${l10n.t('Changed files')}>
    ${files.map((file) => html`<div role="listitem">${changedText(file, scope)}</div>`)}
  </div>`;
}

function sum(files: readonly ReviewFile[], scope: ReviewScope): ReviewCount {
  let added = 0;
  let removed = 0;
  for (const { session, turn } of files) {
    const counts = scope === 'turn' ? turn : session;
    added += counts?.added ?? 0;
    removed += counts?.removed ?? 0;
  }
  return { added, removed };
}
