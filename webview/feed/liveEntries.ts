import type { Transcript } from '../../src/shared/transcript';
import { ElicitationView } from '../entries/elicitationEntry';
import type { EntryView } from '../entries/entryView';
import { SubagentView } from '../entries/subagentEntry';
import { ThoughtView } from '../entries/thought';
import { ToolCallView } from '../entries/toolCall';
import { statusShown } from '../entries/toolLabel';
import type { WorkingLine } from './workingLine';

/** The entries that go on by themselves: calls and thoughts whose time runs, and requests that wait. */
export class LiveEntries {
  private readonly working: WorkingLine;
  private readonly running = new Set<EntryView>();
  private readonly asking = new Set<ToolCallView | ElicitationView>();
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor(working: WorkingLine) {
    this.working = working;
  }

  /** Notes what an entry does now. */
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

  /** The newest of those that run. */
  isNewest(view: EntryView): boolean {
    return [...this.running].at(-1) === view;
  }

  /** Keeps the working line and the running times going while a turn runs, or a subagent after it. */
  follow(transcript: Transcript): void {
    const isAnyRunning =
      this.working.update(transcript) || [...this.running].some((view) => view instanceof SubagentView);
    if (!isAnyRunning) this.stop();
    else this.clock ??= setInterval(() => this.tick(transcript), 1000);
  }

  /** Requests whose options have moved take no answer for a moment. */
  checkPlaces(): void {
    for (const question of this.open()) question.checkPlace();
  }

  /** The requests that are drawn, oldest first. */
  questions(): readonly HTMLElement[] {
    return this.open().map(({ element }) => element);
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
