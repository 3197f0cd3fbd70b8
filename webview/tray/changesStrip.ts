import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { RedoOffer, ReviewCount, ReviewFile, ReviewScope } from '../../src/shared/changes/review';
import { undidWords } from '../../src/shared/changes/reviewWords';
import { changedRows, changedText, countsInWords, countsOf, lineCounts } from './changedRows';
import { allTurns, lastTurnKey, scopeOf, turnKey, turnsOf } from './changesScope';
import { picker } from '../controls/controls';
import { timeOfDay } from '../base/format';
import { icon } from '../base/icon';

/** An action for all files of the list. */
export type ChangesAction = 'open' | 'keep' | 'undo';

/** An action for one file. */
export type FileAction = 'show' | 'compare' | 'keep' | 'undo';

/** The data and actions of the strip of changed files. */
export interface ChangesProps {
  readonly files: readonly ReviewFile[];
  /** Whether the end of the last turn shows them, so that only their list is left for screen readers. */
  readonly areShown: boolean;
  /** Since when the last turn's changes are known, if it began earlier. */
  readonly recordedFrom: number | undefined;
  /** Returns the beginning of the user's message that started a turn, or an empty string if it is unknown. */
  wordsOfTurn(turn: number): string;
  isOpen(key: string, byDefault: boolean): boolean;
  setOpen(key: string, open: boolean): void;
  onChanges(action: ChangesAction, scope: ReviewScope): void;
  onFile(action: FileAction, file: ReviewFile, scope: ReviewScope): void;
}

/** What the user undid at once, and how to take that back. */
export interface RedoProps {
  /** Absent if the end of the last turn offers it. */
  readonly redo: RedoOffer | undefined;
  readonly onRedo: () => void;
}

/** Whether the strip is unfolded. */
export const openKey = 'changes';

/**
 * Renders the files with pending changes in the tray: their number, line counts, actions for all of them, and, unfolded, a row for each. If
 * several turns left changes, the user can limit all of this to one of them.
 */
export function changesStrip(props: ChangesProps): TemplateResult {
  const open = props.isOpen(openKey, false);
  const turns = turnsOf(props.files);
  const scope = scopeOf(turns, (key) => props.isOpen(key, false));
  const files = props.files.filter((file) => scope === 'session' || file.turns.some(({ turn }) => turn === scope));
  return html`<section class="pl-strip pl-changes ${open ? 'open' : ''}" aria-label=${l10n.t('Changed files')}>
    ${head(props, { files, scope, isLast: scope === turns.at(-1), open })}
    ${guard([props.files, scope, open], () => (open && turns.length > 1 ? scopePicker(props, turns, scope) : nothing))}
    ${guard([props.files, scope, open], () =>
      open ? changedRows(files, scope, (action, file) => props.onFile(action, file, scope)) : foldedList(files, scope),
    )}
  </section>`;
}

/** The files and counts in the selected scope. */
interface Scoped {
  readonly files: readonly ReviewFile[];
  readonly scope: ReviewScope;
  readonly isLast: boolean;
  readonly open: boolean;
}

