import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { FromSetupTab, ListedPart, SetupShown, ToSetupTab } from '../../src/shared/pages/setUpTabs';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { setUpEntry } from './setUpList';

const icons = { ok: 'pass', note: 'info', problem: 'error', skipped: 'circle-slash' } as const;

/** The tab of the setup. Nothing is checked before the user asks for it. */
export class SetupView {
  private readonly root: HTMLElement;
  private readonly post: (message: FromSetupTab) => void;

  constructor(root: HTMLElement, post: (message: FromSetupTab) => void) {
    this.root = root;
    this.post = post;
  }

  receive({ shown }: ToSetupTab): void {
    const { state, parts, canStopWaiting } = shown;
    render(
      html`<main class="pl-setup" aria-busy=${state === 'checking' ? 'true' : 'false'}>
        <h1>${l10n.t('Setup')}</h1>
        <p class="lead" role="status">${headline(shown)}</p>
        <div class="btns">
          ${
            state === 'checking'
              ? nothing
              : html`<button type="button" class="btn" @click=${() => this.post({ type: 'checkSetup' })}>
                  ${icon('refresh')}${state === 'checked' ? l10n.t('Check again') : l10n.t('Check')}
                </button>`
          }
          ${
            canStopWaiting
              ? html`<button type="button" class="btn sec" @click=${() => this.post({ type: 'stopWaiting' })}>
                  ${l10n.t('Stop waiting')}
                </button>`
              : nothing
          }
          ${
            state === 'checked'
              ? html`<button type="button" class="btn link" @click=${() => this.post({ type: 'showSetupText' })}>
                  ${l10n.t('Show as text')}
                </button>`
              : nothing
          }
          <button
            type="button"
            class="btn link"
            title=${l10n.t('Shows you everything in it first')}
            @click=${() => this.post({ type: 'saveSupportBundle' })}
          >
            ${l10n.t('Save support bundle…')}
          </button>
        </div>
        ${
          parts.length === 0
            ? nothing
            : html`<ul aria-label=${l10n.t('Setup')}>
                ${repeat(
                  parts,
                  ({ name }, at) => `${name} ${String(at)}`,
                  (part) => this.part(part),
                )}
              </ul>`
        }
      </main>`,
      this.root,
    );
  }

  private part({ name, state, summary, detail, fix }: ListedPart): TemplateResult {
    return setUpEntry({
      icon: state === undefined ? 'loading codicon-modifier-spin' : icons[state],
      iconClass: state === 'problem' ? 'err' : '',
      name,
      notes: [summary],
      lines: [detail],
      acts:
        fix === undefined
          ? []
          : [
              {
                label: showHiddenOnOneLine(fix),
                name: l10n.t('{0}: {1}', showHiddenOnOneLine(name), showHiddenOnOneLine(fix)),
                run: () => this.post({ type: 'fixSetup', name, fix }),
              },
            ],
    });
  }
}

function headline({ state, parts }: SetupShown): string {
  if (state === 'unchecked')
    return l10n.t('Checks the programs that agents need, the environment, and whether each agent starts.');
  if (state === 'checking') {
    const known = parts.filter((part) => part.state !== undefined).length;
    return l10n.t('Checking… {0} of {1} checked', known, parts.length);
  }
  const problems = parts.filter((part) => part.state === 'problem').length;
  if (problems === 0) return l10n.t('No problems found');
  return problems === 1 ? l10n.t('1 problem found') : l10n.t('{0} problems found', problems);
}
