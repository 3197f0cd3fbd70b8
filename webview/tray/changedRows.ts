import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { guardedWords, underUnsavedWords, whyNotUndone } from '../../src/shared/changes/reviewWords';
import type { ReviewCount, ReviewFile, ReviewFileStatus, ReviewScope } from '../../src/shared/changes/review';
import { fileName } from '../base/fileName';
import { onRowFocus, onRowKey } from './changedFocus';
import { icon } from '../base/icon';

type Act = (action: 'show' | 'compare' | 'keep' | 'undo', file: ReviewFile) => void;

/**
 * Renders the unfolded list: one row per file, with the counts in the scope. One row is in the tab order, and arrow keys move between rows.
 */
export function changedRows(files: readonly ReviewFile[], scope: ReviewScope, act: Act): TemplateResult {
  const seen = new Map<string, number>();
  for (const { path } of files) seen.set(split(path).name, (seen.get(split(path).name) ?? 0) + 1);
  return html`<div
    class="pl-rows"
    role="list"
    aria-label=${l10n.t('Changed files')}
    @keydown=${onRowKey}
    @focusin=${onRowFocus}
  >
    ${repeat(
      files,
      ({ uri }) => uri,
      (file) => row(file, scope, (seen.get(split(file.path).name) ?? 0) > 1, act),
    )}
  </div>`;
}

/** Describes a file: "client.ts, src/upload, modified, 7 lines added, 2 removed". */
export function changedText(file: ReviewFile, scope: ReviewScope): string {
  const { name, folder } = split(file.path);
  return [name, folder, inWords(file, scope)].filter((part) => part !== '').join(', ');
}

/** Renders the visible counts: "+126 −37". Omits zeros. */
export function lineCounts({ added, removed }: ReviewCount): TemplateResult | typeof nothing {
  if (added + removed === 0) return nothing;
  return html`<span class="num" aria-hidden="true"
    >${added > 0 ? html`<span class="add">+${added}</span>` : nothing}${added > 0 && removed > 0 ? ' ' : nothing}${
      removed > 0 ? html`<span class="del">−${removed}</span>` : nothing
    }</span
  >`;
}

/** Describes the counts for screen readers. Empty if there are none. */
export function countsInWords({ added, removed }: ReviewCount): string {
  const gained = added === 1 ? l10n.t('1 line added') : l10n.t('{0} lines added', added);
  const lost = removed === 1 ? l10n.t('1 line removed') : l10n.t('{0} lines removed', removed);
  return [added > 0 ? gained : '', removed > 0 ? lost : ''].filter((part) => part !== '').join(', ');
}

function row(file: ReviewFile, scope: ReviewScope, isNameShared: boolean, act: Act): TemplateResult {
  const { name, folder } = split(file.path);
  const called = isNameShared ? file.path : name;
  const too = otherText(file);
  const { from, guarded, unread, isUnderUnsaved } = file;
  const under = isUnderUnsaved === true ? underUnsavedWords() : '';
  const risk = guarded === undefined ? '' : guardedWords(guarded);
  const stays = unread === undefined ? '' : whyNotUndone(unread);
  const old = from === undefined ? '' : renamedFrom(from);
  const button = (action: 'compare' | 'undo' | 'keep', words: string, glyph: string, why = '') =>
    html`<button
      type="button"
      class="ib"
      tabindex="-1"
      data-does=${action}
      aria-label=${words}
      aria-disabled=${why === '' ? nothing : 'true'}
      title=${why === '' ? words : why}
      @click=${() => act(action, file)}
    >
      ${icon(glyph)}
    </button>`;
  return html`<div class="pl-row" role="listitem">
    <button
      type="button"
      class="file"
      tabindex="-1"
      data-does="show"
      title=${[file.path, old, risk, stays, too, under].filter((part) => part !== '').join('\n')}
      @click=${() => act('show', file)}
    >
      ${icon(file.isFolder === true ? 'folder' : fileGlyph(name), 'quiet')}${
        risk === '' ? nothing : icon('warning', 'risk')
      }<span class="nm clip ${file.status === 'deleted' ? 'gone' : ''}">${fileName(name)}</span
      ><span class="dir clip">${from === undefined ? folder : `← ${from}`}</span
      >${too === '' ? nothing : html`<span class="too clip dim xs" aria-hidden="true">${too}</span>`}<span
        class="end xs"
        aria-hidden="true"
        >${
          stays !== ''
            ? html`<span class="dim">${l10n.t('no undo')}</span>`
            : file.isBinary
              ? html`<span class="dim">${l10n.t('binary')}</span>`
              : lineCounts(countsOf(file, scope))
        }</span
      ><span class="sr">${inWords(file, scope)}</span>
    </button>
    <span class="acts"
      >${button('compare', l10n.t('Compare {0}', called), 'diff-single')}${button(
        'keep',
        l10n.t('Keep {0}', called),
        'check',
      )}${button('undo', l10n.t('Undo {0}', called), 'reply', stays)}</span
    ><span class="st ${letters[file.status]}" aria-hidden="true" title=${statusInWords(file.status)}
      >${letters[file.status]}</span
    >
  </div>`;
}

