import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { RequestKey } from '../../src/shared/ids';
import type {
  ChangedCall,
  Entry,
  PermissionOption,
  RiskView,
  SavedAnswer,
  ToolCallEntry,
} from '../../src/shared/transcript';
import { compact } from '../../src/shared/decodeValue';
import { riskWords } from '../../src/shared/ruleWords';
import { shortenMiddle, showHidden, showHiddenOnOneLine } from '../../src/shared/visibleText';
import { icon } from '../base/icon';
import { showPath } from '../base/paths';
import type { EntryScope } from './entryView';
import { Inert } from '../base/inert';
import { actionOf, askedCommand } from './askedText';
import { changeRows } from './changedCall';
import { RequestRule } from './requestRule';
import { optionName } from './optionName';
import { ownLines, requestQuestion } from './requestQuestion';
import { editorToolQuestion } from './editorToolWords';
import { plainTitle, singlePath } from './toolLabel';
import { allowKey, answerOf, chordLabel, chordOf, isReplyChord, rejectKey, replyKey } from './answerKey';

/** A press that counts in a moment: its button, by the id of an option or its own name, and what it will do. */
interface HeldPress {
  readonly on: string;
  readonly words: string;
}

/** How a press was made. */
type By = 'key' | 'pointer';

/** Marks the request that keys answer while none has the focus. */
export const keyedAttribute = 'data-keyed';

/**
 * The permission request of a tool call, with the options in the agent's order
 * (https://agentclientprotocol.com/protocol/tool-calls#requesting-permission). It never takes the focus on its own.
 */
export class PermissionView {
  readonly element = document.createElement('div');
  private readonly scope: EntryScope;
  private readonly entry: () => ToolCallEntry;
  private shownRequest = '';
  private shownChange: ChangedCall | undefined;
  private readonly inert = new Inert(this.element, (isHeld) => this.showHeld(isHeld));
  /** The press that is held until the request is ready. */
  private heldPress: HeldPress | undefined;
  private isSent = false;
  private rule: RequestRule | undefined;
  private readonly listener: { dispose(): void };

  constructor(scope: EntryScope, entry: () => ToolCallEntry) {
    this.scope = scope;
    this.entry = entry;
    this.element.className = 'pl-perm';
    this.element.setAttribute('role', 'group');
    this.element.tabIndex = -1;
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    this.listener = scope.context.ruleOffers.onDidReceive((message) => {
      const isNew = this.rule?.take(message) === true;
      this.draw();
      if (isNew) this.focusRule();
    });
  }

  /** Draws the open request. */
  draw(): void {
    const entry = this.entry();
    if (entry.permission.state !== 'asked') return;
    const { request, options, changed, risks = [], isEdited = false } = entry.permission;
    if (request !== this.shownRequest) {
      this.shownRequest = request;
      this.rule = this.ruleFor(request);
      if (takesAllowRule(entry)) this.rule.prepare();
      this.isSent = false;
      this.inert.arm();
      this.scope.announceRequest(request, this.announcement(entry));
    } else if (changed !== this.shownChange) {
      // A user about to answer must see the change first.
      this.inert.arm();
      if (changed) this.scope.context.alert(changeTitle(this.scope.transcript.view.agentName));
    }
    this.shownChange = changed;
    this.element.setAttribute('aria-label', l10n.t('Permission: {0}', entry.title));
    // What is destructive must not look recommended.
    const primary = risks.length > 0 || isEdited ? -1 : options.findIndex(({ kind }) => kind === 'allow_once');
    const chord = (option: PermissionOption) => {
      if (option === answerOf(options, 'reject')) return rejectKey;
      return option === answerOf(options, 'allow') && risks.length === 0 && !isEdited ? allowKey : undefined;
    };
    render(
      html`${changed ? changeNote(entry, changed, this.scope) : nothing}
        <div class="q">${requestQuestion(entry, this.scope.transcript.view)}</div>
        ${ownLine(entry, this.scope.transcript.view.cwd)} ${risks.map(riskLine)} ${facts(entry, this.scope)}
        ${options.length > 0 ? nothing : html`<div>${l10n.t('The agent offers no options. Stop the turn to continue.')}</div>`}
        <div class="opts">
          ${options.length > 0 ? nothing : this.cancelButton()}${isEdited ? this.allowEditedButton(risks.length === 0) : nothing}${options.map(
            (option, index) =>
              html`<button
                type="button"
                class="btn ${index === primary ? 'primary' : ''} ${this.heldPress?.on === option.optionId ? 'held' : ''}"
                aria-description=${this.whoseWords(option) ?? nothing}
                ?disabled=${this.isSent}
                @click=${(event: MouseEvent) => this.choose(option, byOf(event), this.sendsMessage(option))}
              >
                ${index < 9 ? keyCap(String(index + 1)) : nothing}${this.label(option)}${keyCap(chord(option))}
              </button>`,
          )}${this.editButton(entry)}${takesComments(entry) ? this.commentsButton() : nothing}${this.replyButton(options)}
        </div>
        ${this.rule?.open === undefined ? this.ruleButtons(entry) : this.rule.render()}
        <div class="wait" aria-hidden="true">${this.heldPress?.words ?? l10n.t('just appeared')}</div>`,
      this.element,
    );
  }

