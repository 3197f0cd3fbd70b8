import { isUnfinished } from '../../../src/shared/transcript/toolCallStatus';
import { html, nothing, render } from 'lit-html';
import * as l10n from '@vscode/l10n';
import type { PageContext } from '../../state/pageContext';
import { stepWords } from '../../entries/words/stepWords';
import { ThoughtView } from '../../entries/message/thought';
import { ToolCallView } from '../../entries/toolCall/toolCall';
import { editsOf, isDoneEdit, isQuiet, summaryOf } from '../../entries/words/toolLabel';
import { linesOf, type TurnWork } from '../../entries/view/turnWork';
import { icon } from '../../base/icon';

/** A tool call or a thought: what may fold. */
export type StepView = ToolCallView | ThoughtView;

/** Minimum number of entries to fold: reads and searches, or edits, of a run, or all steps of a compact transcript. */
const least = { normal: 3, compact: 2 };

interface Group {
  readonly element: HTMLElement;
  readonly key: string;
  members: StepView[];
  /** The lines of its edits, and of which entries they were counted. */
  counted?: { readonly of: readonly StepView['entry'][]; readonly lines: TurnWork['lines'] };
}

/** What folds into one row with others of its kind. */
const folds = ['look', 'edit'] as const;
type Fold = (typeof folds)[number];

/**
 * Folds steps of a run into a summary row as soon as something else follows: three or more finished reads and searches, or edits, also if one
 * is between others, or in a compact transcript all finished steps. Steps that the user opened or is using stay visible. Members stay in place
 * and are hidden.
 */
export class ReadGroups {
  private readonly context: PageContext;
  private readonly viewOf: (element: Element | null) => StepView | undefined;
  private readonly mayPart: (above: StepView, below: StepView) => boolean;
  private readonly groups = new Map<Element, Group>();

  /**
   * `viewOf` returns the tool call or thought of an element in the list, and `mayPart` whether one of two neighbors may leave the page
   * without the other.
   */
  constructor(
    context: PageContext,
    viewOf: (element: Element | null) => StepView | undefined,
    mayPart: (above: StepView, below: StepView) => boolean,
  ) {
    this.context = context;
    this.viewOf = viewOf;
    this.mayPart = mayPart;
  }

  /** Updates the groups around an entry that changed or was added. */
  look(element: Element): void {
    const run = this.runAround(element);
    this.fold(run);
    // Something follows the run of the turn before now.
    const [first] = run;
    const above = first && this.step(first.element, 'previousElementSibling');
    const before = this.viewOf(above ?? null);
    if (!this.isCompact && above && before && this.belongs(before)) this.fold(this.runAround(above));
  }

  /** Updates the groups of all entries in the list, and of those below rows of the list. */
  lookAll(column: Element): void {
    let run: StepView[] = [];
    for (const element of column.children) {
      if (element.classList.contains('pl-group')) continue;
      const view = this.viewOf(element);
      const isMember = view !== undefined && this.belongs(view);
      const last = run.at(-1);
      if (last && (!isMember || !this.isOneRun(last, view))) {
        this.fold(run);
        run = [];
      }
      if (isMember) run.push(view);
      const below = view instanceof ToolCallView ? view.children : element.querySelector(':scope > .pl-kids');
      if (below && below.childElementCount > 0) this.lookAll(below);
    }
    this.fold(run);
  }

  /** Shows all entries individually. */
  dissolve(): void {
    for (const group of new Set(this.groups.values())) for (const view of [...group.members]) this.leave(view);
  }

  /** Opens or closes a group by its summary row. Returns whether `element` is one. */
  toggle(element: Element): boolean {
    const group = [...this.groups.values()].find((candidate) => candidate.element === element);
    if (!group) return false;
    this.context.setExpanded(group.key, !this.isOpen(group));
    this.draw(group);
    return true;
  }

  /** Removes an entry that no longer exists, or is shown individually from now on. */
  leave(view: StepView): void {
    const group = this.groups.get(view.element);
    if (!group) return;
    this.groups.delete(view.element);
    view.element.hidden = false;
    view.element.classList.remove('grouped');
    if (kindOf(view) === 'edit') view.refresh();
    group.members = group.members.filter((member) => member !== view);
    if (group.members.length > 0) return;
    group.element.remove();
  }

