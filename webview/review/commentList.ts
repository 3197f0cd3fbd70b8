import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { PageComment } from '../../src/shared/reviewPage';
import { showHidden, showHiddenOnOneLine } from '../../src/shared/visibleText';
import { icon } from '../base/icon';
import { nameAndFolder } from './fileView';

/** What the page does for its list of comments. */
export interface CommentListOwner {
  /** Shows the change that a comment is about. */
  show(comment: PageComment): void;
  edit(comment: PageComment): void;
  remove(comment: PageComment): void;
  /** Chooses whether a remark is sent with the drafts. */
  choose(comment: PageComment, isChosen: boolean): void;
  /** Sends all drafts. */
  send(): void;
}

/** Comments on changes of all files, the user's and agents' remarks: which were sent, and which are outdated. Hidden if there are none. */
export class CommentList {
  readonly element = document.createElement('section');
  private readonly owner: CommentListOwner;

  constructor(owner: CommentListOwner) {
    this.owner = owner;
    this.element.className = 'pl-rcomments';
    this.element.hidden = true;
    this.element.setAttribute('aria-label', l10n.t('Comments and remarks'));
  }

  draw(comments: readonly PageComment[]): void {
    this.element.hidden = comments.length === 0;
    const chosen = comments.filter(({ state, remark }) => state.kind === 'draft' && remark?.isChosen !== false);
    const drafts = chosen.length;
    // Those without a place come first, because nothing else on the page leads to them.
    const ordered = [...comments.filter(isUnplaced), ...comments.filter((one) => !isUnplaced(one))];
    render(
      comments.length === 0
        ? nothing
        : html`<ul>
              ${ordered.map((comment) => this.row(comment))}
            </ul>
            ${
              drafts === 0
                ? nothing
                : html`<div class="btns">
                    <button type="button" class="btn sm primary" @click=${() => this.owner.send()}>
                      ${sendWords(chosen)}
                    </button>
                  </div>`
            }`,
      this.element,
    );
  }

  private row(comment: PageComment): TemplateResult {
    const { owner } = this;
    const [name] = nameAndFolder(comment.path);
    if (comment.remark) return this.remark(comment, comment.remark);
    const place = `${showHiddenOnOneLine(name)}:${comment.line}`;
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

  /** A remark is shown whole, because the user decides by its words whether to send it. */
  private remark(
    comment: PageComment,
    { agentName, isChosen, target }: PageComment['remark'] & object,
  ): TemplateResult {
    const { owner } = this;
    const [name] = nameAndFolder(comment.path);
    const agent = showHiddenOnOneLine(agentName);
    const place = isUnplaced(comment)
      ? showHiddenOnOneLine(comment.path)
      : `${showHiddenOnOneLine(name)}:${comment.line}`;
    const words = showHidden(comment.text);
    const choose = (event: Event) => owner.choose(comment, (event.currentTarget as HTMLInputElement).checked);
    return html`<li class="remark">
      <div role="group" aria-label=${l10n.t('{0}, remark: {1}', agent, words)}>
        <span class="head">
          <span class="by">${agent}</span>
          ${
            isUnplaced(comment)
              ? html`<span class="dim xs"
                  >${place === '' ? l10n.t('Without a place') : l10n.t('Without a place: {0}', place)}</span
                >`
              : html`<button type="button" class="place" title=${comment.path} @click=${() => owner.show(comment)}>
                  ${icon('comment', 's12')}<span>${place}</span>
                </button>`
          }
          <span class="state dim xs"
            >${comment.state.kind === 'draft' && !comment.isOutdated ? nothing : stateWords(comment)}</span
          >
          ${
            comment.state.kind === 'sent'
              ? nothing
              : html`<label class="choice"
                  ><input type="checkbox" .checked=${isChosen} @change=${choose} />${
                    target === '' ? l10n.t('Send') : l10n.t('Send to {0}', showHiddenOnOneLine(target))
                  }</label
                >`
          }
          ${button('trash', l10n.t('Dismiss remark on {0}', place), () => owner.remove(comment))}
        </span>
        <span class="words">${words}</span>
      </div>
    </li>`;
  }
}

function button(glyph: string, label: string, run: () => void): TemplateResult {
  return html`<button type="button" class="ib" aria-label=${label} title=${label} @click=${run}>
    ${icon(glyph)}
  </button>`;
}

function isUnplaced({ uri }: PageComment): boolean {
  return uri === '';
}

/** Says what would be sent. */
function sendWords(chosen: readonly PageComment[]): string {
  const remarks = chosen.filter(({ remark }) => remark).length;
  const comments = chosen.length - remarks;
  const ofRemarks = remarks === 1 ? l10n.t('Send 1 remark') : l10n.t('Send {0} remarks', remarks);
  const ofComments = comments === 1 ? l10n.t('Send 1 comment') : l10n.t('Send {0} comments', comments);
  if (remarks === 0) return ofComments;
  return comments === 0 ? ofRemarks : l10n.t('Send {0} comments and remarks', chosen.length);
}

function stateWords({ state, isOutdated }: PageComment): string {
  const words = state.kind === 'draft' ? l10n.t('Not sent yet') : l10n.t('Sent to {0}', state.agentName);
  return isOutdated ? l10n.t('{0} · changed since', words) : words;
}
