import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { wasRejected } from '../../src/shared/openQuestion';
import type { TerminalId } from '../../src/shared/ids';
import type { Entry, TerminalView, ToolCallEntry } from '../../src/shared/transcript';
import { AskedBlock } from './askedBlock';
import { actionOf, askedText, type AskedText } from './askedText';
import { EntryView, type EntryScope } from './entryView';
import { answerLine, PermissionView } from './permission';
import { rawParts, unseenInput } from './rawParts';
import { diffLimits, ToolBody } from './toolBody';
import { toolFoot } from './toolFoot';
import { toolHead } from './toolHead';
import { plainTitle, singlePath, toolLabel, type ToolLabel } from './toolLabel';

/** What raw values are drawn from. */
const rawFields = ['rawInput', 'rawOutput', 'content', 'permission'] as const;

/** A tool call: one quiet line, or a card with what it did, what it asks, and the calls made on its behalf. */
export class ToolCallView extends EntryView {
  entry: ToolCallEntry;
  /** Where the calls of a subagent stand. */
  readonly children = document.createElement('div');
  private readonly head = document.createElement('div');
  private readonly foot = document.createElement('div');
  private readonly raw = document.createElement('div');
  private body: ToolBody | undefined;
  private askedBlock: AskedBlock | undefined;
  /** What is asked about, where the header cannot hold it: one value decides what stands in the header and what below. */
  private asked: AskedText | undefined;
  private question: PermissionView | undefined;
  private rawOf: ToolCallEntry | undefined;
  /** Open by itself so far; stays so while folding would pull something from under the user's hand. */
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

  /** Whether it is to be drawn again when a terminal has its first output. */
  get hidesTerminal(): boolean {
    return this.body?.hidesTerminal === true;
  }

  get isOpen(): boolean {
    return this.scope.context.isExpanded(this.key) ?? this.isOpenByItself();
  }

  /** What the user's folding is remembered by. A request opens its card anew, also where the call was folded before. */
  private get key(): string {
    const { id, permission } = this.entry;
    return permission.state === 'asked' ? `${id} ${permission.request}` : id;
  }

  /** Makes sure that the open request is on the page, now. */
  showRequest(): void {
    if (!this.isOpen) this.scope.context.setExpanded(this.key, true);
    this.step();
  }

  set(entry: Entry): void {
    if (entry.kind !== 'tool_call') return;
    this.entry = entry;
    // The row that this may be folded in looks for them, and may be drawn first.
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
    this.element.classList.toggle('wraps', isOpen && isAsking && this.asked === undefined);
    this.drawHead(isOpen, label);
    this.drawCard(isOpen && this.hasCard(isAsking), isAsking);
    this.children.hidden = this.children.childElementCount === 0 || !this.showsChildren(isOpen);
    return true;
  }

  override toggle(): boolean {
    // What the user saw: news that came since the last frame may have folded or unfolded it.
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
    if (entry.permission.state === 'asked') return true;
    if (entry.status === 'cancelled' || wasRejected(entry)) return this.wasOpen && !this.scope.mayFold(this.element);
    if (entry.status === 'failed' || entry.content.some(({ type }) => type === 'diff')) return true;
    // Some agents never say `in_progress`: what has something to show runs.
    if (entry.status !== 'completed' && entry.toolKind === 'execute' && entry.content.length > 0) return true;
    if (entry.status !== 'completed' && this.children.childElementCount > 0) return true;
    return this.wasOpen && !this.scope.mayFold(this.element);
  }

  /** A subagent's row without anything of its own stays a row; its steps stand below it. */
  private hasCard(isAsking: boolean): boolean {
    if (isAsking || this.children.childElementCount === 0) return true;
    return this.entry.content.length > 0 || this.scope.context.isExpanded(this.entry.id) === true;
  }

  private showsChildren(isOpen: boolean): boolean {
    // A step that asks or failed must not hide in a folded row.
    return isOpen || this.children.querySelector('.asking, .failed') !== null;
  }

  private drawBody(): void {
    const { entry } = this;
    this.body ??= new ToolBody(this.scope, () => this.refresh());
    const isAsking = entry.permission.state === 'asked';
    const isChosen = this.scope.context.isExpanded(entry.id) === true;
    this.body.set(entry, isAsking ? diffLimits.asking : isChosen ? diffLimits.opened : diffLimits.byItself);
    this.body.element.classList.toggle('asked', isAsking);
  }