  /** Must be called after each layout that may have moved the options. If they moved, they ignore clicks for a moment. */
  checkPlace(): void {
    this.inert.checkPlace();
  }

  dispose(): void {
    this.listener.dispose();
    this.inert.dispose();
  }

  /** Returns the button that opens the form of an answer: its own, or that of the menu. */
  private ruleButton(answer: SavedAnswer): HTMLElement | null {
    const button = this.element.querySelector<HTMLElement>(`[data-rule="${answer}"]`);
    return button ?? this.element.querySelector<HTMLElement>('[data-rule]');
  }

  /** Returns who remembers an answer that counts beyond this request. */
  private whoseWords({ kind }: PermissionOption): string | undefined {
    if (kind !== 'allow_always' && kind !== 'reject_always') return undefined;
    return l10n.t('{0} remembers', this.scope.transcript.view.agentName);
  }

  /** Renders the same beside the option's name. The name alone is the option's accessible name. */
  private whose(option: PermissionOption): TemplateResult | typeof nothing {
    const words = this.whoseWords(option);
    return words === undefined ? nothing : html` <small class="whose" aria-hidden="true">(${words})</small>`;
  }

  /** Renders an option's name. While a message is typed, rejecting sends it along, and the button says so. */
  private label(option: PermissionOption): TemplateResult {
    if (option.kind !== 'reject_once') return html`<span>${optionName(option)}${this.whose(option)}</span>`;
    return html`<span class="bare">${optionName(option)}</span
      ><span class="typed">${l10n.t('Reject and send message')} ${keyCap(replyKey)}</span>`;
  }

  /** Renders the button that opens the agent's change for the user to edit. */
  private editButton({ permission, toolKind }: ToolCallEntry): TemplateResult | typeof nothing {
    if (permission.state !== 'asked' || permission.takesEdit !== true) return nothing;
    return html`<button type="button" class="btn link edit" ?disabled=${this.isSent} @click=${() => this.edit()}>
        ${toolKind === 'switch_mode' ? l10n.t('Open plan…') : l10n.t('Edit…')}${keyCap('E')}</button
      >${permission.hasUnsaved === true ? this.unsavedButton() : nothing}`;
  }

  /** Renders the button that opens what the user typed and then closed without saving it. */
  private unsavedButton(): TemplateResult {
    return html`<button type="button" class="btn link" ?disabled=${this.isSent} @click=${() => this.edit(true)}>
      ${l10n.t('Reopen my version…')}
    </button>`;
  }

  /** Renders the button that allows the user's version. It takes the place of the agent's option, which allows the agent's. */
  private allowEditedButton(isPrimary: boolean): TemplateResult {
    return html`<button
      type="button"
      class="btn ${isPrimary ? 'primary' : ''}"
      ?disabled=${this.isSent}
      @click=${(event: MouseEvent) => this.allowEdited(byOf(event))}
    >
      ${this.entry().toolKind === 'switch_mode' ? l10n.t('Approve with changes') : l10n.t('Allow my version')}${keyCap(isPrimary ? allowKey : undefined)}
    </button>`;
  }

  /** Renders the button that sends the user's comments on a plan, and what the user changed in it, with a rejection. */
  private commentsButton(): TemplateResult {
    return html`<button
      type="button"
      class="btn link"
      ?disabled=${this.isSent}
      @click=${(event: MouseEvent) => this.sendComments(byOf(event))}
    >
      ${l10n.t('Send comments')}${keyCap('S')}
    </button>`;
  }

