import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { RestoreFile, RestorePreview } from '../../../src/shared/changes/review';
import { icon } from '../../base/icon';
import { showPath } from '../../base/paths';
import type { OpenRestore } from '../../state/restores';

/** Maximum number of files without recorded content to list. The others are counted. */
const namedFiles = 5;

/** The user's actions for the files of a preview. */
export interface FileActions {
  tick(uri: string, isTicked: boolean): void;
  compare(uri: string): void;
}

/** Returns how many files are currently selected to be restored. */
export function chosenCount({ preview, overwrite }: OpenRestore): number {
  return preview?.files.filter(({ uri, conflict }) => conflict === undefined || overwrite.has(uri)).length ?? 0;
}

/** Returns a sentence that says what will happen to the files, or an empty string until it is known. */
export function filesSentence(state: OpenRestore): string {
  const { preview } = state;
  if (!preview) return '';
  const count = chosenCount(state);
  if (count === 1) return l10n.t('1 file will be restored to how it was before this message. You can undo this.');
  if (count > 1)
    return l10n.t('{0} files will be restored to how they were before this message. You can undo this.', count);
  return preview.files.length === 0
    ? l10n.t('Nothing to restore. Your files already match this point.')
    : l10n.t('Select the files to restore.');
}

/** Renders the files of a preview, with a choice for those with a conflict. `onlyConflicts` omits all others. */
export function fileList(state: OpenRestore, actions: FileActions, onlyConflicts = false): TemplateResult {
  const { preview } = state;
  const files =
    preview?.files.filter(
      ({ conflict, isGuarded }) => conflict !== undefined || isGuarded === true || !onlyConflicts,
    ) ?? [];
  return html`${
    files.length === 0
      ? nothing
      : html`<ul class="files" aria-label=${l10n.t('Files')}>
          ${repeat(
            files,
            ({ uri }) => uri,
            (file) => (file.conflict === undefined ? plainRow(file, actions) : conflictRow(file, state, actions)),
          )}
        </ul>`
  }${unrecordedLine(preview)}`;
}

function plainRow(file: RestoreFile, actions: FileActions): TemplateResult {
  return html`<li class="file">
    <div class="cells">${icon(glyphOf(file))}${cells(file, actionWords(file))}${guardedLine(file)}</div>
    ${compareButton(file, actions)}
  </li>`;
}

function conflictRow(file: RestoreFile, { overwrite, isBusy }: OpenRestore, actions: FileActions): TemplateResult {
  const { uri } = file;
  const isTicked = overwrite.has(uri);
  return html`<li class="file conflict">
    <label class="cells">
      <input
        type="checkbox"
        .checked=${live(isTicked)}
        ?disabled=${isBusy}
        @change=${(event: Event) => actions.tick(uri, (event.target as HTMLInputElement).checked)}
      />${cells(file, isTicked ? actionWords(file) : l10n.t('unchanged'))}
      <span class="why">${conflictWords(file)}</span>${guardedLine(file)}
    </label>
    ${compareButton(file, actions)}
  </li>`;
}

function cells(file: RestoreFile, what: string): TemplateResult {
  const { name, folder } = showPath(file.path, '');
  return html`<span class="name clip" title=${file.path}>${name}</span>
    <span class="folder clip">${folder}</span> ${counts(file)} <span class="what">${what}</span>`;
}

function counts({ counts: { added, removed }, isBinary }: RestoreFile): TemplateResult {
  if (isBinary) return html`<span class="num">${l10n.t('binary')}</span>`;
  return html`<span class="num"
    >${added > 0 || removed === 0 ? html`<span class="add">+${added}</span>` : nothing}
    ${removed > 0 ? html`<span class="del">−${removed}</span>` : nothing}</span
  >`;
}

function compareButton({ uri, path }: RestoreFile, actions: FileActions): TemplateResult {
  const label = l10n.t('Compare {0}', showPath(path, '').name);
  return html`<button type="button" class="ib" aria-label=${label} title=${label} @click=${() => actions.compare(uri)}>
    ${icon('diff-single')}
  </button>`;
}

function glyphOf({ action }: RestoreFile): string {
  return action === 'write' ? 'discard' : action === 'create' ? 'new-file' : 'trash';
}

function actionWords({ action }: RestoreFile): string {
  if (action === 'write') return l10n.t('will be restored');
  return action === 'create' ? l10n.t('will be recreated') : l10n.t('will be deleted');
}

function conflictWords({ conflict }: RestoreFile): string {
  return conflict === 'editedBetween'
    ? l10n.t('You edited this file between the turns being undone')
    : l10n.t('You edited this file after the agent did');
}

function guardedLine({ isGuarded }: RestoreFile): TemplateResult | typeof nothing {
  if (isGuarded !== true) return nothing;
  const text = l10n.t('Can run programs or change what agents are allowed to do');
  return html`<span class="why guarded">${icon('warning')}${text}</span>`;
}

function unrecordedLine(preview: RestorePreview | undefined): TemplateResult | typeof nothing {
  const paths = preview?.unrecorded ?? [];
  if (paths.length === 0) return nothing;
  const names = paths.slice(0, namedFiles).join(', ');
  const rest = paths.length - namedFiles;
  const all = rest > 0 ? l10n.t('{0} and {1} more', names, rest) : names;
  return html`<p class="unrecorded">
    ${icon('info')}<span>${l10n.t('No earlier version was recorded, so these won’t be restored: {0}', all)}</span>
  </p>`;
}
