import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { createRef, ref } from 'lit-html/directives/ref.js';
import type { Attachment } from '../../src/shared/transcript/content';
import type { FollowedFile, Mention } from '../../src/shared/pages/messages';
import { nextMode } from '../../src/shared/permissions/modes';
import type { PromptListing } from '../../src/shared/pages/prompts';
import { isPlain, type StartChoice, type StartPlaces } from '../../src/shared/pages/startChoice';
import type { Prompt } from '../../src/shared/transcript/transcript';
import { isComposing } from '../base/composition';
import { Attachments } from './attachments';
import { awaitedInput, isBareCommand } from './commandFilter';
import { CommandsPopup, listId, type SlashOption } from './commandsPopup';
import {
  nothingYet,
  placeholder,
  sendButton,
  stopButton,
  type ComposerActions,
  type ComposerState,
} from './composerParts';
import { configBar, hasOthers, optionsMenu, type ConfigBarProps } from './configBar';
import { droppedProblems, droppedUris, filesIn } from './dropped';
import { FollowedChip } from './followedChip';
import { controlForm, type ControlForm } from '../controls/controls';
import { addButton } from './moreActions';
import { MentionedAttachments } from './mentioned';
import { mentionsId, MentionsPopup, mentionWord } from './mentionsPopup';
import { isPastedText } from './pasted';
import { Pastes } from './pastes';
import { PromptFields } from './promptFields';
import { PromptHistory } from './promptHistory';
import { placeRow } from './placeRow';
import { StartRow } from './startRow';
import { cursorRows, replaceRange } from './textField';

/** What has the focus in the open menu of options, in any form of the controls. */
const focusable = 'select, input, button, vscode-dropdown, vscode-checkbox';
/** For this long after the text has changed, the next key probably continues it, in milliseconds. */
const typingMs = 1000;

/**
 * The composer for the next message. Typing is always possible. Enter sends, Shift+Enter breaks the line, and an input method's keys are
 * left to it. Typed text disappears only when it is sent.
 */
export class Composer {
  private readonly container: HTMLElement;
  private readonly actions: ComposerActions;
  private readonly fieldRef = createRef<HTMLTextAreaElement>();
  private readonly popup = new CommandsPopup();
  private readonly mentions: MentionsPopup;
  private readonly attachments: Attachments;
  private readonly mentioned = new MentionedAttachments();
  /** The words of mentions whose attachments the host was asked for. */
  private readonly awaited = new Map<string, string>();
  private readonly pastes: Pastes;
  private readonly followed: FollowedChip;
  private readonly history = new PromptHistory();
  private readonly fields = new PromptFields();
  private prompts: readonly PromptListing[] = [];
  /** The prompt whose text the host was asked for. */
  private awaitedPrompt: string | undefined;
  /** Why what the user just did wasn't done. */
  private refused = '';
  /** Whether text of a link is in the message. */
  private isFromLink = false;
  private state = nothingYet;
  private form: ControlForm = 'native';
  private isMenuOpen = false;
  /** What opened the menu of options, which gets the focus back. */
  private menuOpener: Element | null = null;
  private readonly row: StartRow;
  /** What is being started with the message, in words. */
  private starting = '';
  private typedAt = -Infinity;

  constructor(container: HTMLElement, actions: ComposerActions) {
    this.container = container;
    this.actions = actions;
    this.mentions = new MentionsPopup((query) => actions.findMentions(query));
    this.attachments = new Attachments(
      (all) => actions.attachmentsChanged(all),
      (uris) => actions.findTextless(uris),
    );
    this.pastes = new Pastes(this.attachments, actions);
    this.followed = new FollowedChip(actions.ignoresEditor(), (isIgnored) => actions.setIgnoresEditor(isIgnored));
    this.row = new StartRow(actions, (isOwn) => this.redrawRow(isOwn));
    // Controls that the user was using change their form when the user leaves them.
    for (const leaving of ['pointerleave', 'focusout']) container.addEventListener(leaving, () => this.reform());
    container.addEventListener('focusout', ({ relatedTarget }) => this.onFocusLeft(relatedTarget));
    this.render();
  }