  private edit(isUnsaved?: true): void {
    const { permission } = this.entry();
    if (permission.state !== 'asked' || this.isSent) return;
    const { context, session } = this.scope;
    context.post({ type: 'editProposal', session, request: permission.request, ...compact({ isUnsaved }) });
  }

  private allowEdited(by: By): void {
    this.answerProposal('allowProposal', by, l10n.t('allows in a moment'));
  }

  private sendComments(by: By): void {
    this.answerProposal('sendPlanComments', by, l10n.t('rejects in a moment'));
  }

  /** Answers the request with what the user made of the proposal. */
  private answerProposal(type: 'allowProposal' | 'sendPlanComments', by: By, words: string): void {
    const { permission } = this.entry();
    if (permission.state !== 'asked') return;
    const { request } = permission;
    this.press(by, { on: type, words }, () => {
      this.isSent = true;
      const { context, session } = this.scope;
      context.post({ type, session, request });
      this.draw();
    });
  }

  /** Renders the button that leads to the message, whose text goes with the rejection. */
  private replyButton(options: readonly PermissionOption[]): TemplateResult | typeof nothing {
    if (rejection(options) === undefined) return nothing;
    return html`<button type="button" class="btn link reply" ?disabled=${this.isSent} @click=${() => this.reply()}>
      ${l10n.t('Reject and say why…')}${keyCap('R')}
    </button>`;
  }

  /** Moves the focus to the message. With a text in it, the reject button sends both. */
  private reply(): void {
    const { context } = this.scope;
    context.announce(l10n.t('Write what to do instead. {0} rejects the request and sends it.', chordLabel(replyKey)));
    context.focusMessage();
  }

  private ruleFor(request: RequestKey): RequestRule {
    const { context, session } = this.scope;
    return new RequestRule(request, {
      offer: (answer) => context.post({ type: 'offerRules', session, request, answer }),
      save: (rule, scope) => context.post({ type: 'saveRule', session, request, scope, rule }),
      draw: () => this.draw(),
      closed: (answer) => this.ruleButton(answer)?.focus(),
    });
  }

  /** Renders the buttons for rules. They are quieter than the agent's options, and after them. */
  private ruleButtons({ permission }: ToolCallEntry): TemplateResult | typeof nothing {
    if (permission.state !== 'asked' || !permission.takesRules?.length) return nothing;
    const { takesRules } = permission;
    const isOver = () => this.inert.isOver && !this.isSent;
    const takesReject =
      takesRules.includes('reject_once') && permission.options.some(({ kind }) => kind === 'reject_once');
    const row = takesAllowRule({ permission }) ? this.rule?.row(this.isSent, isOver, takesReject) : undefined;
    if (row) return row;
    const of = (kind: PermissionOption['kind']) => permission.options.filter((option) => option.kind === kind);
    const button = (answer: 'allow_once' | 'reject_once', label: string) =>
      html`<button
        type="button"
        class="btn link sm"
        data-rule=${answer}
        ?disabled=${this.isSent}
        @click=${() => this.rule?.show(answer)}
      >
        ${label}
      </button>`;
    return html`<div class="btns more">
      ${takesAllowRule({ permission }) ? button('allow_once', l10n.t('Always allow…')) : nothing}${
        takesRules.includes('reject_once') && of('reject_once').length > 0
          ? button('reject_once', l10n.t('Always reject…'))
          : nothing
      }
    </div>`;
  }

  private focusRule(): void {
    const form = this.element.querySelector<HTMLElement>('.rule');
    (form?.querySelector<HTMLElement>('input, textarea, select') ?? form?.querySelector('button'))?.focus();
  }

