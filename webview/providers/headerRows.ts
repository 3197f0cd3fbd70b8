import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { icon } from '../base/icon';
import { problemLine } from './providerProblemWords';
import type { HeaderRow, ProviderEdit } from './providerDraft';

/** The data of a provider's headers. */
export interface HeaderRowsProps {
  readonly edit: ProviderEdit;
  /** The unique prefix of the card's element ids. */
  readonly id: string;
  readonly draw: () => void;
}

/** Renders the headers of a provider: names are visible, typed values are masked, and stored values aren't in the page at all. */
export function headerRows(props: HeaderRowsProps): TemplateResult {
  const { edit, id, draw } = props;
  const add = () => {
    const { id: made } = edit.addRow();
    edit.touch();
    draw();
    document.getElementById(`${id}-h${made}-name`)?.focus();
  };
  return html`<div class="fld" role="group" aria-labelledby="${id}-headers">
    <div class="lab"><span id="${id}-headers">${l10n.t('Headers')}</span></div>
    ${repeat(
      edit.rows,
      (row) => row.id,
      (row, at) => headerRow(props, row, at),
    )}
    <div>
      <button type="button" class="btn sm" id="${id}-add" @click=${add}>${icon('add')}${l10n.t('Add header')}</button>
    </div>
  </div>`;
}

function headerRow({ edit, id, draw }: HeaderRowsProps, row: HeaderRow, at: number): TemplateResult {
  const own = `${id}-h${row.id}`;
  const problem = edit.problems?.headers[at];
  const isStored = edit.isStored(row);
  const change = (field: 'name' | 'value') => (event: Event) => {
    row[field] = (event.target as HTMLInputElement).value;
    edit.touch();
    draw();
  };
  const remove = () => {
    const next = edit.rows[at + 1] ?? edit.rows[at - 1];
    edit.rows = edit.rows.filter((other) => other !== row);
    edit.touch();
    draw();
    // The pressed button no longer exists.
    document.getElementById(next ? `${id}-h${next.id}-name` : `${id}-add`)?.focus();
  };
  const name = row.name.trim();
  const hint = isStored && row.value === '' ? `${own}-hint` : '';
  return html`<div class="header">
      <input
        id="${own}-name"
        class="inp"
        type="text"
        aria-label=${l10n.t('Header name')}
        placeholder=${l10n.t('Name')}
        autocomplete="off"
        spellcheck="false"
        aria-required="true"
        aria-invalid=${problem?.name !== undefined}
        aria-describedby=${problem?.name === undefined ? nothing : `${own}-name-bad`}
        .value=${live(row.name)}
        @input=${change('name')}
      />
      <input
        id="${own}-value"
        class="inp"
        type="password"
        aria-label=${name === '' ? l10n.t('Header value') : l10n.t('Value of {0}', name)}
        placeholder=${isStored ? l10n.t('Saved') : l10n.t('Value')}
        autocomplete="new-password"
        aria-required=${!isStored}
        aria-invalid=${problem?.value !== undefined}
        aria-describedby=${[problem?.value === undefined ? '' : `${own}-value-bad`, hint].filter(Boolean).join(' ') || nothing}
        .value=${live(row.value)}
        @input=${change('value')}
      />
      <button
        type="button"
        class="ib"
        title=${l10n.t('Remove')}
        aria-label=${name === '' ? l10n.t('Remove header {0}', at + 1) : l10n.t('Remove {0}', name)}
        @click=${remove}
      >
        ${icon('trash')}
      </button>
    </div>
    ${hint === '' ? nothing : html`<span class="sr" id=${hint}>${l10n.t('A value is saved. Enter a new one to replace it.')}</span>`}
    ${problemLine(`${own}-name`, problem?.name)} ${problemLine(`${own}-value`, problem?.value)}`;
}