  get text(): string {
    return this.field.value;
  }

  isText(field: Element): boolean {
    return field === this.field;
  }

  /** Returns whether `field` is the message's text, nothing is in it, and the user isn't typing. */
  isIdle(field: Element): boolean {
    return this.isBlank(field) && performance.now() - this.typedAt > typingMs;
  }

  /** Returns whether `field` is the message's text, and nothing is in it. */
  isBlank(field: Element): boolean {
    return field === this.field && this.text === '' && this.isEmpty && !this.isMenuOpen;
  }

  update(state: ComposerState): void {
    this.state = state;
    this.row.follow(state.start);
    this.follow();
  }

  /** Shows another draft, for example of another session. */
  show(draft: string, attachments: readonly Attachment[], start?: StartChoice): void {
    if (start) this.row.show(start);
    this.refused = '';
    this.isFromLink = false;
    this.history.reset();
    this.pastes.forget();
    this.fields.end();
    this.awaitedPrompt = undefined;
    this.field.value = draft;
    this.attachments.show(attachments);
    this.mentioned.show(draft, attachments);
    this.awaited.clear();
    this.follow();
    // The lists open for what the user types, not for a word that was there before.
    this.popup.close();
    this.mentions.close();
    this.render();
  }

  takePlaces(places: StartPlaces): void {
    this.row.takePlaces(places);
  }

  /** Says that something is being started with the message, which can't be changed until then. Empty if nothing is. */
  setStarting(words: string): void {
    if (this.starting === words) return;
    this.starting = words;
    if (words !== '') this.actions.announce(words);
    this.render();
  }

  /** Draws the row again. If the user has removed the chip with the focus, another one gets it. */
  private redrawRow(isOwn: boolean): void {
    this.render();
    if (!isOwn || document.activeElement !== document.body) return;
    [...this.container.querySelectorAll<HTMLElement>('.pl-where .chip.agent')].at(-1)?.focus();
  }

  /** Takes the attached files that have no text to send. */
  takeTextless(uris: readonly string[]): void {
    this.attachments.takeTextless(uris);
    this.render();
  }

  /** Adds attachments to the message. */
  attach(more: readonly Attachment[]): void {
    this.refused = '';
    this.attachments.add(more);
    this.render();
  }

  /** Shows the file in the active editor as an attachment. */
  followFile(file: FollowedFile | undefined): void {
    this.followed.follow(file);
    this.render();
  }

  /** Adds a text after the current one. The cursor ends up after it. */
  addDraft(text: string, attachments: readonly Attachment[], isFromLink = false): void {
    const hadLink = this.isFromLink;
    const before = this.text.trimEnd();
    this.attachments.add(attachments);
    this.show(before === '' ? text : `${before}\n\n${text}`, this.attachments.list);
    this.isFromLink = isFromLink || hadLink;
    if (isFromLink) this.actions.announce(linkSentence());
    this.render();
    this.actions.draftChanged(this.text);
    this.focus();
    this.field.setSelectionRange(this.text.length, this.text.length);
    this.field.scrollTop = this.field.scrollHeight;
  }

  /** Shows the prompts that are offered after `/`. */
  setPrompts(prompts: readonly PromptListing[]): void {
    this.prompts = prompts;
    this.follow();
  }