  /** Opens the group that hides an element, so that the user can be taken to it. */
  reveal(element: Element): void {
    const group = this.groups.get(element);
    if (!group || this.isOpen(group)) return;
    this.context.setExpanded(group.key, true);
    this.draw(group);
  }

  clear(): void {
    this.groups.clear();
  }

  private get isCompact(): boolean {
    return this.context.page.toolDetail === 'compact';
  }

  /** Folds what may be folded of a run, and shows the rest. */
  private fold(run: readonly StepView[]): void {
    if (this.isCompact) {
      this.foldInto(run, this.compactMembers(run));
      return;
    }
    for (const kind of folds) {
      const own = run.filter((view) => kindOf(view) === kind);
      this.foldInto(own, this.membersOf(own, run));
    }
  }

  /** Folds these members, and shows all others of the run. */
  private foldInto(run: readonly StepView[], members: StepView[]): void {
    const kept = new Set(members);
    if (members.length < run.length) for (const view of run) if (!kept.has(view)) this.leave(view);
    const [first] = members;
    if (!first) return;
    const existing = members.map((view) => this.groups.get(view.element)).find((group) => group !== undefined);
    const group = existing ?? this.create(first);
    for (const view of group.members) if (!kept.has(view)) this.leave(view);
    group.members = members;
    for (const view of members) {
      const old = this.groups.get(view.element);
      if (old && old !== group) this.leave(view);
      this.groups.set(view.element, group);
    }
    if (first.element.previousElementSibling !== group.element) first.element.before(group.element);
    this.draw(group);
  }

  private compactMembers(run: readonly StepView[]): StepView[] {
    const last = run.at(-1);
    // The newest step stays until something follows, so that the user sees what was done last.
    const members = run.filter(
      (view) => (view !== last || isFollowed(view)) && this.isDone(view) && !this.isBusy(view),
    );
    return members.length < least.compact ? [] : members;
  }

  /** Returns which steps of one kind fold. The newest ones of the run stay until something else follows. */
  private membersOf(own: readonly StepView[], run: readonly StepView[]): StepView[] {
    const [first] = own;
    const last = run.at(-1);
    if (!first || !last) return [];
    const isOther = (view: StepView) => kindOf(view) !== kindOf(first);
    const newest = new Set(isFollowed(last) ? [] : run.slice(run.findLastIndex(isOther) + 1));
    const past = own.filter((view) => !newest.has(view));
    // The group may have been open before its entries left the page.
    if (this.context.isExpanded(keyOf(first)) === true) return past.length < least.normal ? [] : [...past];
    const free = past.filter((view) => !this.isBusy(view) && !this.isPointedAt(view));
    const isGrowing = past.some((view) => this.groups.has(view.element));
    return free.length < least.normal || (free.length < past.length && !isGrowing) ? [] : free;
  }

  /** Returns whether an entry is part of a run at this level of detail. */
  private belongs(view: StepView): boolean {
    if (this.context.page.toolDetail === 'everything') return false;
    return this.isCompact || kindOf(view) !== undefined;
  }

  /** Returns whether nothing about a step still needs the user's attention. */
  private isDone(view: StepView): boolean {
    if (view instanceof ThoughtView) return !view.isRunning;
    const { entry } = view;
    if (entry.permission.state === 'asked' || isUnfinished(entry.status)) return false;
    if (view.hasFailed) return false;
    return !entry.content.some((item) => item.type === 'diff' && this.context.hasChanges(item.path));
  }

  private runAround(element: Element): StepView[] {
    const own = this.viewOf(element);
    const start = own && this.belongs(own) ? element : this.step(element, 'previousElementSibling');
    const first = this.viewOf(start);
    if (!start || !first || !this.belongs(first)) return [];
    const run: StepView[] = [];
    for (let at: Element | null = start; at; at = this.step(at, 'previousElementSibling')) {
      const view = this.viewOf(at);
      const below = run.at(-1);
      if (!view || !this.belongs(view) || (below && !this.isOneRun(view, below))) break;
      run.push(view);
    }
    run.reverse();
    for (let at = this.step(start, 'nextElementSibling'); at; at = this.step(at, 'nextElementSibling')) {
      const view = this.viewOf(at);
      const above = run.at(-1);
      if (!view || !this.belongs(view) || (above && !this.isOneRun(above, view))) break;
      run.push(view);
    }
    return run;
  }

