import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { FromPresetsTab, ListedPreset, ToPresetsTab } from '../../src/shared/pages/setUpTabs';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { setUpEntry } from './setUpList';

/** The tab of presets. */
export class PresetsView {
  private readonly root: HTMLElement;
  private readonly post: (message: FromPresetsTab) => void;

  constructor(root: HTMLElement, post: (message: FromPresetsTab) => void) {
    this.root = root;
    this.post = post;
  }

  receive({ presets, deleted }: ToPresetsTab): void {
    render(
      html`<main class="pl-setup">
        <h1>${l10n.t('Presets')}</h1>
        <p class="lead">
          ${l10n.t(
            'An agent with its model, mode, and sandbox, under a name. Save one from a session with “Save as Preset…”.',
          )}
        </p>
        <div class="btns">
          <button type="button" class="btn link" @click=${() => this.post({ type: 'openPresetSettings' })}>
            ${l10n.t('Open settings')}
          </button>
        </div>
        <div class="said" role="status">
          ${
            deleted === undefined
              ? nothing
              : html`<span>${l10n.t('Deleted the preset “{0}”.', showHiddenOnOneLine(deleted))}</span
                  ><button type="button" class="btn link sm" @click=${() => this.post({ type: 'undoDeletePreset' })}>
                    ${l10n.t('Undo')}
                  </button>`
          }
        </div>
        ${
          presets.length === 0
            ? html`<p role="status">${l10n.t('There are no presets yet.')}</p>`
            : html`<ul aria-label=${l10n.t('Presets')}>
                ${repeat(
                  presets,
                  ({ name }) => name,
                  (preset) => this.preset(preset),
                )}
              </ul>`
        }
      </main>`,
      this.root,
    );
  }

  private preset({ name, detail, isDefault, isOfWorkspace }: ListedPreset): TemplateResult {
    const shown = showHiddenOnOneLine(name);
    const act = (label: string, message: FromPresetsTab) => ({
      label,
      name: l10n.t('{0}: {1}', shown, label),
      run: () => this.post(message),
    });
    return setUpEntry({
      icon: isDefault ? 'star-full' : 'star-empty',
      name,
      notes: [...(isDefault ? [l10n.t('default')] : []), ...(isOfWorkspace ? [l10n.t('of this workspace')] : [])],
      lines: [detail],
      acts: [
        act(l10n.t('New session'), { type: 'startPreset', name }),
        ...(isOfWorkspace
          ? []
          : [
              act(isDefault ? l10n.t('Don’t use by default') : l10n.t('Use by default'), {
                type: 'usePreset',
                name,
                isDefault: !isDefault,
              }),
              act(l10n.t('Rename…'), { type: 'renamePreset', name }),
              act(l10n.t('Delete'), { type: 'deletePreset', name }),
            ]),
      ],
    });
  }
}
