import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { createRef, ref } from 'lit-html/directives/ref.js';
import type { AvailableCommand, ConfigOption } from '../src/shared/transcript';
import { awaitedInput } from './commandFilter';
import { CommandsPopup, listId } from './commandsPopup';
import { configBar, worksWithoutAsking } from './configBar';
import { controlForm, type ControlForm } from './controls';
import { icon } from './icon';
import { PromptHistory } from './promptHistory';
import { cursorRows, replaceRange } from './textField';

/** What the composer shows. */
export interface ComposerState {
  readonly agentName: string;
  readonly isBusy: boolean;
  readonly commands: readonly AvailableCommand[];
  readonly options: readonly ConfigOption[];
  /** Why nothing can be sent now, in a sentence; empty when it can. */
  readonly obstacle: string;
  /** The folder a new session would work in; empty when a session is shown. */
  readonly newSessionIn: string;
}

/** What the composer does, said to its owner. */
export interface ComposerActions {
  send(text: string): void;
  stop(): void;
  setOption(configId: string, value: string | boolean): void;
  draftChanged(text: string): void;
  /** What was sent before, oldest first. */
  history(): readonly string[];
  announce(sentence: string): void;
}

const nothingYet: ComposerState = {
  agentName: '',
  isBusy: false,
  commands: [],
  options: [],
  obstacle: '',
  newSessionIn: '',
};

/**
 * Where the next message is made. Typing is always possible; Enter sends, Shift+Enter breaks the line, and keys that belong
 * to an input method are left to it. What is typed goes away only by being sent.
 */
export class Composer {
  private readonly container: HTMLElement;
  private readonly actions: ComposerActions;
  private readonly fieldRef = createRef<HTMLTextAreaElement>();
  private readonly popup = new CommandsPopup();
  private readonly history = new PromptHistory();
  private state = nothingYet;
  private form: ControlForm = 'native';
  private showsAll = false;

  constructor(container: HTMLElement, actions: ComposerActions) {
    this.container = container;
    this.actions = actions;
    // Controls that waited for the user's hand to leave take their form then.
    for (const leaving of ['pointerleave', 'focusout']) container.addEventListener(leaving, () => this.reform());
    this.render();
  }

  get text(): string {
    return this.field.value;
  }

  update(state: ComposerState): void {
    this.state = state;
    this.follow();
  }

  /** Shows another draft, as when another session is shown. */
  show(draft: string): void {
    this.history.reset();
    this.field.value = draft;
    this.follow();
  }

  /** Puts a text in front of what is there, so that neither is lost. */
  putBack(text: string): void {
    const rest = this.text;
    this.show(rest === '' || rest === text ? text : `${text}\n\n${rest}`);
    this.actions.draftChanged(this.text);
  }

  focus(): void {
    this.field.focus();
  }

  /** The toolkit has arrived: controls change their form as soon as nobody has a hand on them. */
  reform(): void {
    // Asked in the next task, for in the event itself the focus is nowhere.
    setTimeout(() => {
      if (controlForm(this.bar, this.form) !== this.form) this.render();
    });
  }

  private get field(): HTMLTextAreaElement {
    const field = this.fieldRef.value;
    if (!field) throw new Error('The composer has no text field.');
    return field;
  }

  private get bar(): Element {
    return this.container.querySelector('.bar') ?? this.container;
  }

  /** The popup belongs to a text cursor: without one there is none. */
  private follow(): void {
    const hasCursor = document.activeElement === this.field;
    this.popup.follow(this.state.commands, hasCursor ? this.text : '', this.field.selectionStart);
    this.render();
  }

  private render(): void {
    this.form = controlForm(this.bar, this.form);
    render(this.template(), this.container);
  }

  private template(): TemplateResult {
    const { state, popup } = this;
    const text = this.fieldRef.value?.value ?? '';
    const hint = awaitedInput(state.commands, text);
    return html`<div class="pl-composer">
        ${popup.render(state.agentName, (name) => this.choose(name))}
        <textarea
          ${ref(this.fieldRef)}
          class="box"
          rows="1"
          spellcheck="true"
          aria-label=${l10n.t('Message')}
          aria-describedby="pl-composer-hint"
          aria-autocomplete=${state.commands.length > 0 ? 'list' : 'none'}
          aria-controls=${popup.isOpen ? listId : nothing}
          aria-activedescendant=${popup.activeId ?? nothing}
          placeholder=${placeholder(state)}
          @keydown=${(event: KeyboardEvent) => this.onKey(event)}
          @input=${() => this.onInput()}
          @click=${() => this.follow()}
          @focus=${() => this.follow()}
          @blur=${() => this.follow()}
        ></textarea>
        <div class="hint" aria-hidden="true" ?hidden=${hint === undefined}>${hint}</div>
        <div class="sr" id="pl-composer-hint">${state.obstacle === '' ? hint : state.obstacle}</div>
        <div class="bar">
          <div class="pickers">
            ${configBar({
              options: state.options,
              form: this.form,
              showsAll: this.showsAll,
              set: (configId, value) => this.actions.setOption(configId, value),
              showAll: (all) => {
                this.showsAll = all;
                this.render();
              },
            })}
          </div>
          ${this.sendButton(text)}${state.isBusy ? this.stopButton() : nothing}
        </div>
      </div>
      ${state.newSessionIn === '' ? nothing : html`<div class="pl-below">${folderLine(state.newSessionIn)}</div>`}`;
  }