function head(props: ChangesProps, { files, scope, isLast, open }: Scoped): TemplateResult {
  const total = sum(files, scope);
  const words = files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length);
  const inWords = countsInWords(total);
  const risky = files.filter(({ guarded }) => guarded !== undefined).length;
  const risk =
    risky === 0
      ? ''
      : risky === 1
        ? l10n.t('1 file runs programs or changes permissions')
        : l10n.t('{0} files run programs or change permissions', risky);
  const review = l10n.t('Review the changes on one page');
  const undo = ofAll(scope, isLast, [
    l10n.t('Undo all changes from this session'),
    l10n.t('Undo all changes from the last turn'),
    (turn) => l10n.t('Undo all changes from turn {0}', turn),
  ]);
  const keep = ofAll(scope, isLast, [
    l10n.t('Keep all changes from this session'),
    l10n.t('Keep all changes from the last turn'),
    (turn) => l10n.t('Keep all changes from turn {0}', turn),
  ]);
  const tag = ofAll(scope, isLast, ['', l10n.t('last turn'), (turn) => l10n.t('turn {0}', turn)]);
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
      ${icon('chevron-right', 'chev')}<span class="files">${words}</span>${lineCounts(total)}${
        risk === '' ? nothing : html`<span class="risk" title=${risk}>${icon('warning')}</span>`
      }<span class="sr">${[inWords, risk].filter((part) => part !== '').map((part) => `, ${part}`)}</span
      >${tag !== '' && !open ? html`<span class="dim xs clip">${tag}</span>` : nothing}
    </button>
    <span class="all">
      ${textButton('link', l10n.t('Review'), review, 'open')} ${textButton('w-md', l10n.t('Keep all'), keep, 'keep')}
      ${textButton('w-md', l10n.t('Undo all'), undo, 'undo')}
      ${iconButton('check-all', l10n.t('Keep all'), keep, 'keep')}
      ${iconButton('reply', l10n.t('Undo all'), undo, 'undo')}
    </span>
  </div>`;
}

/** Renders the scope choices: all turns, the last one, even as new turns follow, and the others by the first words of their message. */
function scopePicker(props: ChangesProps, turns: readonly number[], scope: ReviewScope): TemplateResult {
  const others = turns.slice(0, -1).reverse();
  const words = (turn: number) => {
    const asked = props.wordsOfTurn(turn);
    return asked === '' ? l10n.t('Turn {0}', turn) : l10n.t('Turn {0}: {1}', turn, asked);
  };
  return html`<div class="scope">
    ${picker('native', {
      label: l10n.t('Show changes from'),
      value: scope === 'session' ? allTurns : scope === turns.at(-1) ? lastTurnKey : turnKey(scope),
      choices: [
        { value: allTurns, label: l10n.t('All turns') },
        { value: lastTurnKey, label: l10n.t('Last turn') },
        ...others.map((turn) => ({ value: turnKey(turn), label: words(turn) })),
      ],
      onPick: (value) => {
        for (const key of [lastTurnKey, ...turns.map(turnKey)]) {
          if (props.isOpen(key, false) !== (key === value)) props.setOpen(key, key === value);
        }
      },
    })}
  </div>`;
}

/** Renders names and counts of changed files for screen readers only, without actions. */
export function foldedList(files: readonly ReviewFile[], scope: ReviewScope): TemplateResult {
  return html`<div class="pl-rows sr" role="list" aria-label=${l10n.t('Changed files')}>
    ${files.map((file) => html`<div role="listitem">${changedText(file, scope)}</div>`)}
  </div>`;
}

type WordsOfScope = readonly [ofSession: string, ofLast: string, ofTurn: (turn: number) => string];

function ofAll(scope: ReviewScope, isLast: boolean, [ofSession, ofLast, ofTurn]: WordsOfScope): string {
  if (scope === 'session') return ofSession;
  return isLast ? ofLast : ofTurn(scope);
}

function sum(files: readonly ReviewFile[], scope: ReviewScope): ReviewCount {
  let added = 0;
  let removed = 0;
  for (const file of files) {
    const counts = countsOf(file, scope);
    added += counts.added;
    removed += counts.removed;
  }
  return { added, removed };
}

/** Offers to take back that all changes were undone, where they were. */
export function redoStrip({ redo, onRedo }: RedoProps): TemplateResult | typeof nothing {
  if (!redo) return nothing;
  return html`<section class="pl-strip pl-redo" aria-label=${l10n.t('Undone changes')}>
    <div class="head">
      ${icon('reply')}<span class="clip grow">${undidWords(redo.files)}</span
      ><button type="button" class="btn link sm" @click=${onRedo}>${l10n.t('Redo')}</button>
    </div>
  </section>`;
}

/** Says from when on the last turn's changes are known. There may be a gap even if no file is listed. */
export function gapStrip(recordedFrom: number): TemplateResult {
  const words = l10n.t('Recorded from {0}. Earlier changes of this turn may be missing.', timeOfDay(recordedFrom));
  return html`<section class="pl-strip pl-gap" aria-label=${l10n.t('Missing changes')}>
    <div class="head">${icon('warning', 'attn')}<span class="grow" role="status">${words}</span></div>
  </section>`;
}
