import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { ContentBlock } from '../../../src/shared/transcript/content';
import type { IDisposable } from '../../../src/shared/values/disposable';
import { ownPromptIn, type OwnPrompt } from '../../../src/shared/pages/ownPrompts';
import type { Entry, UserMessageEntry } from '../../../src/shared/transcript/transcript';
import { icon } from '../../base/icon';
import { menuButton } from '../../base/menuButton';
import type { OpenRestore } from '../../state/restores';
import { attachment } from '../view/contentBlock';
import { followFocus } from '../view/entryActions';
import { EntryView, type EntryScope } from '../view/entryView';
import { editField, restoreGroup, type Surroundings } from './userMessageEdit';

/** Maximum number of lines to show. A longer message is folded. */
const shownLines = 24;
const shownLength = 3000;
/** Maximum number of characters of a heading. */
const shownHeading = 120;

/** A message of the user, as typed, with attachments as chips. The user can edit it or restore the files from here. */
export class UserMessageView extends EntryView {
  entry: UserMessageEntry;
  private readonly content = document.createElement('div');
  private readonly listener: IDisposable;
  private isOffered = false;

  constructor(scope: EntryScope, entry: UserMessageEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-said';
    this.element.setAttribute('aria-label', l10n.t('You'));
    const { restores } = scope.context;
    this.listener = restores.onDidChange(({ session, entry: id }) => {
      if (session !== scope.session) return;
      if (id === this.entry.id || (id === undefined && restores.isOffered(this.place) !== this.isOffered))
        this.refresh();
    });
    this.element.append(this.content);
    followFocus(this.element);
  }

  set(entry: Entry): void {
    if (entry.kind === 'user_message') this.entry = entry;
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { restores } = this.scope.context;
    this.isOffered = restores.isOffered(this.place);
    const opened = restores.at(this.place);
    const hadFocus = this.element.contains(document.activeElement);
    const around = opened && this.surroundings(opened);
    render(
      opened?.mode === 'edit' && around
        ? editField(opened, around)
        : html`${this.box(opened)}${opened && around ? restoreGroup(opened, around) : nothing}`,
      this.content,
    );
    // The focused element may no longer exist, such as a button of a closed preview.
    if (hadFocus && !this.element.contains(document.activeElement)) this.element.focus({ preventScroll: true });
    return true;
  }

  override toggle(): boolean {
    this.scope.context.setExpanded(this.entry.id, !(this.scope.context.isExpanded(this.entry.id) ?? false));
    this.refresh();
    return true;
  }

  override dispose(): void {
    this.listener.dispose();
    super.dispose();
  }

  private get place() {
    return { session: this.scope.session, entry: this.entry.id };
  }

  private box(opened: OpenRestore | undefined): TemplateResult {
    const text = userText(this.entry.content);
    const others = this.entry.content.filter((block) => block.type !== 'text');
    const cut = cutAt(text);
    const isOpen = this.scope.context.isExpanded(this.entry.id) ?? false;
    // What another program sent isn't known by its words.
    const own = this.entry.isReported ? undefined : ownPromptIn(text);
    const [line = ''] = (own ? ownWords(own) : text).trimStart().split('\n', 1);
    const isFolded = own !== undefined || cut < text.length;
    const short = own ? ownWords(own) : `${text.slice(0, cut)}…`;
    return html`<div class="pl-user">
      <h2 class="sr">${l10n.t('You: {0}', line.length > shownHeading ? `${line.slice(0, shownHeading)}…` : line)}</h2>
      <p class=${own && !isOpen ? 'dim' : ''}>${isFolded && !isOpen ? short : text}</p>
      ${
        isFolded
          ? html`<button type="button" class="btn link sm" aria-expanded=${isOpen} @click=${() => this.toggle()}>
              ${isOpen ? l10n.t('Show less') : l10n.t('Show whole message')}
            </button>`
          : nothing
      }
      ${others.length > 0 ? html`<div class="chips">${others.map((block) => attachment(block))}</div>` : nothing}
      ${this.entry.isReported ? html`<p class="dim xs">${l10n.t('Reported by {0}. You didn’t send this message here.', this.scope.transcript.view.agentName)}</p>` : nothing}
      ${this.entry.state === 'refused' ? html`<p class="dim xs">${l10n.t('Declined by {0} and removed from its context.', this.scope.transcript.view.agentName)}</p>` : nothing}
      <div class="acts" ?hidden=${opened !== undefined}>
        ${this.action('edit', l10n.t('Edit message'), () => this.open('edit'))}
        ${
          this.isOffered
            ? this.action('discard', l10n.t('Restore files to this point'), () => this.open('restore'))
            : nothing
        }
        ${menuButton({
          label: l10n.t('More for this message'),
          className: 'ib',
          tabIndex: -1,
          content: icon('ellipsis'),
          items: () => [
            { label: l10n.t('Copy'), run: () => this.scope.context.post({ type: 'copyText', text }) },
            { label: l10n.t('Copy turn as Markdown'), run: () => this.copyTurn() },
            { label: l10n.t('Copy link to turn'), run: () => this.copyLink() },
            { label: l10n.t('Save as prompt'), run: () => this.scope.context.post({ type: 'savePrompt', text }) },
          ],
        })}
      </div>
    </div>`;
  }

