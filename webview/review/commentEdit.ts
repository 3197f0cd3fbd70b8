import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import { pressInComment, typedComment } from './commentField';

/** What the threads do for a comment that is being edited. */
export interface EditOwner {
  save(text: string): void;
  /** Called when the user takes the edit back. */
  cancel(): void;
}

/** The field in which the user edits a comment, in the place of its words. It stays as it is when its thread moves. */
export class CommentEdit {
  readonly element = document.createElement('div');
  private readonly label: string;
  private readonly owner: EditOwner;
  private text: string;
  private state: 'typing' | 'saving' | 'notSaved' = 'typing';

  constructor(label: string, text: string, owner: EditOwner) {
    this.label = label;
    this.text = text;
    this.owner = owner;
    this.element.className = 'pl-redit';
    this.draw();
    const { field } = this;
    field?.setSelectionRange(text.length, text.length);
  }

  get field(): HTMLTextAreaElement | null {
    return this.element.querySelector('textarea');
  }

  /** Must be called when the host couldn't save the text. */
  notSaved(): void {
    this.state = 'notSaved';
    this.draw();
    this.field?.focus({ preventScroll: true });
  }

  private get canSave(): boolean {
    return this.state !== 'saving' && this.text.trim() !== '';
  }

  private save(): void {
    if (!this.canSave) return;
    this.state = 'saving';
    this.draw();
    this.owner.save(this.text);
  }

  private pressed(event: KeyboardEvent): void {
    const isBusy = this.state === 'saving';
    pressInComment(event, { isBusy, cancel: () => this.owner.cancel(), submit: () => this.save() });
  }

  private typed(event: Event): void {
    this.text = typedComment(event) ?? this.text;
    this.state = 'typing';
    this.draw();
  }

  private draw(): void {
    const rows = Math.min(10, Math.max(2, this.text.split('\n').length));
    render(
      html`<div role="group" aria-label=${this.label} @keydown=${(event: KeyboardEvent) => this.pressed(event)}>
        <textarea
          rows=${rows}
          aria-label=${l10n.t('Comment')}
          .value=${this.text}
          ?readonly=${this.state === 'saving'}
          @input=${(event: Event) => this.typed(event)}
        ></textarea>
        <div class="btns">
          <button type="button" class="btn sm primary" ?disabled=${!this.canSave} @click=${() => this.save()}>
            ${l10n.t('Save')}
          </button>
          <button type="button" class="btn sm" ?disabled=${this.state === 'saving'} @click=${() => this.owner.cancel()}>
            ${l10n.t('Cancel')}
          </button>
          <span class="dim xs" role="status">${this.state === 'notSaved' ? l10n.t('Not saved') : ''}</span>
        </div>
      </div>`,
      this.element,
    );
  }
}