  private onKey(event: KeyboardEvent): void {
    if (this.rule?.open !== undefined && event.target instanceof Element && event.target.closest('.rule')) {
      // What is typed there answers nothing.
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      this.rule.close();
      return;
    }
    const letter = event.ctrlKey || event.metaKey || event.altKey || event.isComposing ? '' : event.key.toLowerCase();
    const act = this.actionAt(letter);
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      act();
      return;
    }
    this.answerByKey(event, false);
  }

  /** Returns what a letter does in this request. */
  private actionAt(letter: string): (() => void) | undefined {
    const entry = this.entry();
    const { permission } = entry;
    if (permission.state !== 'asked' || this.isSent) return undefined;
    if (letter === 'e' && permission.takesEdit === true) return () => this.edit();
    if (letter === 's' && takesComments(entry)) return () => this.sendComments('key');
    return letter === 'r' && rejection(permission.options) !== undefined ? () => this.reply() : undefined;
  }

  /**
   * Answers with the option whose key was pressed. A key pressed in the message allows nothing that is destructive, because it may have been
   * meant for a text.
   */
  answerByKey(event: KeyboardEvent, isInMessage: boolean): void {
    const { permission } = this.entry();
    if (permission.state !== 'asked' || event.isComposing || event.repeat) return;
    const { options, risks = [] } = permission;
    if (isReplyChord(event)) {
      const option = rejection(options);
      if (!option || !this.scope.context.hasMessage) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(option, 'key', true);
      return;
    }
    const chord = chordOf(event);
    const isNumber = /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
    const option = chord ? answerOf(options, chord) : isNumber ? options[Number(event.key) - 1] : undefined;
    if (!option) return;
    const isRisky = risks.length > 0 && !option.kind.startsWith('reject');
    if (isRisky && (chord !== undefined || isInMessage)) return;
    // Until the request is ready, a number typed in the message is text.
    if (isInMessage && isNumber && !this.inert.isOver) return;
    event.preventDefault();
    event.stopPropagation();
    // A number chooses what the agent offers. The key that allows means what the user wants to allow.
    if (chord === 'allow' && permission.isEdited === true) this.allowEdited('key');
    else this.choose(option, 'key');
  }

  /** Answers the request. With `withMessage`, what is typed goes to the agent as well; if it can't be sent, nothing is answered. */
  private choose(option: PermissionOption, by: By, withMessage = false): void {
    const { permission } = this.entry();
    if (permission.state !== 'asked') return;
    const { request } = permission;
    const words = option.kind.startsWith('reject') ? l10n.t('rejects in a moment') : l10n.t('allows in a moment');
    this.press(by, { on: option.optionId, words }, () => {
      const { context, session } = this.scope;
      const reply = withMessage ? context.takeMessage() : undefined;
      if (withMessage && !reply) return;
      this.isSent = true;
      context.post({ type: 'answerPermission', session, request, optionId: option.optionId, ...compact({ reply }) });
      this.draw();
    });
  }

  /** Does what a press asks for, if the request is still the one that it was meant for, and tells what became of a press that doesn't count at once. */
  private press(by: By, held: HeldPress, act: () => void): void {
    if (this.isSent) return;
    const pressed = this.shownRequest;
    const result = this.inert.press(by, () => {
      const { permission } = this.entry();
      if (permission.state === 'asked' && permission.request === pressed && !this.isSent) act();
    });
    if (result === 'refused') {
      this.scope.context.announce(l10n.t('This request has just appeared. Read it, and press again.'));
    } else if (result === 'held') {
      this.heldPress = held;
      this.scope.context.announce(l10n.t('{0}, Escape takes it back', held.words));
      this.draw();
    }
  }

  private showHeld(isHeld: boolean): void {
    if (isHeld || !this.heldPress) return;
    this.heldPress = undefined;
    this.draw();
  }

  /** Whether a click on the reject button sends what is typed, as the button says then. */
  private sendsMessage(option: PermissionOption): boolean {
    if (option.kind !== 'reject_once' || !this.element.hasAttribute(keyedAttribute)) return false;
    return this.scope.context.hasMessage;
  }

  /** Renders the button that dismisses a request without options. */
  private cancelButton(): TemplateResult {
    return html`<button
      type="button"
      class="btn"
      ?disabled=${this.isSent}
      @click=${(event: MouseEvent) => this.cancelTurn(byOf(event))}
    >
      ${l10n.t('Stop turn')}
    </button>`;
  }

  private cancelTurn(by: By): void {
    this.press(by, { on: 'cancelTurn', words: l10n.t('stops in a moment') }, () => {
      this.isSent = true;
      this.scope.context.post({ type: 'cancelTurn', session: this.scope.session });
      this.draw();
    });
  }

  /** Returns the question, and the keys that answer it from the message if no earlier request has them. */
  private announcement(entry: ToolCallEntry): string {
    const sentence = this.sentence(entry);
    const { permission } = entry;
    const { order, entries } = this.scope.transcript;
    const oldest = order.find((id) => isOpenPermission(entries.get(id)));
    if (permission.state !== 'asked' || oldest !== entry.id) return sentence;
    const { options, risks = [] } = permission;
    const allows = risks.length === 0 && answerOf(options, 'allow') !== undefined;
    const rejects = answerOf(options, 'reject') !== undefined;
    const [allow, reject] = [chordLabel(allowKey), chordLabel(rejectKey)];
    if (allows && rejects) return l10n.t('{0} {1} allows, {2} rejects.', ended(sentence), allow, reject);
    if (allows) return l10n.t('{0} {1} allows.', ended(sentence), allow);
    return rejects ? l10n.t('{0} {1} rejects.', ended(sentence), reject) : sentence;
  }

  private sentence(entry: ToolCallEntry): string {
    if (entry.asks) return entry.asks.question;
    const { agentName } = this.scope.transcript.view;
    const command = askedCommand(entry);
    const risks = (entry.permission.state === 'asked' ? entry.permission.risks : undefined) ?? [];
    if (command !== undefined && risks.length > 0)
      return l10n.t(
        '{0} wants to run {1}. Warning: {2}',
        agentName,
        beginning(command),
        risks.map(riskWords).join(', '),
      );
    if (command !== undefined) return l10n.t('{0} wants to run {1}', agentName, beginning(command));
    // The card's own question, if it says what this is about.
    const question = requestQuestion(entry, this.scope.transcript.view);
    const isNamed = singlePath(entry) !== undefined || editorToolQuestion(entry, agentName) === question;
    return isNamed ? question : l10n.t('{0} asks: {1}', agentName, plainTitle(entry.title));
  }
}

