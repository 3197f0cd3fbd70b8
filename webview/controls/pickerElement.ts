import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { endingName } from '../base/endingName';
import { icon } from '../base/icon';
import { InertList } from '../base/inert';
import { choicesThatFit, markedPieces } from './choiceFilter';
import { groupsOf, wantsOwnList, wantsSearch, type PickerChoice, type PickerProps } from './pickerChoices';

/** The name of the element. See `PickerElement`. */
const pickerTag = 'pl-picker';

const listId = 'pl-choices';

/**
 * A picker whose list shows groups, descriptions, and warnings. A long list opens with a search above it that has the cursor while the list
 * is open; with a short one, the focus stays on the button. Arrow keys, Home, and End move through the list, Enter chooses, Escape and Tab
 * close the list, and the focus returns to the button. If the agent changes the choices in the meantime, the list, the query, and the
 * selection stay.
 */
class PickerElement extends HTMLElement {
  private shown: PickerProps | undefined;
  private isOpen = false;
  /** Whether the open list has a search. */
  private hasSearch = false;
  private query = '';
  /** The value that Enter chooses. */
  private active: string | undefined;
  private readonly inertList = new InertList();

  constructor() {
    super();
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (this.contains(relatedTarget as Node | null)) return;
      // The element loses the focus when it is removed, too, before it is notified of that.
      queueMicrotask(() => {
        if (this.isOpen && this.isConnected) this.close(false);
      });
    });
  }

  set props(props: PickerProps) {
    if (props.isDisabled === true) this.isOpen = false;
    this.inertList.follow(props.choices, this.isOpen);
    this.shown = props;
    this.draw();
  }

  /** Moves the focus elsewhere if the agent removes a focused picker. */
  disconnectedCallback(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    document.querySelector<HTMLElement>('.pl-composer textarea')?.focus();
  }

  private get fitting(): readonly PickerChoice[] {
    return choicesThatFit(this.shown?.choices ?? [], this.query);
  }

  private open(query = ''): void {
    this.isOpen = true;
    this.hasSearch = wantsSearch(this.shown?.choices ?? []);
    this.search('');
    if (!this.hasSearch) {
      if (query !== '') this.jumpTo(query);
      return;
    }
    const list = this.querySelector<HTMLElement>('.choices');
    // The list is anchored at its button. If it shrank while filtering, the search field would move as the user types.
    if (list) list.style.minHeight = `${list.offsetHeight}px`;
    if (query !== '') this.search(query);
    const field = this.querySelector('input');
    field?.focus({ preventScroll: true });
    field?.setSelectionRange(query.length, query.length);
  }

  /** Shows the matching choices and selects the best one, or the current value if the query is empty. */
  private search(query: string): void {
    this.query = query;
    this.active = query.trim() === '' ? this.shown?.value : undefined;
    this.draw();
    this.showActive();
  }

  private close(focusesButton = true): void {
    this.isOpen = false;
    this.draw();
    if (focusesButton) this.querySelector('button')?.focus({ preventScroll: true });
  }

  private pick(value: string): void {
    const { shown } = this;
    this.close();
    if (shown && value !== shown.value) shown.onPick(value);
  }

  private clicked(value: string): void {
    if (this.inertList.isOver) this.pick(value);
  }

  private draw(): void {
    const { shown, isOpen } = this;
    if (!shown) return;
    const fitting = isOpen ? this.fitting : [];
    if (!fitting.some(({ value }) => value === this.active)) this.active = fitting[0]?.value;
    const chosen = shown.choices.find(({ value }) => value === shown.value);
    const at = fitting.findIndex(({ value }) => value === this.active);
    render(
      html`<button
          type="button"
          class="pl-pickr"
          role="combobox"
          aria-label=${shown.label}
          aria-haspopup="listbox"
          aria-expanded=${String(isOpen)}
          aria-controls=${isOpen ? listId : nothing}
          aria-activedescendant=${isOpen && !this.hasSearch && at >= 0 ? `${listId}-${at}` : nothing}
          title=${shown.hint ?? shown.label}
          ?disabled=${shown.isDisabled}
          .value=${shown.value}
          @click=${() => (isOpen ? this.close() : this.open())}
          @keydown=${(event: KeyboardEvent) => this.onButtonKey(event, fitting)}
        >
          ${endingName(
            chosen?.label ?? shown.value,
            shown.choices.map(({ label }) => label),
          )}${icon('chevron-down')}
        </button>
        ${isOpen ? this.list(shown, fitting) : nothing}`,
      this,
    );
  }

  private list(shown: PickerProps, fitting: readonly PickerChoice[]): TemplateResult {
    const at = fitting.findIndex(({ value }) => value === this.active);
    const ids = new Map(fitting.map(({ value }, index) => [value, `${listId}-${index}`]));
    return html`<div class="pl-pop choices" @keydown=${(event: KeyboardEvent) => this.onListKey(event, fitting)}>
      ${this.hasSearch ? this.searchField(shown, fitting, at) : nothing}
      <div role="listbox" id=${listId} aria-label=${shown.label} ?hidden=${fitting.length === 0}>
        ${[...groupsOf(fitting)].map(([group, choices], index) => {
          const options = repeat(
            choices,
            ({ value }) => value,
            (choice) => this.option(choice, ids.get(choice.value) ?? '', choice.value === shown.value),
          );
          if (group === '') return options;
          const id = `${listId}-group-${index}`;
          return html`<div role="group" aria-labelledby=${id}>
            <div class="grp" role="presentation" id=${id}>${group}</div>
            ${options}
          </div>`;
        })}
      </div>
      <div class=${fitting.length === 0 ? 'none' : 'sr'} role="status">${this.result(fitting.length)}</div>
    </div>`;
  }

  private searchField(shown: PickerProps, fitting: readonly PickerChoice[], at: number): TemplateResult {
    return html`<div class="find">
      ${icon('search')}<input
        type="text"
        role="combobox"
        spellcheck="false"
        autocomplete="off"
        aria-label=${l10n.t('Search {0}', shown.label)}
        placeholder=${l10n.t('Search {0}', shown.label)}
        aria-autocomplete="list"
        aria-expanded=${String(fitting.length > 0)}
        aria-controls=${listId}
        aria-activedescendant=${at < 0 ? nothing : `${listId}-${at}`}
        .value=${this.query}
        @input=${({ target }: Event) => this.search((target as HTMLInputElement).value)}
      />
    </div>`;
  }

  private option(choice: PickerChoice, id: string, isChosen: boolean): TemplateResult {
    const { value, label, warning = '' } = choice;
    const pieces = markedPieces(label, this.query);
    const more = [choice.description ?? '', warning].filter((text) => text !== '');
    return html`<div
      class="opt ${value === this.active ? 'active' : ''}"
      role="option"
      id=${id}
      aria-selected=${String(isChosen)}
      aria-describedby=${more.length === 0 ? nothing : `${id}-more`}
      title=${[label, ...more].join('\n')}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.clicked(value)}
    >
      ${isChosen ? icon('check') : html`<i class="codicon"></i>`}
      <span class="what"
        ><span class="name">${pieces.map((piece, at) => (at % 2 === 0 ? piece : html`<b>${piece}</b>`))}</span>${
          warning === '' ? nothing : icon('warning', 'attn')
        }${
          more.length === 0
            ? nothing
            : html`<span class="dim xs more" id="${id}-more" aria-hidden="true">${more.join(' · ')}</span>`
        }</span
      >
    </div>`;
  }

  /** Returns the number of results for screen readers, shown only if there are none. */
  private result(count: number): string {
    if (count === 0) return l10n.t('No results for “{0}”', this.query.trim());
    if (this.query.trim() === '') return '';
    return count === 1 ? l10n.t('1 result') : l10n.t('{0} results', count);
  }

  private onButtonKey(event: KeyboardEvent, fitting: readonly PickerChoice[]): void {
    if (this.isOpen && !this.hasSearch) {
      this.onListKey(event, fitting);
      return;
    }
    if (this.isOpen || event.ctrlKey || event.metaKey || event.isComposing) return;
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    // Enter and the space bar press the button.
    const isTyped = event.key.length === 1 && event.key !== ' ' && !event.altKey;
    if (!isArrow && !isTyped) return;
    event.preventDefault();
    event.stopPropagation();
    this.open(isTyped ? event.key : '');
  }

  private onListKey(event: KeyboardEvent, fitting: readonly PickerChoice[]): void {
    // An input method's keys are left to it.
    if (event.isComposing || event.ctrlKey || event.metaKey || event.shiftKey) {
      if (event.key === 'Tab' && !event.isComposing) this.close();
      return;
    }
    const last = fitting.length - 1;
    const at = fitting.findIndex(({ value }) => value === this.active);
    switch (event.key) {
      case 'ArrowDown':
        this.move(fitting[at === last ? 0 : at + 1]);
        break;
      case 'ArrowUp':
        // With Alt, the arrow keys close the list, as in native lists.
        if (event.altKey) this.close();
        else this.move(fitting[at <= 0 ? last : at - 1]);
        break;
      case 'Home':
        this.move(fitting[0]);
        break;
      case 'End':
        this.move(fitting[last]);
        break;
      case 'Enter':
        if (this.active !== undefined && at >= 0) this.pick(this.active);
        break;
      case 'Escape':
        this.close();
        break;
      case 'Tab':
        // The next focus is relative to the button.
        this.close();
        return;
      default:
        if (this.hasSearch) return;
        if (event.key === ' ' && this.active !== undefined) this.pick(this.active);
        else if (event.key.length === 1 && !event.altKey) this.jumpTo(event.key);
        else return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves to the next choice of a list without a search that begins with a letter. */
  private jumpTo(letter: string): void {
    const { fitting } = this;
    const at = fitting.findIndex(({ value }) => value === this.active);
    const next = [...fitting.slice(at + 1), ...fitting.slice(0, at + 1)];
    const found = next.find(({ label }) => label.toLowerCase().startsWith(letter.toLowerCase()));
    if (found) this.move(found);
  }

  private move(choice: PickerChoice | undefined): void {
    if (choice) this.active = choice.value;
    this.draw();
    this.showActive();
  }

  private showActive(): void {
    this.querySelector('.opt.active')?.scrollIntoView({ block: 'nearest' });
  }
}

/** Registers the element. */
export function definePicker(): void {
  if (!customElements.get(pickerTag)) customElements.define(pickerTag, PickerElement);
}

/** Returns whether a picker has its own list now. One that the user is using keeps its form. */
export function hasOwnList({ label, choices }: PickerProps): boolean {
  const used = document.activeElement?.closest(`${pickerTag}, vscode-dropdown`);
  if (used && (used.getAttribute('name') ?? used.getAttribute('aria-label')) === label) {
    return used.localName === pickerTag;
  }
  return wantsOwnList(choices);
}

/** Renders the picker. */
export function ownPicker(props: PickerProps): TemplateResult {
  return html`<pl-picker name=${props.label} .props=${props}></pl-picker>`;
}