  /**
   * Puts a prompt into the message, and asks for its fields: in the place of the word that the user chose it with, or
   * after what is typed. Without a text, the prompt isn't used.
   */
  takePrompt(id: string | undefined, text: string | undefined): void {
    const { field } = this;
    const isAwaited = id !== undefined && id === this.awaitedPrompt;
    if (isAwaited) this.awaitedPrompt = undefined;
    else if (id !== undefined) return;
    this.focus();
    if (text === undefined) return;
    const word = isAwaited ? /^\/\S*\s?/.exec(field.value)?.[0] : undefined;
    const end = field.value.trimEnd().length;
    const space = word !== undefined || end === 0 ? '' : '\n\n';
    const range = word === undefined ? ([end, field.value.length] as const) : ([0, word.length] as const);
    this.fields.begin(field, range, space + text);
    this.popup.close();
    this.actions.draftChanged(this.text);
    this.followFields();
  }

  /** Shows and says which field is asked. */
  private followFields(): void {
    if (this.fields.isOpen) this.actions.announce(this.fields.sentence);
    this.follow();
  }

  /** Handles files that are dropped anywhere in the chat. */
  drop(event: DragEvent): void {
    const uris = droppedUris(event.dataTransfer);
    if (uris.length === 0) {
      this.takeFilesOf(event, event.dataTransfer);
      return;
    }
    event.preventDefault();
    const problems = droppedProblems(event.dataTransfer);
    if (problems) this.attach([problems]);
    this.actions.attachUris(uris);
  }

  /** Shows what matches a word typed after `@`. */
  takeMentions(query: string, mentions: readonly Mention[]): void {
    if (this.mentions.take(query, mentions)) this.render();
  }

  /** Attaches what the host was asked for, unless its word was deleted in the meantime. */
  takeMentioned(id: string, attachments: readonly Attachment[]): void {
    const word = this.awaited.get(id);
    this.awaited.delete(id);
    if (word === undefined) return;
    // What has no word in the text, such as a file from a dialog, stays without one.
    if (word === '') this.attachments.add(attachments);
    else for (const attachment of attachments) this.mentioned.add(word, attachment);
    this.followMentioned();
    this.render();
  }

  /** Puts a reference in the place of a pasted text. */
  takeReference(id: number, reference: Attachment | undefined): void {
    if (!this.pastes.recognized(id, reference, this.field)) return;
    this.actions.draftChanged(this.text);
    this.follow();
  }

  /** Inserts a text at the cursor. */
  insert(text: string): void {
    this.pastes.insert(text, this.field);
    this.follow();
  }

  /** Inserts a text before the current one, so that neither is lost. */
  putBack(text: string, attachments: readonly Attachment[] = []): void {
    const rest = this.text;
    this.attachments.add(attachments);
    this.show(rest === '' || rest === text ? text : `${text}\n\n${rest}`, this.attachments.list);
    this.actions.draftChanged(this.text);
  }

  focus(): void {
    this.field.focus();
  }

  /** Called when the toolkit is loaded: controls change their form as soon as the user isn't using them. */
  reform(): void {
    // Checked in the next task, because during the event, no element has the focus.
    setTimeout(() => {
      if (this.formNow() !== this.form) this.render();
    });
  }

  private formNow(): ControlForm {
    return this.menu?.matches(':focus-within') === true ? this.form : controlForm(this.bar, this.form);
  }

  private get field(): HTMLTextAreaElement {
    const field = this.fieldRef.value;
    if (!field) throw new Error('The composer has no text field.');
    return field;
  }

  private get bar(): Element {
    return this.container.querySelector('.bar') ?? this.container;
  }

  /** Updates the popup, which closes when the text field loses its cursor. */
  private follow(): void {
    const hasCursor = document.activeElement === this.field;
    const text = hasCursor ? this.text : '';
    this.popup.follow(this.state, this.prompts, text, this.field.selectionStart);
    this.mentions.follow(text, this.field.selectionStart);
    this.render();
  }

  private render(): void {
    this.form = this.formNow();
    render(this.template(), this.container);
  }

