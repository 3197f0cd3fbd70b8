import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AvailableCommand, ConfigOption } from '../../src/shared/transcript/transcript';
import type { Attachment } from '../../src/shared/transcript/content';
import { worksWithoutAsking } from './configBar';
import type { StartChoice } from '../../src/shared/pages/startChoice';
import type { AttachmentUse } from '../base/attachmentUse';
import { icon } from '../base/icon';
import type { PlaceRowActions, PlaceRowState } from './placeRow';
import type { StartRowActions, StartRowState } from './startRow';

/** The state of the composer. */
export interface ComposerState {
  readonly agentName: string;
  readonly isBusy: boolean;
  /** Whether a message goes into the running turn. */
  readonly sendsAtOnce: boolean;
  readonly commands: readonly AvailableCommand[];
  readonly options: readonly ConfigOption[];
  /** Whether the agent is running, so that its options can be changed. */
  readonly canSetOptions: boolean;
  /** Why sending isn't possible now, as a sentence, or an empty string if it is. */
  readonly obstacle: string;
  /** Whether the tour agent hasn't received a message yet. */
  readonly startsTour: boolean;
  /** Whether the agent gets links to attached files instead of their text. */
  readonly takesLinks: boolean;
  /** What the row of a new session depends on. Undefined if the message isn't the first one of a session. */
  readonly start: StartRowState | undefined;
  /** What the row of a session that has begun shows. Undefined if there is none. */
  readonly place: PlaceRowState | undefined;
  /** Whether the agent can be given a goal. */
  readonly canSetGoal: boolean;
  /** Whether the agent answers questions that aren't part of the conversation. */
  readonly canAskAside: boolean;
  /** Whether several agents can try the message, each in a worktree. */
  readonly canTry: boolean;
  /** Whether the session has a worktree that another agent can review. */
  readonly canReview: boolean;
  /** What Tab puts into the empty box. Empty if the agent suggests nothing. */
  readonly suggestion: string;
}

/** The composer's actions, handled by its owner. */
export interface ComposerActions extends StartRowActions, PlaceRowActions {
  /** Asks the user for a goal. */
  setGoal(): void;
  /** Asks the user for a question that isn't part of the conversation. */
  askAside(): void;
  /** Asks another agent to review the session's worktree. */
  reviewWorktree(): void;
  send(text: string, attachments: readonly Attachment[]): void;
  /** Starts something with a message, which stays in the composer until it is sent. */
  startTyped(text: string, attachments: readonly Attachment[], start: StartChoice): void;
  stop(): void;
  /** Attaches files by URI. */
  attachUris(uris: readonly string[]): void;
  /** Asks whether a pasted text is code of the workspace. The answer arrives through `takeReference`. */
  findPasted(id: number, text: string): void;
  /** The most lines that a pasted text may have in the message; 0 for any number. */
  longPasteLines(): number;
  /** Asks for the text on the clipboard, which arrives through `insert`. */
  readClipboard(): void;
  /** Shows an attachment. `insert` puts its text into the message instead. */
  preview(attachment: Attachment, use?: AttachmentUse): void;
  attachmentsChanged(all: readonly Attachment[]): void;
  /** Asks which attached files have no text to send. The answer arrives through `takeTextless`. */
  findTextless(uris: readonly string[]): void;
  /** Whether the user turned off the attachment that follows the editor. */
  ignoresEditor(): boolean;
  setIgnoresEditor(isIgnored: boolean): void;
  /** Searches for what matches a word after `@`. The options arrive through `takeMentions`. */
  findMentions(query: string): void;
  /** Asks for the attachments of a mention, which arrive through `takeMentioned`. */
  takeMention(id: string): void;
  /** Asks for the text of a prompt, which arrives through `takePrompt`. */
  takePrompt(id: string): void;
  setOption(configId: string, value: string | boolean): void;
  draftChanged(text: string): void;
  /** Returns earlier messages, oldest first. */
  history(): readonly string[];
  /** Moves the focus from the text to what is above the composer. */
  goUp(): void;
  announce(sentence: string): void;
}

/** The state before the first message of the host. */
export const nothingYet: ComposerState = {
  canSetGoal: false,
  canAskAside: false,
  canTry: false,
  canReview: false,
  suggestion: '',
  agentName: '',
  isBusy: false,
  sendsAtOnce: false,
  commands: [],
  options: [],
  canSetOptions: false,
  obstacle: '',
  startsTour: false,
  takesLinks: false,
  start: undefined,
  place: undefined,
};

/** Returns the Send button. With an obstacle, it stays in the tab order to explain why it does nothing. Of several tries, it says how many. */
export function sendButton(
  { obstacle }: ComposerState,
  { isEmpty, isStarting, tries }: { readonly isEmpty: boolean; readonly isStarting: boolean; readonly tries: number },
  send: () => void,
): TemplateResult {
  const words = tries > 1 ? l10n.t('Try with {0}', tries) : l10n.t('Send');
  const hint = tries > 1 ? l10n.t('{0} (Enter)', words) : l10n.t('Send (Enter)');
  return html`<button
    class="send ${tries > 1 ? 'words' : ''}"
    aria-label=${words}
    title=${obstacle === '' ? hint : obstacle}
    ?disabled=${isEmpty && obstacle === ''}
    aria-disabled=${obstacle === '' && !isStarting ? nothing : 'true'}
    aria-busy=${isStarting ? 'true' : nothing}
    aria-describedby=${obstacle === '' ? nothing : 'pl-composer-hint'}
    @click=${send}
  >
    ${tries > 1 ? html`<span>${words}</span>` : nothing}${isStarting ? icon('loading', 'spin') : icon('arrow-up')}
  </button>`;
}

export function stopButton(stop: () => void): TemplateResult {
  return html`<button class="stop" aria-label=${l10n.t('Stop')} title=${l10n.t('Stop')} @click=${stop}>
    ${icon('debug-stop')}
  </button>`;
}

/** Returns a line that describes what Enter will do. */
export function placeholder(state: ComposerState): string {
  if (state.obstacle !== '') return l10n.t('Type a message to send later');
  if (state.isBusy) return state.sendsAtOnce ? l10n.t('Add to this turn') : l10n.t('Queue a follow-up');
  if (state.agentName === '') return l10n.t('Type a message');
  if (state.startsTour) return l10n.t('Type anything to start the tour');
  if (worksWithoutAsking(state.options)) return l10n.t('Ask {0} (runs without asking)', state.agentName);
  if (state.commands.length > 0) return l10n.t('Ask {0}, @ to add context, / for commands', state.agentName);
  return l10n.t('Ask {0}, @ to add context', state.agentName);
}
