import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { isComposing } from '../../base/composition';
import { icon } from '../../base/icon';
import type { OpenRestore } from '../../state/restores';
import { chosenCount, fileList, filesSentence, type FileActions } from './restorePreview';

/** The message's surroundings that its form needs. */
export interface Surroundings extends FileActions {
  /** Identifies the message on the page. */
  readonly id: string;
  readonly agentName: string;
  /** Whether the session has messages before this one. */
  readonly hasEarlier: boolean;
  /** Whether the agent can return to the message in this session. */
  readonly stays: boolean;
  readonly isRunning: boolean;
  /** Whether the files can be restored with the message. */
  readonly isOffered: boolean;
  input(text: string): void;
  readonly confirm: () => void;
  readonly sendOnly: () => void;
  readonly cancel: () => void;
}

/** Renders the preview of a restore below the message. */
export function restoreGroup(state: OpenRestore, around: Surroundings): TemplateResult {
  const isKnown = state.preview !== undefined;
  const hasFiles = (state.preview?.files.length ?? 0) > 0;
  return html`<div
    class="pl-restore"
    role="group"
    tabindex="-1"
    aria-label=${l10n.t('Restore files')}
    aria-busy=${!isKnown || state.isBusy}
    @keydown=${(event: KeyboardEvent) => onEscape(event, around)}
  >
    <p class="sum" role="status">${isKnown ? filesSentence(state) : l10n.t('Checking files…')}</p>
    ${fileList(state, around)}${stopLine(state, around)}
    <div class="btns">
      ${
        isKnown && !hasFiles
          ? nothing
          : confirmButton(l10n.t('Restore'), state.isBusy, isKnown && chosenCount(state) > 0, around)
      }
      ${cancelButton(state, around, isKnown && !hasFiles ? l10n.t('Close') : l10n.t('Cancel'))}
    </div>
  </div>`;
}

/** Renders the message as editable text, with the effects of sending it. */
export function editField(state: OpenRestore, around: Surroundings): TemplateResult {
  const isReady = !around.isOffered || state.preview !== undefined;
  const label = chosenCount(state) > 0 ? l10n.t('Restore and send') : l10n.t('Send');
  const hasFiles = (state.preview?.files.length ?? 0) > 0;
  const canSend = isReady && state.text.trim() !== '';
  return html`<div class="pl-edit" role="group" aria-label=${l10n.t('Edit message')} aria-busy=${state.isBusy}>
    <textarea
      class="box"
      rows="1"
      spellcheck="true"
      aria-label=${l10n.t('Edited message')}
      aria-describedby=${`notes ${around.id}`.replaceAll(/\s/g, '-')}
      .value=${live(state.text)}
      ?readonly=${state.isBusy}
      @input=${(event: Event) => around.input((event.target as HTMLTextAreaElement).value)}
      @keydown=${(event: KeyboardEvent) => onFieldKey(event, canSend, around)}
    ></textarea>
    <div class="pl-restore below" @keydown=${(event: KeyboardEvent) => onEscape(event, around)}>
      <div id=${`notes ${around.id}`.replaceAll(/\s/g, '-')} class="notes">
        ${around.isOffered ? html`<p class="sum">${filesSentence(state) || l10n.t('Checking files…')}</p>` : nothing}
        <p class="sum">${sessionSentence(around)}</p>
      </div>
      ${fileList(state, around, true)}${chosenCount(state) > 0 ? stopLine(state, around) : nothing}
      <div class="btns">
        ${confirmButton(label, state.isBusy, canSend, around)}${hasFiles ? sendOnlyButton(state, canSend, around) : nothing}${cancelButton(state, around)}
      </div>
    </div>
  </div>`;
}

function sessionSentence({ agentName, hasEarlier, stays }: Surroundings): string {
  if (stays) return l10n.t('{0} returns to this message. A copy of the session keeps the later ones.', agentName);
  return hasEarlier
    ? l10n.t('Starts a new session with {0}, which receives the earlier messages as text.', agentName)
    : l10n.t('Starts a new session with {0}.', agentName);
}

function stopLine({ preview }: OpenRestore, { isRunning }: Surroundings): TemplateResult | typeof nothing {
  if (!isRunning || (preview?.files.length ?? 0) === 0) return nothing;
  return html`<p class="unrecorded">${icon('debug-stop')}<span>${l10n.t('This stops the current turn.')}</span></p>`;
}

/** Renders a button that keeps its width and place while the host is busy. */
function confirmButton(label: string, isBusy: boolean, canAct: boolean, { confirm }: Surroundings): TemplateResult {
  return html`<button
    type="button"
    class="btn primary"
    aria-disabled=${isBusy ? 'true' : nothing}
    aria-busy=${isBusy ? 'true' : nothing}
    ?disabled=${!canAct && !isBusy}
    @click=${() => confirm()}
  >
    ${label}
  </button>`;
}

function cancelButton({ isBusy }: OpenRestore, { cancel }: Surroundings, label = l10n.t('Cancel')): TemplateResult {
  return html`<button type="button" class="btn" ?disabled=${isBusy} @click=${() => cancel()}>${label}</button>`;
}

/** Renders the button that rewinds only the conversation. */
function sendOnlyButton({ isBusy }: OpenRestore, canSend: boolean, { sendOnly }: Surroundings): TemplateResult {
  return html`<button type="button" class="btn" ?disabled=${!canSend || isBusy} @click=${() => sendOnly()}>
    ${l10n.t('Send without restoring')}
  </button>`;
}

function onEscape(event: KeyboardEvent, { cancel }: Surroundings): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  // Closes only the form. The transcript would move the focus to the composer.
  event.preventDefault();
  event.stopPropagation();
  cancel();
}

function onFieldKey(event: KeyboardEvent, canSend: boolean, around: Surroundings): void {
  // An input method's keys are left to it.
  if (isComposing(event)) return;
  onEscape(event, around);
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (canSend) around.confirm();
}