  private drawHead(isOpen: boolean, label: ToolLabel): void {
    const { entry, terminal } = this;
    const isRunning = terminal?.exit.state === 'running';
    render(
      toolHead({
        entry,
        label,
        isOpen,
        hidesCommand: this.asked?.isCommand === true,
        counts: this.body?.counts,
        terminal,
        answer: answerLine(entry),
        steps: this.children.childElementCount,
        now: Date.now(),
        spins: this.scope.mayAnimate(this),
        toggle: () => this.toggle(),
        // A terminal that only the agent sees has no process here that could be stopped.
        stop: isRunning && terminal.driver !== 'agent' ? () => this.postTerminal('stopTerminal', terminal) : undefined,
        openTerminal:
          isRunning && isOpen && !this.hidesTerminal ? () => this.postTerminal('openTerminal', terminal) : undefined,
      }),
      this.head,
    );
  }

  private drawCard(isOpen: boolean, isAsking: boolean): void {
    const parts: HTMLElement[] = [];
    if (isOpen) {
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
    // Nodes that stay are not touched: taking them out and putting them back would lose focus and scroll position.
    const current = [...this.element.children].filter((child) => child !== this.head && child !== this.children);
    for (const child of current) if (!parts.includes(child as HTMLElement)) this.take(child);
    let before: Element = this.head;
    for (const part of parts) {
      if (before.nextElementSibling !== part) before.after(part);
      before = part;
    }
  }

  /** Takes a part out of the card; a focus in it goes to the transcript instead of nowhere. */
  private take(child: Element): void {
    const hadFocus = child.contains(document.activeElement);
    child.remove();
    if (hadFocus) this.element.closest<HTMLElement>('[role=feed]')?.focus({ preventScroll: true });
  }

  /** Raw values show when somebody asks for them, or when there is nothing better: nobody is to allow what they cannot see. */
  private drawRaw(): boolean {
    const { entry } = this;
    const isChosen = this.scope.context.isExpanded(`${entry.id} raw`);
    const isShown =
      entry.permission.state === 'asked'
        ? isChosen === true || this.needsInput()
        : (isChosen ?? entry.content.length === 0);
    if (!isShown) return false;
    const { rawOf } = this;
    this.rawOf = entry;
    // What is read stays as it is, scrolled to where it was, while other things about the call change.
    if (!rawOf || rawFields.some((field) => rawOf[field] !== entry[field])) {
      this.raw.classList.toggle('asked', entry.permission.state === 'asked');
      this.raw.replaceChildren(...rawParts(entry));
    }
    return this.raw.childElementCount > 0;
  }

  /** Whether an open question has to show its raw input: nothing else says what is to be allowed. */
  private needsInput(): boolean {
    const { entry } = this;
    if (!actionOf(entry).isComplete || namesMore(entry)) return true;
    if (this.asked?.isCommand || (entry.toolKind === 'read' && singlePath(entry) !== undefined)) return false;
    if (entry.content.some(({ type }) => type === 'diff')) return false;
    return entry.content.length === 0 || unseenInput(entry) !== undefined;
  }

  private drawFoot(): boolean {
    const { terminal } = this;
    const key = `${this.entry.id} raw`;
    const showsRaw = this.scope.context.isExpanded(key) ?? false;
    const foot = toolFoot({
      entry: this.entry,
      cwd: this.scope.transcript.view.cwd,
      terminal,
      showsRaw,
      output: terminal && this.scope.terminalOutput(terminal.terminalId),
      toggleRaw: () => {
        this.scope.context.setExpanded(key, !showsRaw);
        this.refresh();
      },
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

/** Whether a request names places that nothing but its input shows: neither its diffs, nor its locations, nor the folder of its command. */
function namesMore(entry: ToolCallEntry): boolean {
  const { paths, folders } = actionOf(entry);
  const shown = [
    ...entry.locations.map(({ path }) => path),
    ...entry.content.flatMap((item) => (item.type === 'diff' ? [item.path] : [])),
    ...folders,
  ].map(forward);
  const isShown = (path: string) => shown.some((one) => one === path || one.endsWith(`/${path}`));
  return entry.toolKind !== 'execute' && !paths.map(forward).every(isShown);
}

function forward(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}
