import type { Transcript } from '../../../src/shared/transcript/transcript';
import { ElicitationView } from '../../entries/card/elicitationEntry';
import type { EntryView } from '../../entries/view/entryView';
import { keyedAttribute, PermissionView } from '../../entries/request/permission';
import { SubagentView } from '../../entries/message/subagentEntry';
import { ThoughtView } from '../../entries/message/thought';
import { ToolCallView } from '../../entries/toolCall/toolCall';
import { statusShown } from '../../entries/words/toolLabel';
import type { WorkingLine } from './workingLine';

/** The entries that change over time: running calls and thoughts, and open requests. */
export class LiveEntries {
  private readonly working: WorkingLine;
  private readonly running = new Set<EntryView>();
  private readonly asking = new Set<ToolCallView | ElicitationView>();
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor(working: WorkingLine) {
    this.working = working;
  }

  /** Records the state of an entry. */
  note(view: EntryView): void {
    const isCall = view instanceof ToolCallView;
    const goesOn = view instanceof ThoughtView || view instanceof SubagentView;
    set(this.running, view, isCall ? statusShown(view.entry) === 'in_progress' : goesOn && view.isRunning);
    if (isCall) set(this.asking, view, view.entry.permission.state === 'asked');
    else if (view instanceof ElicitationView) set(this.asking, view, view.isOpen);
  }

  forget(view: EntryView): void {
    this.running.delete(view);
    if (view instanceof ToolCallView || view instanceof ElicitationView) this.asking.delete(view);
  }

  /** Returns whether a view is the newest running one. */
  isNewest(view: EntryView): boolean {
    return [...this.running].at(-1) === view;
  }

  /** Updates the working line and the running times while a turn runs, or a call or subagent that outlasts it. */
  follow(transcript: Transcript): void {
    const isAnyRunning =
      this.working.update(transcript) || [...this.running].some((view) => !(view instanceof ThoughtView));
    if (!isAnyRunning) this.stop();
    else this.clock ??= setInterval(() => this.tick(transcript), 1000);
  }

  /** Makes requests whose options moved ignore clicks for a moment. */
  checkPlaces(): void {
    for (const question of this.open()) question.checkPlace();
  }

  /** Returns the elements of the drawn requests, oldest first. */
  questions(): readonly HTMLElement[] {
    return this.open().map(({ element }) => element);
  }

  /** Passes a key to the request that has the keys while none has the focus. */
  answer(event: KeyboardEvent, isInMessage: boolean): void {
    const keyed = this.open().find(({ element }) => element.hasAttribute(keyedAttribute));
    if (keyed instanceof PermissionView) keyed.answerByKey(event, isInMessage);
  }

  clear(): void {
    this.stop();
    this.running.clear();
    this.asking.clear();
  }

  private open() {
    return [...this.asking].flatMap((view) => (view instanceof ToolCallView ? view.permission : view.card) ?? []);
  }

  private stop(): void {
    clearInterval(this.clock);
    this.clock = undefined;
  }

  private tick(transcript: Transcript): void {
    for (const view of this.running) {
      this.note(view);
      view.refresh();
    }
    this.follow(transcript);
  }
}

function set<T>(items: Set<T>, item: T, isIn: boolean): void {
  if (isIn) items.add(item);
  else items.delete(item);
}
