import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AvailableCommand, ConfigOption } from '../../src/shared/transcript';
import type { Attachment } from '../../src/shared/content';
import { worksWithoutAsking } from './configBar';
import { icon } from '../base/icon';

/** What the composer shows. */
export interface ComposerState {
  readonly agentName: string;
  readonly isBusy: boolean;
  readonly commands: readonly AvailableCommand[];
  readonly options: readonly ConfigOption[];
  /** Why nothing can be sent now, in a sentence; empty when it can. */
  readonly obstacle: string;
  /** The tour agent has not been sent a message yet. */
  readonly startsTour: boolean;
  /** The folder a new session would work in; empty when a session is shown. */
  readonly newSessionIn: string;
}

/** What the composer does, said to its owner. */
export interface ComposerActions {
  send(text: string, attachments: readonly Attachment[]): void;
  stop(): void;
  /** Let the user choose what goes along. */
  addContext(): void;
  /** Files, by URI, are to go along. */
  attachUris(uris: readonly string[]): void;
  attachmentsChanged(all: readonly Attachment[]): void;
  /** Files are wanted that fit a word; they come by `takeFiles`. */
  findFiles(query: string): void;
  setOption(configId: string, value: string | boolean): void;
  draftChanged(text: string): void;
  /** What was sent before, oldest first. */
  history(): readonly string[];
  announce(sentence: string): void;
}

/** Before the host has said anything. */
export const nothingYet: ComposerState = {
  agentName: '',
  isBusy: false,
  commands: [],
  options: [],
  obstacle: '',
  startsTour: false,
  newSessionIn: '',
};

/** With an obstacle the button stays in the tab order, to say why it does nothing. */
export function sendButton({ obstacle }: ComposerState, isEmpty: boolean, send: () => void): TemplateResult {
  return html`<button
    class="send"
    aria-label=${l10n.t('Send')}
    title=${obstacle === '' ? l10n.t('Send (Enter)') : obstacle}
    ?disabled=${isEmpty && obstacle === ''}
    aria-disabled=${obstacle === '' ? nothing : 'true'}
    aria-describedby=${obstacle === '' ? nothing : 'pl-composer-hint'}
    @click=${send}
  >
    ${icon('arrow-up')}
  </button>`;
}

export function stopButton(stop: () => void): TemplateResult {
  return html`<button class="stop" aria-label=${l10n.t('Stop')} title=${l10n.t('Stop')} @click=${stop}>
    ${icon('debug-stop')}
  </button>`;
}

export function addContextButton(add: () => void): TemplateResult {
  return html`<button
    type="button"
    class="ib"
    aria-label=${l10n.t('Add Context')}
    title=${l10n.t('Add Context')}
    @click=${add}
  >
    ${icon('add')}
  </button>`;
}

/** One line that says what Enter will do. */
export function placeholder(state: ComposerState): string {
  if (state.obstacle !== '') return l10n.t('Type a message to send later');
  if (state.isBusy) return l10n.t('Queue a follow-up');
  if (state.agentName === '') return l10n.t('Type a message');
  if (state.startsTour) return l10n.t('Type anything to start the tour');
  if (worksWithoutAsking(state.options)) return l10n.t('Ask {0} (runs without asking)', state.agentName);
  if (state.commands.length > 0) return l10n.t('Ask {0}, @ to add context, / for commands', state.agentName);
  return l10n.t('Ask {0}, @ to add context', state.agentName);
}

/** The folder's name stands out inside the translated sentence. */
export function folderLine(folder: string): TemplateResult {
  const [before, after] = l10n.t('New session in {0}').split('{0}');
  return html`<span class="clip grow">${before}<b>${folder}</b>${after}</span>`;
}
