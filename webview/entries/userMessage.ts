import * as l10n from '@vscode/l10n';
import { html, nothing, render } from 'lit-html';
import type { ContentBlock } from '../../src/shared/content';
import type { Entry, UserMessageEntry } from '../../src/shared/transcript';
import { icon } from '../icon';
import { attachment } from './contentBlock';
import { EntryView, type EntryScope } from './entryView';

/** A longer message folds to its beginning. */
const shownLines = 24;
const shownLength = 3000;

/** What the user sent, as it was typed, with attachments as chips. */
export class UserMessageView extends EntryView {
  entry: UserMessageEntry;

  constructor(scope: EntryScope, entry: UserMessageEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-said';
    this.element.setAttribute('aria-label', l10n.t('You'));
  }

  set(entry: Entry): void {
    if (entry.kind === 'user_message') this.entry = entry;
    this.scope.queue.add(this);
  }

  step(): boolean {
    const text = userText(this.entry.content);
    const others = this.entry.content.filter((block) => block.type !== 'text');
    const cut = cutAt(text);
    const isOpen = this.scope.context.isExpanded(this.entry.id) ?? false;
    render(
      html`<div class="pl-user">
        <p>${cut < text.length && !isOpen ? `${text.slice(0, cut)}…` : text}</p>
        ${
          cut < text.length
            ? html`<button type="button" class="btn link sm" aria-expanded=${isOpen} @click=${() => this.toggle()}>
                ${isOpen ? l10n.t('Show less') : l10n.t('Show whole message')}
              </button>`
            : nothing
        }
        ${others.length > 0 ? html`<div class="chips">${others.map((block) => attachment(block))}</div>` : nothing}
        ${this.entry.state === 'refused' ? html`<p class="dim xs">${l10n.t('Refused. The agent will not see this message again.')}</p>` : nothing}
        <div class="acts">
          <button
            type="button"
            class="ib"
            tabindex="-1"
            aria-label=${l10n.t('Copy')}
            title=${l10n.t('Copy')}
            @click=${() => this.scope.context.post({ type: 'copyText', text })}
          >
            ${icon('copy')}
          </button>
        </div>
      </div>`,
      this.element,
    );
    return true;
  }

  override toggle(): boolean {
    this.scope.context.setExpanded(this.entry.id, !(this.scope.context.isExpanded(this.entry.id) ?? false));
    this.refresh();
    return true;
  }
}

/** The text the user typed. */
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
  // A fold that hides next to nothing helps nobody.
  return text.length - cut < 200 ? text.length : cut;
}
