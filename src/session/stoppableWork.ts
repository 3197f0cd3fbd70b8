import * as l10n from '@vscode/l10n';
import { ConnectionClosedError, readableError } from '../acp/base/errors';
import { canStop, lateWorkOf } from '../shared/transcript/lateWork';
import type { SessionId, TerminalId, ToolCallId } from '../shared/values/ids';
import type { AgentSide } from './agentSide';
import type { Questions } from './questions/questions';
import type { ShownTerminals } from './transcript/shownTerminals';
import type { Speakers } from './transcript/speakers';
import type { TranscriptStore } from './transcript/transcriptStore';
import type { Turns } from './turn/turns';
import { reduceCallsEnd } from './update/closeTurn';
import { toolCallEntryId } from './update/entryIds';
import { reduceSubagentsEnd } from './update/reduceSubagent';
import { hasEnded } from './update/reduceToolCall';

/** The parts of a session with something that runs. */
interface WorkPlaces {
  readonly store: TranscriptStore;
  readonly speakers: Speakers;
  readonly questions: Questions;
  readonly turns: Turns;
  readonly terminals: ShownTerminals;
}

/** What runs in a session besides its turn or as a part of it, and can be stopped alone. */
export class StoppableWork {
  private readonly places: WorkPlaces;
  private readonly agentSide: AgentSide;

  constructor(places: WorkPlaces, agentSide: AgentSide) {
    this.places = places;
    this.agentSide = agentSide;
  }

  /** Stops one of the agent's subagents with `session/cancel` for its session, if the agent supports that. */
  stopSubagent(subagent: SessionId): void {
    const { speakers, questions } = this.places;
    const sessionId = speakers.stoppable(subagent);
    const { channel } = this.agentSide;
    if (!channel || sessionId === undefined) return;
    channel.cancelSubagent(sessionId);
    questions.cancelOf(subagent);
  }

  /** Stops one of the agent's tool calls, if the agent can. Returns whether it was asked to. */
  stopToolCall(toolCallId: ToolCallId): boolean {
    const { store, speakers } = this.places;
    const entry = store.transcript.entries.get(toolCallEntryId(toolCallId));
    const cancel = this.agentSide.channel?.cancelToolCall;
    if (entry?.kind !== 'tool_call' || entry.canCancel !== true || hasEnded(entry.status) || !cancel) return false;
    this.reportStop(cancel(speakers.wireCallId(toolCallId)), entry.title);
    return true;
  }

  /** Stops one of the commands that the agent runs, if the agent can. Returns whether it was asked to. */
  stopTerminal(terminalId: TerminalId): boolean {
    const { store, speakers } = this.places;
    const terminal = store.transcript.terminals.get(terminalId);
    const cancel = this.agentSide.channel?.cancelTerminal;
    if (terminal?.canCancel !== true || terminal.exit.state !== 'running' || !cancel) return false;
    this.reportStop(cancel(speakers.wireTerminalId(terminalId)), terminal.command);
    return true;
  }

  /** Stops one piece of background work, as far as the agent can stop it alone. */
  stop(work: { readonly toolCall?: ToolCallId | undefined; readonly terminal?: TerminalId | undefined }): void {
    const { toolCall, terminal } = work;
    if (terminal !== undefined && this.stopTerminal(terminal)) return;
    if (toolCall !== undefined) this.stopToolCall(toolCall);
  }

  /**
   * Stops what continues after the turn that started it. What can't be stopped without stopping the running turn
   * continues.
   */
  stopLate(): void {
    const { store, terminals } = this.places;
    const { entries } = store.transcript;
    for (const work of lateWorkOf(store.view)) {
      if (work.kind === 'reported') this.stop(work);
      if (work.kind === 'command') terminals.kill(work.terminal);
      const entry = work.kind === 'subagent' && work.canCancel ? entries.get(work.entry) : undefined;
      if (entry?.kind === 'subagent') this.stopSubagent(entry.sessionId);
    }
    this.stopRest();
  }

  /**
   * Stops what the agent does after a turn, as far as that doesn't stop a running turn as well. Subagents with a session
   * of their own are stopped there.
   */
  private stopRest(): void {
    const { store, speakers, questions, turns } = this.places;
    const { channel } = this.agentSide;
    const { transcript, view } = store;
    const late = lateWorkOf(view).filter(
      (work) => work.kind !== 'command' && work.kind !== 'reported' && canStop(work, view),
    );
    const others = late.filter((work) => work.kind !== 'subagent' || !work.canCancel);
    if (!channel || others.length === 0) return;
    channel.cancel();
    questions.cancelAll('turn');
    const now = store.now();
    const ops = reduceCallsEnd(transcript, store.work.openCalls(transcript), now);
    for (const { kind, turn } of others) {
      if (kind === 'subagent') ops.push(...reduceSubagentsEnd(transcript, now, turn));
    }
    turns.current.stoppedLate();
    store.apply(ops);
    store.appendNotice('info', l10n.t('Asked {0} to stop', view.agentName), speakers.turns.current);
  }

  /** Says that the agent couldn't stop something. If it can, its updates show the end. */
  private reportStop(stopping: Promise<void>, title: string): void {
    const { channel } = this.agentSide;
    stopping.catch((error: unknown) => {
      // A closed session has no channel.
      if (!channel || channel !== this.agentSide.channel || error instanceof ConnectionClosedError) return;
      const { store, speakers } = this.places;
      const name = title.trim().split('\n')[0] ?? '';
      store.appendNotice(
        'warning',
        l10n.t('{0} couldn’t stop “{1}”', store.view.agentName, name),
        speakers.turns.current,
        channel.redact(readableError(error).message),
      );
    });
  }
}