const letters: Readonly<Record<ReviewFileStatus, string>> = { modified: 'M', created: 'A', deleted: 'D', renamed: 'R' };

function statusInWords(status: ReviewFileStatus): string {
  switch (status) {
    case 'modified':
      return l10n.t('modified');
    case 'created':
      return l10n.t('created');
    case 'deleted':
      return l10n.t('deleted');
    case 'renamed':
      return l10n.t('renamed');
  }
}

function inWords(file: ReviewFile, scope: ReviewScope): string {
  const counts = file.isBinary ? l10n.t('binary') : countsInWords(countsOf(file, scope));
  const { from, guarded, unread } = file;
  const words = [
    statusInWords(file.status),
    from === undefined ? '' : renamedFrom(from),
    counts,
    guarded === undefined ? '' : guardedWords(guarded),
    unread === undefined ? '' : l10n.t('no undo'),
    otherText(file),
  ];
  return words.filter((part) => part !== '').join(', ');
}

/** Returns who else has text in the file, saved or not. */
function otherText(file: ReviewFile): string {
  const unsaved = file.isUnderUnsaved === true ? l10n.t('under your unsaved text') : '';
  return [unsaved, otherAuthors(file)].filter((part) => part !== '').join(', ');
}

function renamedFrom(path: string): string {
  return l10n.t('Renamed from {0}', path);
}

/** Returns the other authors of a file, the user first, because that matters before undoing it. */
function otherAuthors({ hasUserText, others }: ReviewFile): string {
  const names = others.join(', ');
  if (!hasUserText) return names === '' ? '' : l10n.t('{0} edited this too', names);
  return names === '' ? l10n.t('you edited this too') : l10n.t('you and {0} edited this too', names);
}

/** Returns the line counts of a file in the scope. */
export function countsOf({ session, turns }: ReviewFile, scope: ReviewScope): ReviewCount {
  return turns.find(({ turn }) => turn === scope) ?? session;
}

/** Splits a path into name and folder. A file outside the session's folder has the full folder. */
function split(path: string): { name: string; folder: string } {
  const at = path.lastIndexOf('/');
  return { name: path.slice(at + 1), folder: path.slice(0, Math.max(at, 0)) };
}

/** Returns the codicon for a file name: test, image, data, prose, or code. */
function fileGlyph(name: string): string {
  const lower = name.toLowerCase();
  if (/(?:^|[._-])(?:test|tests|spec|specs)\.[a-z]+$/.test(lower) || /^test_.*\.py$/.test(lower)) return 'beaker';
  const extension = /\.([a-z0-9]+)$/.exec(lower)?.[1] ?? '';
  if (/^(?:png|jpe?g|gif|webp|avif|bmp|ico|svg|mp[34]|webm|mov|wav|ogg|pdf)$/.test(extension)) return 'file-media';
  if (/^(?:json|jsonc|json5|jsonl|ipynb)$/.test(extension)) return 'json';
  if (/^(?:|md|mdx|txt|rst|adoc|log|csv|tsv|lock|bin|dat)$/.test(extension)) return 'file';
  return 'file-code';
}