/** Whether a rule of Parley's can allow requests like this one. If several options allow, the choice is the user's. */
function takesAllowRule({ permission }: Pick<ToolCallEntry, 'permission'>): boolean {
  if (permission.state !== 'asked' || permission.takesRules?.includes('allow_once') !== true) return false;
  return permission.options.filter(({ kind }) => kind === 'allow_once').length === 1;
}

/** The option that rejects this request alone. */
function rejection(options: readonly PermissionOption[]): PermissionOption | undefined {
  return options.find(({ kind }) => kind === 'reject_once');
}

/** Whether the user has comments on a plan, or changes in it, that can go with a rejection. */
function takesComments({ permission, toolKind }: ToolCallEntry): boolean {
  if (toolKind !== 'switch_mode' || permission.state !== 'asked') return false;
  return permission.isEdited === true && rejection(permission.options) !== undefined;
}

function isOpenPermission(entry: Entry | undefined): boolean {
  return entry?.kind === 'tool_call' && entry.permission.state === 'asked';
}

/** A click without a pointer comes from a key: the button has the focus. */
function byOf({ detail }: MouseEvent): By {
  return detail === 0 ? 'key' : 'pointer';
}

function keyCap(key: string | undefined): TemplateResult | typeof nothing {
  return key === undefined ? nothing : html`<kbd aria-hidden="true">${chordLabel(key)}</kbd>`;
}

/** Returns a sentence with a mark at its end, so that another can follow. */
function ended(sentence: string): string {
  return /[.?!。？！]$/u.test(sentence) ? sentence : `${sentence}.`;
}

/** Returns the beginning of a long command, because screen readers read an alert to its end. The request contains the full command. */
function beginning(command: string): string {
  return command.length > 200 ? `${command.slice(0, 200)}…` : command;
}

/** Returns a line that says the agent changed its request after asking. Empty if it didn't, or while the request is open. */
export function changeLine({ permission }: ToolCallEntry): string {
  const isChanged = permission.state !== 'none' && permission.state !== 'asked' && permission.changed !== undefined;
  return isChanged ? l10n.t('The agent changed this request after asking') : '';
}

function changeTitle(agent: string): string {
  return l10n.t('{0} changed this request after asking', agent);
}

/** Renders the changes the agent made since asking. The original request stays above. */
function changeNote(entry: ToolCallEntry, changed: ChangedCall, scope: EntryScope): TemplateResult {
  return html`<div class="changed" role="note">
    <strong>${changeTitle(scope.transcript.view.agentName)}</strong>
    <span>${l10n.t('Your answer applies to the original request.')}</span>
    <ul>
      ${changeRows(entry, changed).map(
        ({ label, before, after }) =>
          html`<li>
            <span>${label}</span> <del>${before}</del> <span aria-hidden="true">→</span> <ins>${after}</ins>
          </li>`,
      )}
    </ul>
  </div>`;
}

