import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { PageComment } from '../../src/shared/changes/reviewPage';
import { showHidden, showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { menuButton } from '../base/menuButton';
import type { CommentEdit } from './commentEdit';
import { nameAndFolder } from './nameAndFolder';

/** What the page does for its comments. */
export interface ThreadOwner {
  /** Sends a draft or remark to the session that it is about. */
  send(comment: PageComment): void;
  /** Sends it to a session that the user selects. */
  sendTo(comment: PageComment): void;
  reply(comment: PageComment): void;
  /** Chooses whether a draft or remark is sent with the others. */
  choose(comment: PageComment, isChosen: boolean): void;
  edit(comment: PageComment): void;
  /** The field in which the user edits a comment. */
  editOf(comment: PageComment): CommentEdit | undefined;
  remove(comment: PageComment): void;
  /** Opens the editor at its line. */
  open(comment: PageComment): void;
}

/** A comment of the user or a remark of an agent, at its place: below the line that it is about, or in a list if its line isn't shown. */
export class CommentThread {
  readonly element = document.createElement('div');
  private readonly owner: ThreadOwner;
  private shown: PageComment;
  private replies: readonly PageComment[];

  constructor(comment: PageComment, replies: readonly PageComment[], owner: ThreadOwner) {
    this.shown = comment;
    this.replies = replies;
    this.owner = owner;
    this.element.className = 'pl-thread';
    this.element.tabIndex = -1;
    this.element.dataset['comment'] = comment.id;
    this.element.setAttribute('role', 'group');
    this.draw();
  }

  get comment(): PageComment {
    return this.shown;
  }

  take(comment: PageComment, replies: readonly PageComment[]): void {
    if (JSON.stringify([comment, replies]) === JSON.stringify([this.shown, this.replies])) return;
    this.shown = comment;
    this.replies = replies;
    this.draw();
  }

  /** Gives the thread the focus, or the field of it in which the user types. */
  focus(): void {
    const fields = [this.shown, ...this.replies].map((one) => this.owner.editOf(one)?.field);
    (fields.find(Boolean) ?? this.element).focus({ preventScroll: true });
  }

  draw(): void {
    const { shown: comment, owner } = this;
    const { remark } = comment;
    const author = authorOf(comment);
    const words = showHidden(comment.text);
    const place = placeOf(comment);
    this.element.setAttribute('aria-label', nameOf(comment, words));
    this.element.classList.toggle('is-outdated', comment.isOutdated);
    render(
      html`<div class="head">
          <span class="by clip">${author}</span>
          ${
            comment.uri === ''
              ? html`<span class="unplaced dim xs clip"
                  >${place === '' ? l10n.t('Without a place') : l10n.t('Without a place: {0}', place)}</span
                >`
              : html`<button
                  type="button"
                  class="place"
                  title=${showHiddenOnOneLine(comment.path)}
                  @click=${() => owner.open(comment)}
                >
                  <span>${place}</span>
                </button>`
          }
          <span class="state dim xs clip">${stateWords(comment)}</span>
          <span class="grow"></span>
          ${this.choice(comment)} ${button('comment-discussion', replyWords(comment), () => owner.reply(comment))}
          ${this.isUnsent ? this.moreButton(comment) : nothing}
          ${
            remark
              ? button('close', l10n.t('Dismiss remark on {0}', place), () => owner.remove(comment))
              : owner.editOf(comment)
                ? nothing
                : html`${button('edit', editWords(comment), () => owner.edit(comment))}
                  ${button('trash', l10n.t('Delete comment on {0}', place), () => owner.remove(comment))}`
          }
        </div>
        ${this.words(comment)} ${this.replies.map((reply) => this.reply(reply))}`,
      this.element,
    );
  }

  /** Whether a draft or remark is sent with the others, by the button at the foot of the page. */
  private choice(comment: PageComment): TemplateResult | typeof nothing {
    if (comment.state.kind !== 'draft') return nothing;
    const isChosen = comment.remark ? comment.remark.isChosen : comment.isHeld !== true;
    const label = sendWords(comment);
    return html`<label class="choice" title=${label}
      ><input
        type="checkbox"
        aria-label=${label}
        .checked=${isChosen}
        @change=${(event: Event) => this.owner.choose(comment, (event.currentTarget as HTMLInputElement).checked)}
      /><span class="w-t">${label}</span><span class="w-n">${l10n.t('Send')}</span></label
    >`;
  }

  /** Sends it by itself, also to another session. */
  private moreButton(comment: PageComment): TemplateResult {
    const { owner } = this;
    return menuButton({
      label: l10n.t('More'),
      menu: l10n.t('More for this comment'),
      className: 'ib',
      content: icon('ellipsis'),
      items: () => [
        { label: l10n.t('Send only this'), run: () => owner.send(comment) },
        { label: l10n.t('Send to…'), run: () => owner.sendTo(comment) },
      ],
    });
  }

  private get isUnsent(): boolean {
    return [this.shown, ...this.replies].some(({ state }) => state.kind === 'draft');
  }

  private words(comment: PageComment): TemplateResult {
    const edit = this.owner.editOf(comment);
    return edit ? html`${edit.element}` : html`<div class="words">${showHidden(comment.text)}</div>`;
  }

  private reply(reply: PageComment): TemplateResult {
    const { owner } = this;
    const place = placeOf(reply);
    const words = showHidden(reply.text);
    return html`<div class="answer" role="group" aria-label=${l10n.t('{0}, reply: {1}', authorOf(reply), words)}>
      <div class="head">
        <span class="by clip">${authorOf(reply)}</span>
        <span class="state dim xs clip">${stateWords(reply)}</span>
        <span class="grow"></span>
        ${this.choice(reply)}
        ${
          owner.editOf(reply)
            ? nothing
            : html`${button('edit', editWords(reply), () => owner.edit(reply))}
              ${button('trash', l10n.t('Delete reply on {0}', place), () => owner.remove(reply))}`
        }
      </div>
      ${this.words(reply)}
    </div>`;
  }
}

/** Says where a draft would be sent. */
function sendWords({ target }: PageComment): string {
  return target === '' ? l10n.t('Send') : l10n.t('Send to {0}', showHiddenOnOneLine(target));
}

/** Says who wrote a comment. */
export function authorOf({ remark }: PageComment): string {
  return remark ? showHiddenOnOneLine(remark.agentName) : l10n.t('You');
}

/** Names the edit of a comment. */
export function editWords(comment: PageComment): string {
  const place = placeOf(comment);
  return comment.replyTo === undefined ? l10n.t('Edit comment on {0}', place) : l10n.t('Edit reply on {0}', place);
}

/** Says what a reply answers. */
export function replyWords(comment: PageComment): string {
  const place = placeOf(comment);
  const author = authorOf(comment);
  if (comment.remark && place === '') return l10n.t('Reply to {0}', author);
  return comment.remark ? l10n.t('Reply to {0} on {1}', author, place) : l10n.t('Reply to your comment on {0}', place);
}

/** Returns file and line of a comment, or what its agent wrote if it has no place. */
function placeOf({ uri, path, line }: PageComment): string {
  if (uri === '') return showHiddenOnOneLine(path);
  const [name] = nameAndFolder(path);
  return `${showHiddenOnOneLine(name)}:${line}`;
}

function nameOf(comment: PageComment, words: string): string {
  return comment.remark
    ? l10n.t('{0}, remark: {1}', authorOf(comment), words)
    : l10n.t('{0}, comment: {1}', authorOf(comment), words);
}

function stateWords({ state, isOutdated, remark }: PageComment): string {
  const unsent = remark ? l10n.t('Remark') : l10n.t('Not sent yet');
  const words = state.kind === 'draft' ? unsent : l10n.t('Sent to {0}', showHiddenOnOneLine(state.agentName));
  return isOutdated ? l10n.t('{0} · changed since', words) : words;
}

function button(glyph: string, label: string, run: () => void): TemplateResult {
  return html`<button type="button" class="ib" aria-label=${label} title=${label} @click=${run}>
    ${icon(glyph)}
  </button>`;
}
