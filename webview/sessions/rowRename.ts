import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { isComposing } from '../base/composition';
import { levelOf } from './rowView';
import { placeOf, type RowLayout, type ShownRow } from './rowLayout';

/** What renaming in the list needs of it. */
interface RenamingList {
  readonly root: HTMLElement;
  rowOf(key: string): ShownRow | undefined;
  /** Draws the list, with the field if a row is renamed. */
  draw(): void;
  rename(id: string, title: string): void;
  focusList(): void;
}

/** Renames a row in its place. */
export class RowRename {
  private readonly list: RenamingList;
  private id: string | undefined;

  constructor(list: RenamingList) {
    this.list = list;
  }

  start({ id, title }: ShownRow): void {
    this.id = id;
    this.list.draw();
    const { field } = this;
    if (!field) return;
    field.value = title;
    field.focus({ preventScroll: true });
    field.select();
  }

  /** Forgets what was typed. */
  cancel(): void {
    this.id = undefined;
  }

  /** Renders the field. It is above the row, because an option of a list can't contain one. */
  view(layout: RowLayout): TemplateResult | typeof nothing {
    const at = this.id === undefined ? undefined : placeOf(layout, this.id);
    if (!at) return nothing;
    return html`<input
      class="rename"
      type="text"
      aria-label=${l10n.t('Session name')}
      data-top=${at.top}
      data-level=${levelOf(at)}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}
      @blur=${() => this.end(true)}
    />`;
  }

  private get field(): HTMLInputElement | null {
    return this.list.root.querySelector<HTMLInputElement>('.rename');
  }

  private onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (isComposing(event)) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    this.end(event.key === 'Enter');
    this.list.focusList();
  }

  private end(isMeant: boolean): void {
    const { id } = this;
    if (id === undefined) return;
    const title = this.field?.value.trim() ?? '';
    this.id = undefined;
    if (isMeant && title !== '' && title !== this.list.rowOf(id)?.title) this.list.rename(id, title);
    this.list.draw();
  }
}
