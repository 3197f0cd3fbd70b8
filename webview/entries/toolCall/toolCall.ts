import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { changedPaths } from '../../../src/shared/transcript/fileChange';
import { wasRejected } from '../../../src/shared/transcript/openQuestion';
import type { TerminalId } from '../../../src/shared/values/ids';
import type { Entry, TerminalView, ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { isUnfinished } from '../../../src/shared/transcript/toolCallStatus';
import { showHiddenOnOneLine } from '../../../src/shared/text/visibleText';
import { AskedBlock } from '../request/askedBlock';
import { actionOf, askedText, type AskedText } from '../request/askedText';
import { EntryView, type EntryScope } from '../view/entryView';
import { answerLine, PermissionView, shortAnswer } from '../request/permission';
import { rawParts, unseenInput } from './rawParts';
import { diffLimits, ToolBody } from './toolBody';
import { toolFoot } from './toolFoot';
import { toolHead } from './toolHead';
import { plainTitle, singlePath, toolLabel, type ToolLabel } from '../words/toolLabel';

/** The fields that raw values are drawn from. */
const rawFields = ['rawInput', 'rawOutput', 'content', 'permission'] as const;

/** A tool call: a single line, or a card with its output, its request, and the calls made on its behalf. */
export class ToolCallView extends EntryView {
  entry: ToolCallEntry;
  /** The container of a subagent's calls. */
  readonly children = document.createElement('div');
  private readonly head = document.createElement('div');
  private readonly foot = document.createElement('div');
  private readonly raw = document.createElement('div');
  private body: ToolBody | undefined;
  private askedBlock: AskedBlock | undefined;
  /** The text of the request if it doesn't fit in the header. Header and body use this value, so that they agree. */
  private asked: AskedText | undefined;
  /** The path that a request is about if it doesn't fit in the header, which is one line then, and the row that shows all of it. */
  private askedPath: string | undefined;
  private path: HTMLElement | undefined;
  private question: PermissionView | undefined;
  private rawOf: ToolCallEntry | undefined;
  /** Whether it was open automatically. Stays true while folding would move something the user is using. */
  private wasOpen = false;

  constructor(scope: EntryScope, entry: ToolCallEntry) {
    super(scope);
    this.entry = entry;
    this.element.className = 'pl-tool';
    this.children.className = 'pl-kids';
    this.children.hidden = true;
    this.raw.className = 'pl-raws';
    this.element.append(this.head, this.children);
  }

  /** The request's group while one is open. */
  get permission(): PermissionView | undefined {
    return this.entry.permission.state === 'asked' ? this.question : undefined;
  }

  get terminalIds(): TerminalId[] {
    return this.entry.content.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : []));
  }

  /** Whether it must be drawn again when a terminal has its first output. */
  get hidesTerminal(): boolean {
    return this.body?.hidesTerminal === true;
  }

  get isOpen(): boolean {
    return this.scope.context.isExpanded(this.key) ?? this.isOpenByItself();
  }

  /** The key that stores whether the user folded the call. A request has its own, so its card opens even if the call was folded before. */
  private get key(): string {
    const { id, permission } = this.entry;
    if (permission.state === 'asked') return `${id} ${permission.request}`;
    return this.showsEverything ? `${id} all` : id;
  }

  private get rawKey(): string {
    return `${this.entry.id} raw${this.showsEverything ? ' all' : ''}`;
  }

  /** Whether the call, its command, or a call made on its behalf failed. */
  get hasFailed(): boolean {
    const { entry, terminal } = this;
    const exitCode = terminal?.exit.state === 'exited' ? terminal.exit.exitCode : undefined;
    if ((entry.status === 'failed' && !wasRejected(entry)) || (exitCode !== undefined && exitCode !== 0)) return true;
    return this.scope.below(entry.id).isUrgent;
  }

  /** Draws the open request immediately. */
  showRequest(): void {
    if (!this.isOpen) this.scope.context.setExpanded(this.key, true);
    this.step();
  }

  set(entry: Entry): void {
    if (entry.kind !== 'tool_call') return;
    this.entry = entry;
    // Set before drawing, because the row that contains this entry looks for it and may be drawn first.
    this.element.classList.toggle('asking', entry.permission.state === 'asked');
    this.element.classList.toggle('failed', entry.status === 'failed' && !wasRejected(entry));
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { entry } = this;
    const isOpen = this.isOpen;
    this.wasOpen = isOpen;
    const isAsking = entry.permission.state === 'asked';
    const hasDiff = entry.content.some(({ type }) => type === 'diff');
    if (isOpen || hasDiff) this.drawBody();
    this.element.setAttribute('aria-label', l10n.t('Tool call: {0}', this.title));
    this.element.classList.toggle('cancelled', entry.status === 'cancelled' || wasRejected(entry));
    this.element.classList.toggle('open', isOpen && this.hasCard(isAsking));
    const label = toolLabel(entry, this.scope.transcript.view.cwd);
    this.asked = isOpen ? askedText(entry, label) : undefined;
    this.askedPath = isOpen && isAsking ? askedPath(label) : undefined;
    const isAskedHere = isAsking && this.asked === undefined && !this.askedPath;
    this.element.classList.toggle('wraps', isOpen && (isAskedHere || isParleys(entry)));
    const hasFoot = this.drawCard(isOpen && this.hasCard(isAsking), isAsking);
    this.drawHead(isOpen, label, hasFoot);
    this.children.hidden = this.children.childElementCount === 0 || !this.showsChildren(isOpen);
    return true;
  }

  override toggle(): boolean {
    // Toggles the state that the user saw. Updates since the last frame may have changed it.
    this.scope.context.setExpanded(this.key, !this.wasOpen);
    this.refresh();
    return true;
  }

  override dispose(): void {
    this.body?.dispose();
    this.question?.dispose();
    super.dispose();
  }

  private get title(): string {
    return plainTitle(this.entry.title) === '' ? (this.entry.name ?? '') : this.entry.title;
  }

  private get terminal(): TerminalView | undefined {
    const id = this.terminalIds[0];
    return id === undefined ? undefined : this.scope.transcript.terminals.get(id);
  }

  private isOpenByItself(): boolean {
    const { entry } = this;
    if (entry.permission.state === 'asked' || this.showsEverything) return true;
    if (entry.status === 'cancelled' || wasRejected(entry)) return this.wasOpen && !this.scope.mayFold(this.element);
    if (entry.status === 'failed' || entry.blocked !== undefined) return true;
    // Below the row of several edits, each is a row.
    if (this.showsDiff() && !this.element.classList.contains('grouped')) return true;
    // Some agents never send `in_progress`, so a call with something to show counts as running.
    if (entry.status !== 'completed' && entry.toolKind === 'execute' && entry.content.length > 0) return true;
    if (entry.status !== 'completed' && this.children.childElementCount > 0) return true;
    return this.wasOpen && !this.scope.mayFold(this.element);
  }

  /** Returns whether the call is open because of its diffs. A compact transcript shows only those that wait for review. */
  private showsDiff(): boolean {
    const { context } = this.scope;
    const isWaiting = context.page.toolDetail !== 'compact' || this.entry.status !== 'completed';
    return this.entry.content.some((item) => item.type === 'diff' && (isWaiting || context.hasChanges(item.path)));
  }

  /** Returns whether the call has a card. A subagent's row without its own content stays a row, with its steps below it. */
  private hasCard(isAsking: boolean): boolean {
    if (isAsking || this.showsEverything || this.children.childElementCount === 0) return true;
    return this.entry.content.length > 0 || this.scope.context.isExpanded(this.entry.id) === true;
  }

  private showsChildren(isOpen: boolean): boolean {
    // Open requests and failures in a step must not be hidden in a folded row.
    return isOpen || this.scope.below(this.entry.id).isUrgent;
  }

  private drawBody(): void {
    const { entry } = this;
    this.body ??= new ToolBody(this.scope, () => this.refresh());
    const isAsking = entry.permission.state === 'asked';
    const isChosen = this.showsEverything || this.scope.context.isExpanded(entry.id) === true;
    this.body.set(
      entry,
      isAsking || this.showsEverything ? diffLimits.asking : isChosen ? diffLimits.opened : diffLimits.byItself,
    );
    this.body.element.classList.toggle('asked', isAsking);
  }

  private drawHead(isOpen: boolean, label: ToolLabel, hasFoot: boolean): void {
    const { entry, terminal } = this;
    const isRunning = terminal?.exit.state === 'running';
    render(
      toolHead({
        entry,
        label,
        isOpen,
        hidesCommand: this.asked?.isCommand === true,
        hidesFolder: this.askedPath !== undefined,
        counts: this.body?.counts,
        terminal,
        answer: answerLine(entry),
        shortAnswer: shortAnswer(entry),
        steps: this.scope.below(entry.id).count,
        now: Date.now(),
        spins: this.scope.mayAnimate(this),
        toggle: () => this.toggle(),
        stop: this.stop(terminal),
        openTerminal:
          isRunning && isOpen && !this.hidesTerminal ? () => this.postTerminal('openTerminal', terminal) : undefined,
        raw: isOpen && !hasFoot && this.hasRaw ? { isShown: this.showsRaw, toggle: () => this.toggleRaw() } : undefined,
      }),
      this.head,
    );
  }

  /** Returns how the call's command or the call itself is stopped. Agents can stop some of their own alone. */
  private stop(terminal: TerminalView | undefined): { label: string; act: () => void } | undefined {
    const { entry, scope } = this;
    const isRunning = terminal?.exit.state === 'running';
    if (isRunning && (terminal.driver !== 'agent' || terminal.canCancel === true)) {
      return { label: l10n.t('Stop command'), act: () => this.postTerminal('stopTerminal', terminal) };
    }
    if (entry.canCancel !== true || !isUnfinished(entry.status) || entry.permission.state === 'asked') return undefined;
    const stopWork = { type: 'stopWork', session: scope.session, toolCall: entry.toolCallId } as const;
    return { label: l10n.t('Stop this tool call'), act: () => scope.context.post(stopWork) };
  }

  /** Draws what is below the header. Returns whether a request or a footer ends it. */
  private drawCard(isOpen: boolean, isAsking: boolean): boolean {
    const parts: HTMLElement[] = [];
    if (isOpen) {
      if (this.askedPath !== undefined) {
        this.path ??= Object.assign(document.createElement('div'), { className: 'pl-path whole' });
        if (this.path.textContent !== this.askedPath) this.path.textContent = this.askedPath;
        parts.push(this.path);
      }
      if (this.asked) {
        this.askedBlock ??= new AskedBlock();
        this.askedBlock.set(this.asked);
        parts.push(this.askedBlock.element);
      }
      if (this.body && this.entry.content.length > 0 && !this.body.isBlank) parts.push(this.body.element);
      if (this.drawRaw()) parts.push(this.raw);
      if (isAsking) {
        this.question ??= new PermissionView(this.scope, () => this.entry);
        this.question.draw();
        parts.push(this.question.element);
      } else if (this.drawFoot()) {
        parts.push(this.foot);
      }
    }
    // Nodes that stay aren't touched, because reinserting them would lose focus and scroll position.
    const others: ReadonlySet<Element | undefined> = new Set([this.head, this.children, this.turnEnd]);
    const current = [...this.element.children].filter((child) => !others.has(child));
    for (const child of current) if (!parts.includes(child as HTMLElement)) this.take(child);
    let before: Element = this.head;
    for (const part of parts) {
      if (before.nextElementSibling !== part) before.after(part);
      before = part;
    }
    return isAsking || parts.includes(this.foot);
  }

  /** Whether the agent's own values can be shown beside a better view. */
  private get hasRaw(): boolean {
    const { content, rawInput, rawOutput, status } = this.entry;
    return content.length > 0 && status !== 'in_progress' && (rawInput !== undefined || rawOutput !== undefined);
  }

  private get showsRaw(): boolean {
    return this.scope.context.isExpanded(this.rawKey) ?? this.showsEverything;
  }

  private toggleRaw(): void {
    this.scope.context.setExpanded(this.rawKey, !this.showsRaw);
    this.refresh();
  }

  /** Removes a part of the card. If the part had the focus, the transcript gets it. */
  private take(child: Element): void {
    const hadFocus = child.contains(document.activeElement);
    child.remove();
    if (hadFocus) this.element.closest<HTMLElement>('[role=feed]')?.focus({ preventScroll: true });
  }

  /**
   * Draws raw values if the user opened them, or if nothing better is available, because the user must see what they allow. Returns whether
   * they are shown.
   */
  private drawRaw(): boolean {
    const { entry } = this;
    const isChosen = this.scope.context.isExpanded(this.rawKey);
    const isShown =
      entry.permission.state === 'asked'
        ? isChosen === true || this.needsInput()
        : (isChosen ?? (this.showsEverything || (entry.content.length === 0 && !this.isOverByItself)));
    if (!isShown) return false;
    const { rawOf } = this;
    this.rawOf = entry;
    // Redraws only if the values changed, so that text the user is reading stays in place.
    if (!rawOf || rawFields.some((field) => rawOf[field] !== entry[field])) {
      this.raw.classList.toggle('asked', entry.permission.state === 'asked');
      this.raw.replaceChildren(...rawParts(entry));
    }
    return this.raw.childElementCount > 0;
  }

  /** Whether a call that was rejected or cancelled is only still open because it was a request, which has shown what matters. */
  private get isOverByItself(): boolean {
    const { entry } = this;
    const isOver = wasRejected(entry) || entry.permission.state === 'cancelled';
    return isOver && this.scope.context.isExpanded(this.key) !== true;
  }

  /** Returns whether an open request must show its raw input because nothing else shows what would be allowed. */
  private needsInput(): boolean {
    const { entry } = this;
    if (!actionOf(entry).isComplete || namesMore(entry)) return true;
    if (this.asked?.isCommand || (entry.toolKind === 'read' && singlePath(entry) !== undefined)) return false;
    if (entry.content.some(({ type }) => type === 'diff' || type === 'change')) return false;
    return entry.content.length === 0 || unseenInput(entry) !== undefined;
  }

  private drawFoot(): boolean {
    const { terminal } = this;
    const foot = toolFoot({
      entry: this.entry,
      cwd: this.scope.transcript.view.cwd,
      terminal,
      showsRaw: this.showsRaw,
      output: terminal && this.scope.terminalOutput(terminal.terminalId),
      texts: this.body?.outputs ?? [],
      toggleRaw: () => this.toggleRaw(),
      showRule: (id) => this.scope.context.post({ type: 'showRule', id }),
      allowBlocked: (path) => this.scope.context.post({ type: 'allowBlocked', session: this.scope.session, path }),
      copy: (text) => this.scope.context.post({ type: 'copyText', text }),
      openTerminal: (shown) => this.postTerminal('openTerminal', shown),
    });
    this.foot.className = 'bar';
    render(foot ?? nothing, this.foot);
    return foot !== undefined;
  }

  private postTerminal(type: 'stopTerminal' | 'openTerminal', terminal: TerminalView): void {
    this.scope.context.post({ type, session: this.scope.session, terminal: terminal.terminalId });
  }
}

/** A label longer than this doesn't fit beside the state of a request on a narrow page. */
const maxAskedLabel = 20;

/** Returns the whole path that a request is about, if it is too long for the header. */
function askedPath({ path, object, folder }: ToolLabel): string | undefined {
  if (path === undefined || object.length + folder.length <= maxAskedLabel) return undefined;
  return showHiddenOnOneLine(path);
}

/** Returns whether a request contains paths that only its input shows, and not its diffs, locations, or the command's folder. */
function namesMore(entry: ToolCallEntry): boolean {
  const { paths, folders } = actionOf(entry);
  const shown = [...entry.locations.map(({ path }) => path), ...entry.content.flatMap(changedPaths), ...folders].map(
    forward,
  );
  const isShown = (path: string) => shown.some((one) => one === path || one.endsWith(`/${path}`));
  return entry.toolKind !== 'execute' && !paths.map(forward).every(isShown);
}

function forward(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

/** Whether Parley runs the command, such as the check after a turn. Nothing but its title says which one it is. */
function isParleys({ toolCallId }: ToolCallEntry): boolean {
  return toolCallId.startsWith('parley:');
}
