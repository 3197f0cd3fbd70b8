import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { PageComment } from '../../src/shared/reviewPage';
import { showHiddenOnOneLine } from '../../src/shared/visibleText';
import { icon } from '../base/icon';
import { nameAndFolder } from './fileView';

/** What the page does for its list of comments. */
export interface CommentListOwner {
  /** Shows the change that a comment is about. */
  show(comment: PageComment): void;
  edit(comment: PageComment): void;
  remove(comment: PageComment): void;
  /** Sends all drafts. */
  send(): void;
}

/** The user's comments on changes of all files: which were sent, and which are outdated. Hidden if there are none. */
export class CommentList {
  readonly element = document.createElement('section');
  private readonly owner: CommentListOwner;

  constructor(owner: CommentListOwner) {
    this.owner = owner;
    this.element.className = 'pl-rcomments';
    this.element.hidden = true;
    this.element.setAttribute('aria-label', l10n.t('Your comments'));
  }

  draw(comments: readonly PageComment[]): void {
    this.element.hidden = comments.length === 0;
    const drafts = comments.filter(({ state }) => state.kind === 'draft').length;
    const send = drafts === 1 ? l10n.t('Send 1 comment') : l10n.t('Send {0} comments', drafts);
    render(
      comments.length === 0
        ? nothing
        : html`<ul>
              ${comments.map((comment) => this.row(comment))}
            </ul>
            ${
              drafts === 0
                ? nothing
                : html`<div class="btns">
                    <button type="button" class="btn sm primary" @click=${() => this.owner.send()}>${send}</button>
                  </div>`
            }`,
      this.element,
    );
  }

  private row(comment: PageComment): TemplateResult {
    const { owner } = this;
    const [name] = nameAndFolder(comment.path);
    const place = `${showHiddenOnOneLine(name)}:${comment.line}`;
    const button = (glyph: string, label: string, run: () => void) =>
      html`<button type="button" class="ib" aria-label=${label} title=${label} @click=${run}>${icon(glyph)}</button>`;
    return html`<li>
      <button type="button" class="place" title=${comment.path} @click=${() => owner.show(comment)}>
        ${icon('comment', 's12')}<span>${place}</span>
      </button>
      <span class="text clip" title=${comment.text}>${showHiddenOnOneLine(comment.text)}</span>
      <span class="state dim xs">${stateWords(comment)}</span>
      ${button('edit', l10n.t('Edit comment on {0}', place), () => owner.edit(comment))}
      ${button('trash', l10n.t('Delete comment on {0}', place), () => owner.remove(comment))}
    </li>`;
  }
}

function stateWords({ state, isOutdated }: PageComment): string {
  const words = state.kind === 'draft' ? l10n.t('Not sent yet') : l10n.t('Sent to {0}', state.agentName);
  return isOutdated ? l10n.t('{0} · changed since', words) : words;
}