  /** With an obstacle the button stays in the tab order, to say why it does nothing. */
  private sendButton(text: string): TemplateResult {
    const { obstacle } = this.state;
    return html`<button
      class="send"
      aria-label=${l10n.t('Send')}
      title=${obstacle === '' ? l10n.t('Send (Enter)') : obstacle}
      ?disabled=${text.trim() === '' && obstacle === ''}
      aria-disabled=${obstacle === '' ? nothing : 'true'}
      aria-describedby=${obstacle === '' ? nothing : 'pl-composer-hint'}
      @click=${() => this.send()}
    >
      ${icon('arrow-up')}
    </button>`;
  }

  private stopButton(): TemplateResult {
    return html`<button
      class="stop"
      aria-label=${l10n.t('Stop')}
      title=${l10n.t('Stop')}
      @click=${() => this.actions.stop()}
    >
      ${icon('debug-stop')}
    </button>`;
  }

  private onInput(): void {
    this.actions.draftChanged(this.text);
    this.follow();
  }

  private onKey(event: KeyboardEvent): void {
    // Enter, Escape and arrows that end or steer a composition are the input method's; 229 marks the first of them.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other sign of it
    if (event.isComposing || event.keyCode === 229) return;
    const key = this.popup.key(event, this.text);
    if (key.did !== 'nothing') {
      event.preventDefault();
      event.stopPropagation();
      if (key.did === 'chose') this.choose(key.name);
      else this.render();
      this.scrollToSelected();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.send();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      if (this.walkHistory(event.key === 'ArrowUp')) event.preventDefault();
      else queueMicrotask(() => this.follow());
    }
  }

  private walkHistory(older: boolean): boolean {
    const { field } = this;
    if (field.selectionStart !== field.selectionEnd) return false;
    const rows = cursorRows(field);
    if (older ? !rows.isFirst : !rows.isLast) return false;
    const sent = this.actions.history();
    const text = older ? this.history.older(sent, this.text) : this.history.newer(sent, this.text);
    if (text === undefined) return false;
    replaceRange(field, 0, field.value.length, text);
    // At the rim that the same key goes on from.
    if (older) field.setSelectionRange(0, 0);
    this.popup.close();
    this.render();
    return true;
  }

  private choose(name: string): void {
    const { field } = this;
    const word = /^\/\S*\s?/.exec(field.value)?.[0] ?? '';
    replaceRange(field, 0, word.length, `/${name} `);
    field.focus();
    this.follow();
  }

  private scrollToSelected(): void {
    this.container.querySelector('[role=option][aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  private send(): void {
    const text = this.text;
    if (text.trim() === '') return;
    if (this.state.obstacle !== '') {
      this.actions.announce(this.state.obstacle);
      return;
    }
    this.field.value = '';
    this.history.reset();
    this.actions.draftChanged('');
    this.follow();
    this.field.focus();
    this.actions.send(text);
  }
}

function placeholder(state: ComposerState): string {
  if (state.obstacle !== '') return l10n.t('Write your message; it is kept');
  if (state.isBusy) return l10n.t('Write what comes next; it waits for this turn');
  if (state.agentName === '') return l10n.t('Write your message');
  if (worksWithoutAsking(state.options)) return l10n.t('Ask {0}. It will not ask back.', state.agentName);
  if (state.commands.length > 0) return l10n.t('Ask {0}, / for commands', state.agentName);
  return l10n.t('Ask {0}', state.agentName);
}

/** The folder's name stands out inside the translated sentence. */
function folderLine(folder: string): TemplateResult {
  const [before, after] = l10n.t('New session in {0}').split('{0}');
  return html`<span class="clip grow">${before}<b>${folder}</b>${after}</span>`;
}