  /** Returns whether two neighbors fold into the same line. A compact line has an end, so that its steps can leave the page. */
  private isOneRun(above: StepView, below: StepView): boolean {
    if (above.entry.turn !== below.entry.turn) return false;
    return !this.isCompact || !this.mayPart(above, below);
  }

  /** Returns the next entry in a direction. Summary rows aren't entries. */
  private step(element: Element, direction: 'nextElementSibling' | 'previousElementSibling'): Element | null {
    let next = element[direction];
    while (next?.classList.contains('pl-group')) next = next[direction];
    return next;
  }

  private isBusy(view: StepView): boolean {
    if (this.groups.has(view.element)) return false;
    if (this.context.isExpanded(view.entry.id) === true || view.element.contains(document.activeElement)) return true;
    return !this.isCompact && view instanceof ToolCallView && view.children.childElementCount > 0;
  }

  /** Whether an edit that isn't folded yet is under the pointer: what the user looks at stays. */
  private isPointedAt(view: StepView): boolean {
    return !this.groups.has(view.element) && kindOf(view) === 'edit' && view.element.matches(':hover');
  }

  private isOpen(group: Group): boolean {
    return this.context.isExpanded(group.key) ?? false;
  }

  private create(first: StepView): Group {
    const element = document.createElement('article');
    element.className = 'pl-tool pl-group';
    element.tabIndex = 0;
    return { element, key: keyOf(first), members: [] };
  }

  private draw(group: Group): void {
    const isOpen = this.isOpen(group);
    const label = this.labelOf(group);
    const lines = this.linesOf(group);
    // In a compact transcript, the label itself says that these are steps.
    group.element.setAttribute('aria-label', this.isCompact ? label : l10n.t('Tool calls: {0}', label));
    group.element.classList.toggle('unfolded', isOpen);
    render(
      html`<div class="head">
        <button
          type="button"
          class="tog"
          tabindex="-1"
          aria-expanded=${isOpen}
          title=${this.isCompact ? label : nothing}
          @click=${() => this.toggle(group.element)}
        >
          ${icon(this.isOfEdits(group) ? 'edit' : 'checklist')}<span class="lbl"><span class="o">${label}</span></span
          >${icon('chevron-right', 'chev')}
          <span class="end"
            >${
              lines
                ? html`<span class="num"
                    ><span class="add">+${lines.added}</span> <span class="del">−${lines.removed}</span></span
                  >`
                : nothing
            }<span class="sr">${l10n.t('completed')}</span></span
          >
        </button>
      </div>`,
      group.element,
    );
    for (const view of group.members) {
      const { element } = view;
      // Long runs are drawn with each step, so what is as it should be isn't touched.
      if (element.hidden === isOpen) element.hidden = !isOpen;
      if (element.classList.contains('grouped')) continue;
      element.classList.add('grouped');
      if (kindOf(view) === 'edit') view.refresh();
    }
  }

  private labelOf({ members }: Group): string {
    const entries = members.map(({ entry }) => entry);
    if (this.isCompact) return stepWords(entries);
    const calls = entries.filter((entry) => entry.kind === 'tool_call');
    return calls.every(isDoneEdit) ? editsOf(calls) : summaryOf(calls);
  }

  private isOfEdits({ members }: Group): boolean {
    return !this.isCompact && members.every((view) => kindOf(view) === 'edit');
  }

  /** Counts the lines of a row of edits, once for the same edits. */
  private linesOf(group: Group): TurnWork['lines'] {
    if (!this.isOfEdits(group)) return undefined;
    const of = group.members.map(({ entry }) => entry);
    const { counted } = group;
    if (counted?.of.length !== of.length || counted.of.some((entry, at) => entry !== of[at]))
      group.counted = { of, lines: linesOf(of.filter((entry) => entry.kind === 'tool_call')) };
    return group.counted?.lines;
  }
}

/** Returns whether an entry is below a step. Those that aren't on the page are in a gap. */
function isFollowed({ element }: StepView): boolean {
  const next = element.nextElementSibling;
  return next?.tagName === 'ARTICLE' || next?.classList.contains('pl-gap') === true;
}

/** Returns what a step folds with. Undefined if it stays by itself. */
function kindOf(view: StepView): Fold | undefined {
  if (!(view instanceof ToolCallView)) return undefined;
  if (isQuiet(view.entry)) return 'look';
  return isDoneEdit(view.entry) && !view.hasFailed ? 'edit' : undefined;
}

function keyOf(first: StepView): string {
  return `group ${first.entry.id}`;
}
