import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { RequestKey } from '../../../src/shared/values/ids';
import type {
  ChangedCall,
  Entry,
  PermissionOption,
  RiskView,
  ToolCallEntry,
} from '../../../src/shared/transcript/transcript';
import { compact } from '../../../src/shared/values/decodeValue';
import { riskWords } from '../../../src/shared/permissions/ruleWords';
import { shortenMiddle, showHidden, showHiddenOnOneLine } from '../../../src/shared/text/visibleText';
import { icon } from '../../base/icon';
import { hasOpenMenu, openMenu, type MenuItem } from '../../base/menu';
import { showPath } from '../../base/paths';
import type { EntryScope } from '../view/entryView';
import { Inert } from '../../base/inert';
import { actionOf, askedCommand } from './askedText';
import { changeRows } from './changedCall';
import { buttonName, drawnAnswers, type DrawnAnswers } from './drawnAnswers';
import { RequestRule } from './requestRule';
import { optionName } from '../words/optionName';
import { ownLines, requestQuestion } from '../words/requestQuestion';
import { editorToolQuestion } from '../words/editorToolWords';
import { plainTitle, singlePath } from '../words/toolLabel';
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
  private closeMenu: (() => void) | undefined;
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
    const { request, options, changed, risks = [] } = entry.permission;
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
    const isForming = this.rule?.open !== undefined;
    render(
      html`${changed ? changeNote(entry, changed, this.scope) : nothing}
        <div class="q">${requestQuestion(entry, this.scope.transcript.view)}</div>
        ${ownLine(entry, this.scope.transcript.view.cwd)} ${risks.map(riskLine)} ${facts(entry, this.scope)}
        ${options.length > 0 ? nothing : html`<div>${l10n.t('The agent offers no options. Stop the turn to continue.')}</div>`}
        ${isForming ? this.rule?.render() : this.answers(entry)}
        <div class="wait" aria-hidden="true">${this.heldPress?.words ?? l10n.t('just appeared')}</div>`,
      this.element,
    );
  }

  /** Renders the buttons of a request: two of every request, or one per option, and the menu with all other answers. */
  private answers(entry: ToolCallEntry): TemplateResult {
    const { permission } = entry;
    if (permission.state !== 'asked') return html``;
    const { options, risks = [], isEdited = false } = permission;
    const drawn = drawnAnswers(options, entry.asks !== undefined);
    // What is destructive must not look recommended.
    const primary = risks.length > 0 || isEdited ? undefined : options.find(({ kind }) => kind === 'allow_once');
    const hasComments = takesComments(entry);
    const items = this.menuItems(entry, drawn);
    return html`<div class="opts ${drawn.isPlain ? 'plain' : ''}">
      ${options.length > 0 ? nothing : this.cancelButton()}${isEdited ? this.allowEditedButton(risks.length === 0) : nothing}${
        hasComments ? this.commentsButton() : nothing
      }${drawn.buttons
        .filter((option) => !isReplaced(option, entry, drawn))
        .map((option) => this.optionButton(option, drawn, option === primary))}${
        items.length === 0 ? nothing : this.moreButton()
      }
    </div>`;
  }

  private optionButton(option: PermissionOption, drawn: DrawnAnswers, isPrimary: boolean): TemplateResult {
    const { permission } = this.entry();
    if (permission.state !== 'asked') return html``;
    const { options, risks = [], isEdited = false } = permission;
    const isAllowing = option === answerOf(options, 'allow') && risks.length === 0 && !isEdited;
    const chord = option === answerOf(options, 'reject') ? rejectKey : isAllowing ? allowKey : undefined;
    const number = options.indexOf(option) + 1;
    const whose = this.whoseWords(option);
    return html`<button
      type="button"
      class="btn ${isPrimary ? 'primary' : ''} ${this.heldPress?.on === option.optionId ? 'held' : ''}"
      aria-description=${whose ?? nothing}
      title=${optionName(option) !== buttonName(option, drawn) ? optionName(option) : nothing}
      ?disabled=${this.isSent}
      @click=${(event: MouseEvent) => this.choose(option, byOf(event), this.sendsMessage(option))}
    >
      ${drawn.isPlain || number > 9 ? nothing : keyCap(String(number))}${this.label(option, buttonName(option, drawn), whose)}${keyCap(chord)}
    </button>`;
  }

  /** Renders the button of the menu with all answers that aren't buttons. */
  private moreButton(): TemplateResult {
    const label = l10n.t('More answers');
    return html`<button
      type="button"
      class="btn more"
      data-more
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label=${label}
      title=${label}
      ?disabled=${this.isSent}
      @click=${(event: Event) => this.openMenu(event.currentTarget as HTMLElement)}
    >
      ${icon('chevron-down')}
    </button>`;
  }

  private openMenu(button: HTMLElement): void {
    const entry = this.entry();
    const { permission } = entry;
    if (permission.state !== 'asked' || hasOpenMenu(button)) return;
    const items = this.menuItems(entry, drawnAnswers(permission.options, entry.asks !== undefined));
    const { request } = permission;
    // An answer is meant for the request that the menu was opened for.
    const isSame = () => {
      const { permission: now } = this.entry();
      return now.state === 'asked' && now.request === request && !this.isSent;
    };
    const guarded = items.map((item) => ({ ...item, run: () => (isSame() ? item.run() : undefined) }));
    this.closeMenu = openMenu(button, l10n.t('More answers'), guarded, { isBelow: true });
  }

  /** Returns what the menu holds: what Parley remembers, what the agent offers, and answers in the user's own words. */
  private menuItems(entry: ToolCallEntry, drawn: DrawnAnswers): readonly MenuItem[] {
    const { permission, toolKind } = entry;
    if (permission.state !== 'asked') return [];
    const { options, takesEdit, takesRules = [], hasUnsaved } = permission;
    const takesReject = takesRules.includes('reject_once') && rejection(options) !== undefined;
    const rules: readonly MenuItem[] = [
      ...(takesAllowRule(entry)
        ? [
            {
              label: l10n.t('Always allow…'),
              key: 'A',
              run: () => this.rule?.show('allow_once'),
              ...compact({ detail: this.rule?.quickWords() }),
            },
          ]
        : []),
      ...(takesReject ? [{ label: l10n.t('Always reject…'), run: () => this.rule?.show('reject_once') }] : []),
    ];
    const offered = options
      .filter((option) => drawn.menu.includes(option) || isReplaced(option, entry, drawn))
      .map((option): MenuItem => {
        const number = options.indexOf(option) + 1;
        return {
          label: optionName(option),
          run: () => this.choose(option, 'key'),
          ...compact({ key: number > 9 ? undefined : String(number), detail: this.whoseWords(option) }),
        };
      });
    const words: readonly MenuItem[] = [
      ...(takesEdit === true
        ? [
            {
              label: toolKind === 'switch_mode' ? l10n.t('Open plan…') : l10n.t('Edit…'),
              key: 'E',
              run: () => this.edit(),
            },
          ]
        : []),
      ...(takesEdit === true && hasUnsaved === true
        ? [{ label: l10n.t('Reopen my version…'), run: () => this.edit(true) }]
        : []),
      ...(rejection(options) === undefined
        ? []
        : [{ label: l10n.t('Reject with a reason…'), key: 'R', run: () => this.reply() }]),
    ];
    return [
      ...grouped(rules, l10n.t('Parley remembers')),
      ...grouped(offered, l10n.t('{0} offers', this.scope.transcript.view.agentName)),
      ...(rules.length + offered.length === 0 ? words : grouped(words, '')),
    ];
  }

  /** Must be called after each layout that may have moved the options. If they moved, they ignore clicks for a moment. */
  checkPlace(): void {
    this.inert.checkPlace();
  }

  dispose(): void {
    this.closeMenu?.();
    this.listener.dispose();
    this.inert.dispose();
  }

  /** Returns who remembers an answer that counts beyond this request. */
  private whoseWords({ kind }: PermissionOption): string | undefined {
    // An option that approves a plan starts a mode, and is over with it.
    if (this.entry().toolKind === 'switch_mode') return undefined;
    if (kind !== 'allow_always' && kind !== 'reject_always') return undefined;
    return l10n.t('{0} remembers', this.scope.transcript.view.agentName);
  }

  /** Renders an option's name. While a message is typed, rejecting sends it along, and the button says so. */
  private label({ kind }: PermissionOption, name: string, whose: string | undefined): TemplateResult {
    // Who remembers it isn't part of the option's name.
    if (kind !== 'reject_once')
      return html`<span
        >${name}${whose === undefined ? nothing : html` <small class="whose" aria-hidden="true">(${whose})</small>`}</span
      >`;
    return html`<span class="bare">${name}</span
      ><span class="typed">${l10n.t('Reject and send message')} ${keyCap(replyKey)}</span>`;
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
      class="btn"
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
      closed: () => this.element.querySelector<HTMLElement>('[data-more]')?.focus(),
    });
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
    if (letter === 'a' && takesAllowRule(entry)) return () => this.rule?.show('allow_once');
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
    // While the form of a rule is open, its buttons aren't there.
    if (this.rule?.open !== undefined) return;
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
    const isNumber =
      /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && this.hasNumbers(event);
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

  /** Whether a number chooses an option: where the buttons show it, or the request itself has the focus. */
  private hasNumbers({ target }: KeyboardEvent): boolean {
    const { permission } = this.entry();
    if (permission.state !== 'asked') return false;
    return !drawnAnswers(permission.options).isPlain || (target instanceof Node && this.element.contains(target));
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

/** Whether the user's own version or comments take the place of an option's button. It is in the menu then. */
function isReplaced({ kind }: PermissionOption, entry: ToolCallEntry, { isPlain }: DrawnAnswers): boolean {
  if (!isPlain || entry.permission.state !== 'asked' || entry.permission.isEdited !== true) return false;
  return kind.startsWith('allow') || takesComments(entry);
}

/** Returns a group of a menu, with its heading above its first entry. */
function grouped(items: readonly MenuItem[], group: string): readonly MenuItem[] {
  return items.map((item, at) => (at === 0 ? { ...item, group } : item));
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