  private copyLink(): void {
    const { context, session } = this.scope;
    context.post({ type: 'copyLink', session, entry: this.entry.id });
  }

  private copyTurn(): void {
    const { context, session } = this.scope;
    context.post({ type: 'copyMarkdown', session, entry: this.entry.id, scope: 'turn' });
  }

  private action(glyph: string, label: string, act: () => void): TemplateResult {
    return html`<button
      type="button"
      class="ib"
      tabindex="-1"
      data-glyph=${glyph}
      aria-label=${label}
      title=${label}
      @click=${act}
    >
      ${icon(glyph)}
    </button>`;
  }

  /** Opens the form of the message, and moves the focus there. */
  open(mode: OpenRestore['mode'], keepsFiles = false): void {
    this.scope.context.restores.open(this.place, mode, userText(this.entry.content), keepsFiles);
    this.step();
    const field = this.element.querySelector('textarea');
    if (field) {
      field.focus({ preventScroll: true });
      field.setSelectionRange(field.value.length, field.value.length);
    } else {
      this.element.querySelector<HTMLElement>('.pl-restore')?.focus({ preventScroll: true });
    }
    this.element.scrollIntoView({ block: 'nearest' });
  }

  private cancel(): void {
    const { restores } = this.scope.context;
    const opened = restores.at(this.place);
    if (!opened || opened.isBusy) return;
    restores.close(this.place);
    this.step();
    const glyph = opened.mode === 'edit' ? 'edit' : 'discard';
    const button = this.element.querySelector<HTMLElement>(`.acts [data-glyph=${glyph}]`);
    (button ?? this.element).focus({ preventScroll: true });
  }

  private surroundings({ keepsFiles }: OpenRestore): Surroundings {
    const { context, transcript, session } = this.scope;
    const { restores } = context;
    const { place } = this;
    const { agentName, activity, canRewind } = transcript.view;
    return {
      id: place.entry,
      agentName,
      // Turns count from 1.
      hasEarlier: this.entry.turn > 1,
      stays: canRewind === true,
      isRunning: activity.state !== 'idle',
      isOffered: this.isOffered && !keepsFiles,
      tick: (uri, isTicked) => restores.setOverwrite(place, uri, isTicked),
      compare: (uri) => context.post({ type: 'compareRestore', session, entry: place.entry, uri }),
      input: (text) => restores.edit(place, text),
      confirm: () => restores.restore(place),
      sendOnly: () => restores.sendOnly(place),
      cancel: () => this.cancel(),
    };
  }
}

/** Says what a message of Parley's own is. */
function ownWords(own: OwnPrompt): string {
  switch (own) {
    case 'review':
      return l10n.t('Parley asked for a review of the changes.');
    case 'reviewAgain':
      return l10n.t('Parley asked for the remarks again.');
    case 'edited':
      return l10n.t('Parley sent how you changed these edits before you allowed them.');
    case 'conflict':
      return l10n.t('Parley asked to resolve conflicts with your changes.');
  }
}

/** Returns the text that the user typed. */
export function userText(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function cutAt(text: string): number {
  let at = -1;
  for (let line = 0; line < shownLines; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) break;
  }
  const cut = Math.min(at < 0 ? text.length : at, shownLength);
  // Folding a few characters isn't worth it.
  return text.length - cut < 200 ? text.length : cut;
}
