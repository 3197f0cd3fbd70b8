import type { EntryId } from '../../../src/shared/values/ids';
import { isWaitingForAnswer } from '../../../src/shared/transcript/openQuestion';
import type { TranscriptOp } from '../../../src/shared/transcript/ops';
import type { Transcript } from '../../../src/shared/transcript/transcript';
import type { AppendedText, EntryView } from '../../entries/view/entryView';
import { ThoughtView } from '../../entries/message/thought';
import { ToolCallView } from '../../entries/toolCall/toolCall';
import type { EntryViews } from '../rows/entryViews';
import type { LiveEntries } from './liveEntries';
import type { ReadGroups } from '../rows/readGroups';
import type { Scroller } from '../scroll/scroller';
import type { ShownTranscript } from '../rows/shownTranscript';
import type { Terminals } from './terminals';

/** What follows the entries on the page. */
interface Followers {
  readonly groups: ReadGroups;
  readonly terminals: Terminals;
  readonly live: LiveEntries;
}

/** Draws the entries on the page, and keeps up with them what depends on them: groups, terminals, and what runs. */
export class DrawnEntries {
  private readonly feed: HTMLElement;
  private readonly shown: ShownTranscript;
  private readonly views: EntryViews;
  private readonly scroller: Scroller;
  private readonly followers: Followers;

  constructor(feed: HTMLElement, shown: ShownTranscript, views: EntryViews, scroller: Scroller, followers: Followers) {
    this.feed = feed;
    this.shown = shown;
    this.views = views;
    this.scroller = scroller;
    this.followers = followers;
  }

  /** Draws an entry if it is on the page. `appended` is set if appended text is the only change. */
  draw(id: EntryId, appended: readonly AppendedText[] | undefined): void {
    const { order, entries } = this.shown.transcript;
    const { groups, terminals, live } = this.followers;
    const entry = entries.get(id);
    const view = entry && this.views.fitting(entry);
    if (!view) return;
    const answersByKey = isWaitingForAnswer(view.entry) && view.element.contains(document.activeElement);
    view.set(entry, appended);
    view.showTurnEnd(entry);
    view.showOrigin(entry);
    // Whoever answers the newest request by key continues with the agent, at the end of the transcript.
    if (answersByKey && !isWaitingForAnswer(entry) && order.at(-1) === id) {
      this.feed.focus({ preventScroll: true });
      this.scroller.toEnd();
    }
    live.note(view);
    if (appended === undefined) this.views.parentOf(view)?.refresh();
    if (entry.kind === 'subagent') this.settleBefore();
    if (!(view instanceof ToolCallView)) {
      const isStep = view instanceof ThoughtView || this.views.step(view.element.previousElementSibling);
      if (appended === undefined && isStep) groups.look(view.element);
      return;
    }
    terminals.follow(view);
    groups.look(view.element);
  }

  /** Draws the output of a command, or its state. */
  drawTerminal(op: Parameters<Terminals['changed']>[0]): void {
    this.followers.terminals.changed(op, this.shown.transcript);
  }

  /** Draws what depends on the session as a whole. */
  drawView(fields: (TranscriptOp & { readonly op: 'view' })['fields']): void {
    if (fields.plans) this.drawPlans();
    if (fields.activity) this.settleBefore();
    if (fields.activity || fields.lateWork) this.drawTurnEnds();
    if (fields.agentName !== undefined) for (const view of this.views.all()) view.refresh();
  }

  drawPlans(): void {
    for (const view of this.views.all()) if (view.entry.kind === 'plan') view.refresh();
  }

  /** Shows again what ended turns changed. */
  drawTurnEnds(): void {
    for (const view of this.views.all()) if (view.entry.turnSummary) view.showTurnEnd(view.entry);
  }

  /** Draws the notices again that offer what waits for review. */
  drawOffers(): void {
    for (const view of this.views.all()) if (view.entry.kind === 'notice' && view.entry.hasChanges) view.refresh();
  }

  /** Draws the steps that show changes again. */
  drawChanges(): void {
    for (const view of this.views.all()) {
      if (view.entry.kind === 'tool_call' && view.entry.content.some(({ type }) => type === 'diff')) view.refresh();
    }
  }

  /** Draws all tool calls and thoughts again. */
  drawSteps(): void {
    for (const view of this.views.all()) if (this.views.step(view.element)) view.refresh();
  }

  /** Refreshes the newest entries except `last`, because those before it or added with it may be complete now. */
  settleBefore(last?: EntryId): void {
    for (const id of this.shown.order.slice(-12)) if (id !== last) this.views.get(id)?.refresh();
  }

  remove(view: EntryView | undefined): void {
    if (!view) return;
    const { groups, terminals, live } = this.followers;
    if (view instanceof ThoughtView) groups.leave(view);
    if (view instanceof ToolCallView) {
      groups.leave(view);
      terminals.leave(view);
    }
    live.forget(view);
    this.views.remove(view.entry.id);
  }

  /** Removes the entries that are no longer in a transcript. */
  removeGone(transcript: Transcript): void {
    for (const view of this.views.gone(transcript)) this.remove(view);
  }

  clear(): void {
    const { groups, terminals, live } = this.followers;
    this.views.clear();
    live.clear();
    groups.clear();
    terminals.clear();
  }
}