  private template(): TemplateResult {
    const { state, popup, mentions } = this;
    const open = popup.isOpen ? { id: listId, active: popup.activeId } : { id: mentionsId, active: mentions.activeId };
    const isOpen = popup.isOpen || mentions.isOpen;
    const text = this.fieldRef.value?.value ?? '';
    const hint = awaitedInput(state.commands, text);
    const options = this.optionProps();
    return html`<div
        class="pl-composer"
        @paste=${(event: ClipboardEvent) => this.onPaste(event)}
        @keydown=${(event: KeyboardEvent) => this.onMenuKey(event)}
      >
        ${popup.render((option) => this.choose(option))} ${mentions.render((mention) => this.mention(mention))}
        ${optionsMenu(options)}
        ${this.attachments.render(
          this.followed.render(this.attachments.list, isBareCommand(state.commands, text), () => this.render()),
          (name, one) => this.removed(name, one),
          (one) => this.preview(one),
          state.takesLinks,
        )}
        <div class="over-box clip" aria-hidden="true">${placeholder(state)}</div>
        <textarea
          ${ref(this.fieldRef)}
          class="box"
          rows="1"
          spellcheck="true"
          dir="auto"
          aria-label=${l10n.t('Message')}
          aria-describedby="pl-composer-hint"
          aria-autocomplete="list"
          aria-controls=${isOpen ? open.id : nothing}
          aria-activedescendant=${open.active ?? nothing}
          placeholder=${placeholder(state)}
          ?readonly=${this.starting !== ''}
          @keydown=${(event: KeyboardEvent) => this.onKey(event)}
          @input=${() => this.onInput()}
          @click=${() => this.follow()}
          @focus=${() => this.follow()}
          @blur=${() => this.onBlur()}
        ></textarea>
        <div class="hint" aria-hidden="true" ?hidden=${hint === undefined}>${hint}</div>
        ${this.fields.isOpen ? html`<div class="hint" aria-hidden="true">${this.fields.sentence}</div>` : nothing}
        ${this.isFromLink ? html`<div class="hint" role="note">${linkSentence()}</div>` : nothing}
        <div class="hint" aria-hidden="true" ?hidden=${this.starting === ''}>${this.starting}</div>
        <div class="hint refused" aria-hidden="true" ?hidden=${this.refused === ''}>${this.refused}</div>
        <div class="sr" id="pl-composer-hint">${state.obstacle === '' ? hint : state.obstacle}</div>
        <div class="bar">
          ${addButton(state, this.actions, {
            addContext: () => this.addContext(),
            addCommand: this.commandAdder(text),
            openOptions: hasOthers(state.options) ? () => this.openMenu(true) : undefined,
          })}
          <div class="pickers">${configBar(options)}</div>
          ${sendButton(state, { isEmpty: this.isEmpty, isStarting: this.starting !== '', tries: this.row.tries }, () =>
            this.send(),
          )}${state.isBusy ? stopButton(() => this.actions.stop()) : nothing}
        </div>
      </div>
      ${this.row.render()} ${state.start || !state.place ? nothing : placeRow(state.place, this.actions)}`;
  }

  /** Returns what opens the list of commands and prompts, if there are any and the message can still begin with one. */
  private commandAdder(text: string): (() => void) | undefined {
    if (text !== '' || this.state.commands.length + this.prompts.length === 0) return undefined;
    return () => {
      this.field.focus();
      replaceRange(this.field, 0, 0, '/');
      this.follow();
    };
  }

  private optionProps(): ConfigBarProps {
    const { options, canSetOptions, agentName } = this.state;
    return {
      options,
      readOnly: canSetOptions ? '' : l10n.t('Can be changed after {0} starts', agentName),
      form: this.form,
      isMenuOpen: this.isMenuOpen,
      set: (configId, value) => this.actions.setOption(configId, value),
      openMenu: (open) => this.openMenu(open),
    };
  }

