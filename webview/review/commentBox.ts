import * as l10n from '@vscode/l10n';
import { html, nothing, render } from 'lit-html';
import { pressInComment, typedComment } from './commentField';

/** The change that a comment is about, and how the box names it. */
export interface CommentSubject {
  readonly uri: string;
  readonly id: string;
  readonly words: string;
  readonly agentName: string;
  /** `id` is a comment that the user answers. */
  readonly isReply?: true;
}

/** What the page does for its comment box. */
export interface CommentOwner {
  send(subject: CommentSubject, text: string): void;
  /** Adds the comment to the drafts, which are sent together. */
  addDraft(subject: CommentSubject, text: string): void;
  /** Called when the box has closed, for the focus. */
  closed(subject: CommentSubject): void;
}

/**
 * The box for a comment on a change. It is below all files, so that it moves no line and stays when the change leaves while
 * the user types. What wasn't sent is there again the next time.
 */
export class CommentBox {
  readonly element = document.createElement('div');
  private readonly owner: CommentOwner;
  private readonly drafts = new Map<string, string>();
  private subject: CommentSubject | undefined;
  private text = '';
  private state: 'typing' | 'sending' | 'notSent' = 'typing';

  constructor(owner: CommentOwner) {
    this.owner = owner;
    this.element.className = 'pl-rcomment';
    this.element.hidden = true;
  }

  /** Opens the box for a change, with the focus. */
  open(subject: CommentSubject): void {
    this.keep();
    if (this.state !== 'sending') {
      this.subject = subject;
      this.text = this.drafts.get(keyOf(subject)) ?? '';
      this.state = 'typing';
    }
    this.draw();
    this.field?.focus();
  }

  /** Must be called when the host has tried to send the comment. */
  sent(uri: string, id: string, isSent: boolean): void {
    if (this.state !== 'sending' || this.subject?.uri !== uri || this.subject.id !== id) return;
    if (isSent) {
      this.text = '';
      this.close();
      return;
    }
    this.state = 'notSent';
    this.draw();
    this.field?.focus();
  }

  private get field(): HTMLTextAreaElement | null {
    return this.element.querySelector('textarea');
  }

  private keep(): void {
    if (!this.subject) return;
    if (this.text === '') this.drafts.delete(keyOf(this.subject));
    else this.drafts.set(keyOf(this.subject), this.text);
  }

  private close(): void {
    const { subject } = this;
    this.keep();
    this.subject = undefined;
    this.state = 'typing';
    this.draw();
    if (subject) this.owner.closed(subject);
  }

  private send(isDraft = false): void {
    const { subject, text } = this;
    if (!subject || this.state === 'sending' || text.trim() === '') return;
    this.keep();
    this.state = 'sending';
    this.draw();
    if (isDraft) this.owner.addDraft(subject, text);
    else this.owner.send(subject, text);
  }

  private pressed(event: KeyboardEvent): void {
    const isBusy = this.state === 'sending';
    pressInComment(event, { isBusy, cancel: () => this.close(), submit: (isDraft) => this.send(isDraft) });
  }

  private typed(event: Event): void {
    this.text = typedComment(event) ?? this.text;
    this.state = 'typing';
    this.draw();
  }

  private draw(): void {
    const { subject, state } = this;
    this.element.hidden = !subject;
    if (!subject) {
      render(nothing, this.element);
      return;
    }
    const ask = subject.isReply
      ? l10n.t('Type a message for {0}', subject.agentName)
      : l10n.t('Ask {0} for a different change', subject.agentName);
    render(
      html`<div role="group" aria-label=${subject.words} @keydown=${(event: KeyboardEvent) => this.pressed(event)}>
        <p class="what clip">${subject.words}</p>
        <textarea
          rows="2"
          aria-label=${l10n.t('Comment')}
          placeholder=${ask}
          .value=${this.text}
          ?readonly=${state === 'sending'}
          @input=${(event: Event) => this.typed(event)}
        ></textarea>
        <div class="btns">
          <button
            type="button"
            class="btn sm primary"
            ?disabled=${state === 'sending' || this.text.trim() === ''}
            @click=${() => this.send()}
          >
            ${l10n.t('Send')}
          </button>
          <button
            type="button"
            class="btn sm"
            aria-keyshortcuts="Control+Enter"
            ?disabled=${state === 'sending' || this.text.trim() === ''}
            @click=${() => this.send(true)}
          >
            ${l10n.t('Add to drafts')}
          </button>
          <button type="button" class="btn sm" ?disabled=${state === 'sending'} @click=${() => this.close()}>
            ${l10n.t('Cancel')}
          </button>
          <span class="dim xs" role="status">${state === 'notSent' ? l10n.t('Not sent') : ''}</span>
        </div>
      </div>`,
      this.element,
    );
  }
}

function keyOf({ uri, id }: CommentSubject): string {
  return `${uri} ${id}`;
}