/** Returns the answer to the request as a line. Empty while it is open, or if there was none. */
export function answerLine(entry: ToolCallEntry): string {
  const { permission } = entry;
  if (permission.state === 'cancelled')
    return permission.programLeft ? l10n.t('The program stopped waiting') : l10n.t('Request cancelled');
  if (permission.state !== 'answered') return '';
  const { kind, name } = permission.option;
  if (permission.by === 'everything') return l10n.t('Allowed because everything is allowed in this session');
  if (permission.by === 'inSandbox') return l10n.t('Allowed because it stays inside the sandbox');
  if (permission.by === 'rule') return ruleLine(kind.startsWith('allow'), permission.rule);
  // Only the agent knows the meaning of other kinds of options.
  if (kind === 'unknown') return l10n.t('You chose “{0}”', name);
  if (permission.isEdited) return l10n.t('You allowed your version of this');
  if (kind.startsWith('allow')) return l10n.t('You allowed this ({0})', name);
  const { reply } = permission;
  // The message itself follows as the user's own.
  return reply === undefined ? l10n.t('You rejected this') : l10n.t('You rejected this and wrote a message');
}

/** An answer in few words. `by` is absent if the user gave it. */
export interface ShortAnswer {
  readonly words: string;
  readonly by?: string;
}

/** Returns the answer to the request for a row, whose status already says whether the request was cancelled. */
export function shortAnswer({ permission }: ToolCallEntry): ShortAnswer | undefined {
  if (permission.state !== 'answered') return undefined;
  const { kind, name } = permission.option;
  if (permission.isEdited) return { words: l10n.t('your version allowed') };
  const words = kind.startsWith('allow') ? l10n.t('allowed') : l10n.t('rejected');
  if (permission.by === 'rule') return { words, by: l10n.t('by rule') };
  return { words: kind === 'unknown' && permission.by === 'you' ? `“${name}”` : words };
}

function ruleLine(isAllowed: boolean, rule: string | undefined): string {
  if (rule === undefined) return isAllowed ? l10n.t('Allowed by a rule') : l10n.t('Rejected by a rule');
  return isAllowed ? l10n.t('Allowed by rule: {0}', rule) : l10n.t('Rejected by rule: {0}', rule);
}

/** Returns words of the agent that hide nothing and leave room for the answers. */
function agentText(text: string): string {
  return shortenMiddle(showHidden(text.trim()), 1000);
}

/** Renders the agent's own words for its request. */
function ownLine(entry: ToolCallEntry, cwd: string): TemplateResult | typeof nothing {
  const lines = ownLines(entry, cwd);
  if (lines.length === 0) return nothing;
  return html`<div class="words">${lines.map((line) => html`<div>${agentText(line)}</div>`)}</div>`;
}

/** Renders what a destructive request does. */
function riskLine(risk: RiskView): TemplateResult {
  const { command } = risk;
  return html`<div class="risk" role="note">
    ${icon('warning', 'attn')}<span
      >${riskWords(risk)}${
        command === undefined ? nothing : html`: <code>${showHiddenOnOneLine(shortenMiddle(command, 200))}</code>`
      }</span
    >
  </div>`;
}

/** Renders where and how a command would run. Folder, shell, and variables that the request sets itself are spelled out. */
function facts(entry: ToolCallEntry, scope: EntryScope): TemplateResult | typeof nothing {
  const { cwd } = scope.transcript.view;
  const { commands, folders, environment } = actionOf(entry);
  if (entry.toolKind !== 'execute' && commands.length === 0) return nothing;
  const others = folders.filter((folder) => !isSameFolder(folder, cwd));
  const shells = new Set(commands.flatMap(({ shell }) => (shell === undefined ? [] : [shell])));
  return html`<div class="facts">
    ${
      others.length === 0 && cwd !== ''
        ? html`<span>${icon('folder')}<span>${showPath(cwd, '').name}</span></span>`
        : others.map((folder) => fact(l10n.t('Folder: {0}', factText(folder))))
    }${[...shells].map((shell) => html`<span>${l10n.t('Shell: {0}', factText(shell))}</span>`)}${environment.map(
      ({ name, value }) => fact(l10n.t('Environment: {0}', factText(`${name}=${value}`))),
    )}
  </div>`;
}

function fact(text: string): TemplateResult {
  return html`<span class="own">${text}</span>`;
}

function factText(text: string): string {
  return showHiddenOnOneLine(shortenMiddle(text, 300));
}

function isSameFolder(folder: string, cwd: string): boolean {
  const plain = (path: string) => path.replaceAll('\\', '/').replace(/\/+$/, '');
  return folder === '.' || plain(folder) === plain(cwd);
}