  /** Opens or closes the menu of the options that have no room in the bar. The focus is in it while it is open. */
  private openMenu(open: boolean): void {
    if (open) this.menuOpener = document.activeElement;
    this.isMenuOpen = open;
    this.render();
    const { bar, menu, menuOpener } = this;
    if (open) menu?.querySelector<HTMLElement>(focusable)?.focus();
    else if (menuOpener instanceof HTMLElement && menuOpener.isConnected) menuOpener.focus();
    else bar.querySelector<HTMLElement>('.add')?.focus();
  }

  private get menu(): Element | null {
    return this.container.querySelector('.pl-pop.options');
  }

  /** Closes the menu with Escape. A list that is open in it has handled the key before. */
  private onMenuKey(event: KeyboardEvent): void {
    if (!this.isMenuOpen || event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    if (!(event.target instanceof Element) || !event.target.closest('.pl-pop.options')) return;
    event.preventDefault();
    event.stopPropagation();
    this.openMenu(false);
  }

  /** Closes the menu when the focus goes elsewhere on the page. */
  private onFocusLeft(to: EventTarget | null): void {
    if (!this.isMenuOpen || !(to instanceof Element) || to.closest('.pl-pop.options')) return;
    this.isMenuOpen = false;
    // The element that gets the focus must not be replaced while it does.
    queueMicrotask(() => this.render());
  }

  private onInput(): void {
    this.refused = '';
    if (this.text === '') this.isFromLink = false;
    this.typedAt = performance.now();
    this.actions.draftChanged(this.text);
    this.followMentioned();
    this.fields.follow(this.field);
    this.follow();
  }

  /** Removes the attachments whose mentions were deleted, and adds those whose mentions are back. */
  private followMentioned(): void {
    const { added, removed } = this.mentioned.follow(this.text);
    for (const one of removed) this.attachments.remove(one);
    this.attachments.add(added);
    if (removed.length > 0) this.actions.announce(l10n.t('Removed {0}', removed.map(({ name }) => name).join(', ')));
  }

  private onKey(event: KeyboardEvent): void {
    // Enter, Escape, and arrow keys during a composition belong to the input method.
    if (isComposing(event)) return;
    if (this.inPopup(event)) return;
    if (this.inFields(event)) return;
    if (this.cyclesMode(event) || this.takesSuggestion(event) || this.leavesUpward(event) || this.pastes.key(event)) {
      event.preventDefault();
      event.stopPropagation();
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

  /**
   * Shift+Tab switches to the agent's next mode. Without another mode, or with an open popup, it keeps its usual meaning. Alt+Up is the way
   * back at all times.
   */
  private cyclesMode(event: KeyboardEvent): boolean {
    if (event.key !== 'Tab' || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false;
    const { canSetOptions, options } = this.state;
    const next = !canSetOptions || this.popup.isOpen || this.mentions.isOpen ? undefined : nextMode(options);
    if (!next) return false;
    // A key that is held down switches once.
    if (!event.repeat) this.actions.setOption(next.configId, next.value);
    return true;
  }

  /** Tab puts what the agent suggests into the empty box. With a text, and right after, it keeps its usual meaning. */
  private takesSuggestion(event: KeyboardEvent): boolean {
    if (event.key !== 'Tab' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false;
    const { suggestion } = this.state;
    if (suggestion === '' || this.text !== '' || this.popup.isOpen || this.mentions.isOpen) return false;
    this.addDraft(suggestion, []);
    this.actions.announce(suggestion);
    return true;
  }

  private leavesUpward(event: KeyboardEvent): boolean {
    if (event.key !== 'ArrowUp' || !event.altKey || event.ctrlKey || event.shiftKey || event.metaKey) return false;
    this.actions.goUp();
    return true;
  }

  /** Returns whether a key belongs to the field of a prompt that is being asked. */
  private inFields(event: KeyboardEvent): boolean {
    const did = this.fields.key(event, this.field);
    if (did === 'nothing') return false;
    event.preventDefault();
    event.stopPropagation();
    if (did === 'takenBack') this.actions.announce(l10n.t('Removed the prompt. Undo brings it back.'));
    if (did === 'done') this.actions.announce(l10n.t('All fields are done. Enter sends the message.'));
    this.followFields();
    return true;
  }

  /** Returns whether the open popup handled a key. */
  private inPopup(event: KeyboardEvent): boolean {
    const command = this.popup.key(event, this.text);
    const mention = this.mentions.key(event);
    if (command.did === 'nothing' && mention.did === 'nothing') return false;
    event.preventDefault();
    event.stopPropagation();
    if (mention.did === 'closed') this.takeBackMark();
    if (command.did === 'chose') this.choose(command.option);
    else if (mention.did === 'chose') this.mention(mention.option);
    else this.render();
    this.scrollToSelected();
    return true;
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
    // Moves the cursor to the edge, so that the next press of the same key continues.
    if (older) field.setSelectionRange(0, 0);
    this.popup.close();
    this.mentions.close();
    this.render();
    return true;
  }

  private choose({ kind, match }: SlashOption): void {
    const { field } = this;
    if (kind === 'prompt') {
      this.awaitedPrompt = match.item.id;
      this.actions.takePrompt(match.item.id);
      this.popup.close();
      this.render();
      return;
    }
    const { name } = match.item;
    const word = /^\/\S*\s?/.exec(field.value)?.[0] ?? '';
    replaceRange(field, 0, word.length, `/${name} `);
    field.focus();
    this.follow();
  }

  /** Opens the list of what can be mentioned, with an `@` at the cursor, as if it was typed. */
  private addContext(): void {
    const { field } = this;
    field.focus();
    const { value, selectionEnd: cursor } = field;
    if (mentionWord(value, cursor)?.query !== '') {
      const space = mentionWord(`${value.slice(0, cursor)}@`, cursor + 1) ? '' : ' ';
      replaceRange(field, cursor, cursor, `${space}@`);
    }
    this.mentions.openAt(field.selectionStart - 1);
    this.follow();
  }

  private onBlur(): void {
    // Another window may have the focus for a moment.
    if (document.activeElement !== this.field) this.takeBackMark();
    this.follow();
  }

  /** Removes the `@` that the button inserted, if the user has closed the list without using it. */
  private takeBackMark(): void {
    const { field } = this;
    const at = this.mentions.openedAt;
    if (at === undefined || mentionWord(field.value, field.selectionStart)?.query !== '') return;
    if (field.selectionStart === at + 1) replaceRange(field, at, at + 1, '');
    this.follow();
  }

  /** Inserts a mention into the text and attaches what it means. For a kind, offers what there is of it. */
  private mention(mention: Mention): void {
    const { field } = this;
    const word = mentionWord(field.value, field.selectionStart);
    const { continues, insert } = mention;
    const text = continues ? `@${insert ?? ''}` : insert === '' ? '' : this.wordFor(mention);
    if (word) {
      const space = continues || text === '' ? '' : ' ';
      replaceRange(field, word.start, word.start + word.query.length + 1, text + space);
    }
    if (!continues) {
      if (mention.attachment) this.mentioned.add(text, mention.attachment);
      else this.awaited.set(mention.id, text);
      if (!mention.attachment) this.actions.takeMention(mention.id);
      this.followMentioned();
    }
    field.focus();
    this.follow();
  }

  /** Returns the word that mentions something. Of two files with the same name, the second one has its path. */
  private wordFor({ label, insert = label, detail, attachment }: Mention): string {
    const word = `@${insert}`;
    return attachment && this.mentioned.isTaken(word, attachment.uri) ? `@${detail}/${label}` : word;
  }

  private preview(one: Attachment): void {
    if (one.type !== 'resource') {
      this.actions.preview(one);
      return;
    }
    let shown = one;
    const edit = (text: string) => {
      const edited = { ...shown, text };
      if (!this.attachments.replace(shown, edited)) return;
      shown = edited;
      this.render();
    };
    const insert = () => this.insertInstead(shown, shown.text);
    // What was read from a file is sent as it is there.
    this.actions.preview(one, one.uri.startsWith('attachment:') ? { insert, edit } : { insert });
  }

  /** Puts the text of an attachment into the message, at the cursor, in place of the attachment. */
  private insertInstead(one: Attachment, text: string): void {
    this.mentioned.forget(one);
    if (this.attachments.remove(one)) this.insert(text);
  }

  private removed(name: string, one: Attachment): void {
    this.mentioned.forget(one);
    this.actions.announce(l10n.t('Removed {0}', name));
    this.field.focus();
    this.follow();
  }

  /** Handles pasted or dropped files. Text that accompanies an image is the image's address in another program. */
  private takeFilesOf(event: Event, data: DataTransfer | null): void {
    const read = filesIn(data);
    if (!read) return;
    event.preventDefault();
    void read().then(({ attachments, skipped, scaled }) => {
      this.attach(attachments);
      if (skipped > 0)
        this.refuse(l10n.t('Only text up to 256 KB, images up to 20 MB, and audio up to 3.7 MB can be added here.'));
      else if (scaled) this.refuse(l10n.t('Scaled an image down, because agents reject larger ones.'));
    });
  }

  private onPaste(event: ClipboardEvent): void {
    this.takeFilesOf(event, event.clipboardData);
    if (!event.defaultPrevented && this.pastes.take(event, this.field)) this.render();
  }

  /** Says why something isn't done: below the text, until the user types or adds something, and to screen readers. */
  private refuse(sentence: string): void {
    this.refused = sentence;
    this.actions.announce(sentence);
    this.render();
  }

  private scrollToSelected(): void {
    this.container.querySelector('[role=option][aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  /** Whether there is nothing to send: neither a typed text nor a long paste. */
  get isEmpty(): boolean {
    const text = this.fieldRef.value?.value ?? '';
    return text.trim() === '' && !this.attachments.list.some((one) => isPastedText(one));
  }

  /** Sends the message, or starts what the row below it says. */
  send(): void {
    if (this.starting !== '') return;
    const { start } = this.row;
    const message = isPlain(start) ? this.take() : this.read();
    if (!message) return;
    const { text, attachments = [] } = message;
    if (isPlain(start)) this.actions.send(text, attachments);
    else this.actions.startTyped(text, attachments, start);
  }

  /** Says why nothing was sent. */
  refuseSending(sentence: string): void {
    this.refuse(sentence);
  }

  /**
   * Empties the composer and returns the message. Without a typed text, a long paste is the message itself. Returns undefined if nothing can
   * be sent, and shows why.
   */
  take(): Prompt | undefined {
    const message = this.read();
    if (message) this.empty();
    return message;
  }

  private read(): Prompt | undefined {
    if (this.isEmpty) return undefined;
    const isTyped = this.text.trim() !== '';
    const pasted = isTyped ? [] : this.attachments.list.filter((one) => isPastedText(one));
    const text = isTyped ? this.text : pasted.map((one) => one.text).join('\n\n');
    if (this.state.obstacle !== '') {
      this.refuse(this.state.obstacle);
      return undefined;
    }
    const own = this.attachments.list.filter((one) => !pasted.some((other) => other === one));
    const followed = this.followed.attachment(own, isBareCommand(this.state.commands, text));
    const attachments = followed ? [followed, ...own] : own;
    return attachments.length > 0 ? { text, attachments } : { text };
  }

  private empty(): void {
    this.field.value = '';
    this.isFromLink = false;
    this.attachments.clear();
    this.mentioned.show('', []);
    this.awaited.clear();
    this.history.reset();
    this.pastes.forget();
    this.fields.end();
    this.actions.draftChanged('');
    this.follow();
    this.field.focus();
  }
}

function linkSentence(): string {
  return l10n.t('This text came from a link. Read it before you send it.');
}
