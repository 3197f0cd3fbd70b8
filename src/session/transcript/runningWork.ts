import { compact } from '../../shared/values/decodeValue';
import { lateWorkOf } from '../../shared/transcript/lateWork';
import { assertNever } from '../../shared/values/assert';
import type { EntryId, TerminalId } from '../../shared/values/ids';
import { isRecord } from '../../shared/values/isRecord';
import type { TranscriptOp } from '../../shared/transcript/ops';
import { subagentEntryId, type SubagentEntry } from '../../shared/transcript/subagent';
import type { Entry, LateWork, TerminalView, ToolCallEntry, Transcript } from '../../shared/transcript/transcript';
import type { BackgroundWork, SessionUpdate } from '../../acp/shape/sessionUpdate';
import { toolCallEntryId } from '../update/entryIds';
import { hasEnded } from '../update/reduceToolCall';

/**
 * Everything that is running in a session, found in the ops that change its transcript, so that `lateWork` in its view
 * stays up to date. What isn't of the running turn continues after its own turn.
 */
export class RunningWork {
  private readonly open = new Map<string, LateWork>();
  /** Background commands that are no longer expected to run. */
  private readonly over = new Set<string>();
  /** What the agent lists as background work; undefined if it never has. */
  private reported: readonly BackgroundWork[] | undefined;
  /** What is shown of it, so that equal work stays the same object. */
  private readonly shown = new Map<string, LateWork>();
  private isLive = false;

  /** Whether what the agent reports may be a replay, because no message was sent to it yet. */
  get isReplaying(): boolean {
    return !this.isLive;
  }

  /** A message is sent to the agent. What agents report before the first one is a replay and never ends. */
  begin(): void {
    this.isLive = true;
  }

  /** The agent has disconnected, or a replay begins. Commands in Parley's terminals report their own end. */
  end(): void {
    this.isLive = false;
    this.reported = undefined;
    this.shown.clear();
    for (const [key, { kind }] of this.open) if (kind !== 'command') this.open.delete(key);
  }

  /** Returns the background commands that may be running although nothing will report their end, by their calls. */
  unreportedBackground(transcript: Transcript): readonly EntryId[] {
    return [...this.open.values()].flatMap((work) =>
      work.kind === 'background' && !agentTerminals(transcript, work.entry).some(isRunning) ? [work.entry] : [],
    );
  }

  /** A background command is no longer expected to run. Call `current` afterward. */
  endBackground(entry: EntryId): void {
    this.over.add(entry);
    if (this.open.get(entry)?.kind === 'background') this.open.delete(entry);
  }

  /** The agent reports that background commands have ended, by its ids of their shells. Call `current` afterward. */
  endShells({ entries }: Transcript, shells: readonly string[]): void {
    if (shells.length === 0) return;
    for (const work of [...this.open.values()]) {
      const left = work.kind === 'background' ? entries.get(work.entry) : undefined;
      const shell = left?.kind === 'tool_call' ? backgroundShell(left) : undefined;
      if (left && shell !== undefined && shells.includes(shell)) this.endBackground(left.id);
    }
  }

  /** Sets the agent's list of its background work. Call `current` afterward. */
  report(work: readonly BackgroundWork[]): void {
    this.reported = work;
  }

  /** Returns whether the agent lists this call, or a command that it shows, as background work. */
  isReported(entry: EntryId): boolean {
    for (const work of this.shown.values()) if (work.kind === 'reported' && work.entry === entry) return true;
    return false;
  }

  /** Sets what the agent does without a message, or `undefined` if it does nothing. Call `current` afterward. */
  setUnprompted(work: (LateWork & { readonly kind: 'agent' }) | undefined): void {
    if (work) this.open.set('agent', work);
    else this.open.delete('agent');
  }

  /** Returns the op that updates the view after `ops` were applied, or undefined if nothing changed. */
  follow(transcript: Transcript, ops: readonly TranscriptOp[], now: number): TranscriptOp | undefined {
    let mayDiffer = false;
    for (const op of ops) if (this.note(transcript, op, now)) mayDiffer = true;
    return mayDiffer ? this.current(transcript) : undefined;
  }

  /** Returns the op that updates the view, or undefined if it is up to date. */
  current(transcript: Transcript): TranscriptOp | undefined {
    const { view } = transcript;
    const running = view.activity.state === 'idle' ? Number.POSITIVE_INFINITY : turnOf(transcript);
    const reported = this.shownReports(transcript);
    const isListed = ({ kind }: LateWork) => kind === 'toolCall' || kind === 'background' || kind === 'agent';
    const found = [...this.open.values()].filter(
      (work) => work.turn < running && !this.isShownByCommand(transcript, work) && !(this.reported && isListed(work)),
    );
    const lateWork = [...found, ...reported];
    const before = lateWorkOf(view);
    if (lateWork.length === before.length && lateWork.every((work, at) => work === before[at])) return undefined;
    return { op: 'view', fields: { lateWork } };
  }

  /** Returns whether an update shows that the agent is working, beyond the work that is already known. */
  isNews(transcript: Transcript, update: SessionUpdate): boolean {
    if (!this.isLive) return false;
    switch (update.sessionUpdate) {
      case 'agent_message':
      case 'agent_message_chunk':
      case 'agent_thought':
      case 'agent_thought_chunk':
      case 'plan_update':
        return true;
      case 'tool_call_update': {
        const { status } = update.fields;
        return !(status && hasEnded(status)) && !this.open.has(toolCallEntryId(update.toolCallId));
      }
      case 'tool_call_content_chunk':
        return !this.open.has(toolCallEntryId(update.toolCallId));
      case 'terminal_output_chunk':
        return !this.openCalls(transcript).some(({ content }) =>
          content.some((item) => item.type === 'terminal' && item.terminalId === update.terminalId),
        );
      case 'user_message':
      case 'user_message_chunk':
      case 'terminal_update':
      case 'plan_removed':
      case 'notice':
      case 'compaction_update':
      case 'compaction_summary_chunk':
      case 'subagent_update':
      case 'available_commands_update':
      case 'config_option_update':
      case 'current_mode_update':
      case 'session_info_update':
      case 'prompt_suggestions_update':
      case 'usage_update':
      case 'state_update':
      case 'unknown':
        return false;
      default:
        return assertNever(update);
    }
  }

  /** The unfinished tool calls. */
  openCalls({ entries }: Transcript): readonly ToolCallEntry[] {
    return [...this.open.values()].flatMap((work) => {
      const entry = work.kind === 'toolCall' ? entries.get(work.entry) : undefined;
      return entry?.kind === 'tool_call' ? [entry] : [];
    });
  }

  /** Returns what the agent lists, as far as the transcript knows it. Subagents are shown by their own reports. */
  private shownReports(transcript: Transcript): readonly LateWork[] {
    const { entries, terminals } = transcript;
    const before = new Map(this.shown);
    this.shown.clear();
    for (const [index, work] of (this.reported ?? []).entries()) {
      if (work.type === 'subagent') continue;
      const terminal = work.type === 'terminal' ? terminals.get(work.terminalId) : undefined;
      const entryId =
        work.type === 'tool_call' ? toolCallEntryId(work.toolCallId) : callOfTerminal(transcript, terminal);
      const found = entryId === undefined ? undefined : entries.get(entryId);
      const call = found?.kind === 'tool_call' ? found : undefined;
      const key = entryId ?? terminal?.terminalId ?? String(index);
      const same = this.shown.get(key);
      // A command and its call are one piece of work.
      const listed = terminal?.terminalId ?? (same?.kind === 'reported' ? same.terminal : undefined);
      const isStoppable = terminal?.canCancel === true || call?.canCancel === true;
      const fresh: LateWork = {
        kind: 'reported',
        turn: call?.turn ?? turnOf(transcript),
        since: call?.startedAt ?? terminal?.startedAt ?? 0,
        ...compact({ terminal: listed }),
        ...(call ? { entry: call.id, toolCall: call.toolCallId } : {}),
        canCancel: isStoppable || (same?.kind === 'reported' && same.canCancel),
      };
      const old = before.get(key);
      this.shown.set(key, old && JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh);
    }
    return [...this.shown.values()];
  }

  private note(transcript: Transcript, op: TranscriptOp, now: number): boolean {
    const isChanged = this.noteOpen(transcript, op, now);
    return isChanged || (this.reported !== undefined && this.reported.length > 0 && mayBeReported(op));
  }

  private noteOpen(transcript: Transcript, op: TranscriptOp, now: number): boolean {
    switch (op.op) {
      case 'view':
        return op.fields.activity !== undefined;
      case 'terminal':
      case 'patchTerminal': {
        const id = op.op === 'terminal' ? op.terminal.terminalId : op.id;
        const terminal = transcript.terminals.get(id);
        if (!terminal) return false;
        // An agent may forget to report the end of its own terminals, so only their unfinished tool calls count.
        if (terminal.driver === 'agent') return !isRunning(terminal) && this.noteExit(transcript, id);
        const turn = turnOf(transcript);
        const work: LateWork = { kind: 'command', terminal: id, turn, since: now };
        return this.set(`terminal ${id}`, terminal.exit.state === 'running' ? work : undefined);
      }
      case 'insert':
      case 'replace':
        return this.noteEntry(transcript, op.entry, now);
      case 'patch': {
        const entry = op.kind === 'tool_call' ? transcript.entries.get(op.id) : undefined;
        return entry !== undefined && this.noteEntry(transcript, entry, now);
      }
      case 'truncate': {
        const { size } = this.open;
        for (const [key, work] of this.open) {
          if ('entry' in work && !transcript.entries.has(work.entry)) this.open.delete(key);
        }
        return this.open.size !== size;
      }
      default:
        return false;
    }
  }

  /** Claude reports the exit of a command that it left in the background, long after it has completed the call. */
  private noteExit(transcript: Transcript, id: TerminalId): boolean {
    const left = [...this.open.values()].find(
      (work) =>
        work.kind === 'background' &&
        agentTerminals(transcript, work.entry).some(({ terminalId }) => terminalId === id),
    );
    if (left?.kind !== 'background') return false;
    this.endBackground(left.entry);
    return true;
  }

  private noteEntry(transcript: Transcript, entry: Entry, now: number): boolean {
    if (entry.kind === 'tool_call') {
      const { id, turn, status, permission } = entry;
      if (this.isLive) this.endShells(transcript, exitedShells(entry));
      // A subagent's calls are part of its work. A call that waits for the user isn't running.
      const isUnfinished = !entry.asks && entry.subagent === undefined && !hasEnded(status);
      const isOpen = isUnfinished && permission.state !== 'asked' && this.isLive;
      if (isOpen) return this.set(id, { kind: 'toolCall', entry: id, turn, since: now });
      // The agent didn't wait for the command, and often nothing reports its end.
      const isLeft = this.isLive && status === 'completed' && startsInBackground(entry) && !this.over.has(id);
      if (this.open.get(id)?.kind !== 'background') this.open.delete(id);
      this.set(id, isLeft ? { kind: 'background', entry: id, turn, since: now } : undefined);
      return true;
    }
    if (entry.kind !== 'subagent') return false;
    const { id, turn, state, canCancel } = entry;
    const isOpen = this.isLive && (state === 'running' || state === 'requires_action') && !isNested(transcript, entry);
    const before = this.open.get(id);
    if (isOpen && before?.kind === 'subagent' && before.canCancel !== canCancel) this.open.delete(id);
    return this.set(id, isOpen ? { kind: 'subagent', entry: id, canCancel, turn, since: now } : undefined);
  }

  /** Adds or removes work. Returns whether the view may differ. */
  private set(key: string, work: LateWork | undefined): boolean {
    if (!work) return this.open.delete(key);
    if (!this.open.has(key)) this.open.set(key, work);
    // The content of a call decides whether a command of Parley's terminals shows the same work.
    return true;
  }

  private isShownByCommand({ entries }: Transcript, work: LateWork): boolean {
    const entry = work.kind === 'toolCall' ? entries.get(work.entry) : undefined;
    if (entry?.kind !== 'tool_call') return false;
    return entry.content.some((item) => item.type === 'terminal' && this.open.has(`terminal ${item.terminalId}`));
  }
}

/** Returns whether an op may change what is shown of an agent's list. Text and output, of which there is most, don't. */
function mayBeReported(op: TranscriptOp): boolean {
  switch (op.op) {
    case 'insert':
    case 'replace':
      return op.entry.kind === 'tool_call';
    case 'patch':
      return op.kind === 'tool_call';
    default:
      return op.op === 'terminal' || op.op === 'patchTerminal' || op.op === 'truncate';
  }
}

/** Returns the call that shows a terminal. */
function callOfTerminal({ order, entries }: Transcript, terminal: TerminalView | undefined): EntryId | undefined {
  if (!terminal) return undefined;
  return order.findLast((id) => {
    const entry = entries.get(id);
    const shows = (item: ToolCallEntry['content'][number]) =>
      item.type === 'terminal' && item.terminalId === terminal.terminalId;
    return entry?.kind === 'tool_call' && entry.content.some(shows);
  });
}

/** Returns the terminals that a call shows and its agent runs. */
function agentTerminals({ entries, terminals }: Transcript, call: EntryId): readonly TerminalView[] {
  const entry = entries.get(call);
  if (entry?.kind !== 'tool_call') return [];
  return entry.content.flatMap((item) => {
    const terminal = item.type === 'terminal' ? terminals.get(item.terminalId) : undefined;
    return terminal?.driver === 'agent' ? [terminal] : [];
  });
}

function isRunning({ exit }: TerminalView): boolean {
  return exit.state === 'running';
}

/**
 * Returns whether a call starts a command without waiting for it, in the words of Claude, Qwen, or Copilot. Gemini sends
 * no input, so only the output says so.
 */
function startsInBackground({ toolKind, rawInput, content }: ToolCallEntry): boolean {
  if (toolKind !== 'execute') return false;
  if (firstText(content).startsWith('Command moved to background (PID: ')) return true;
  if (!isRecord(rawInput)) return false;
  const { run_in_background: claude, is_background: qwen, mode } = rawInput;
  return claude === true || qwen === true || mode === 'async';
}

/** Returns the id of the shell in which Copilot or Qwen left a command running. */
function backgroundShell({ content }: ToolCallEntry): string | undefined {
  const [, copilot, qwen] =
    /^(?:<command started in background with shellId: ([^>]+)>|Background shell started\.\nid: (\S+))/.exec(
      firstText(content),
    ) ?? [];
  return copilot ?? qwen;
}

/** Returns the ids of the shells whose exit Copilot reports with a call. */
function exitedShells({ rawOutput }: ToolCallEntry): readonly string[] {
  const contents = isRecord(rawOutput) ? rawOutput['contents'] : undefined;
  if (!Array.isArray(contents)) return [];
  return contents.flatMap((item: unknown) =>
    isRecord(item) && item['type'] === 'shell_exit' && typeof item['shellId'] === 'string' ? [item['shellId']] : [],
  );
}

function firstText(content: ToolCallEntry['content']): string {
  const [first] = content;
  return first?.type === 'content' && first.content.type === 'text' ? first.content.text : '';
}

/** A subagent that a running subagent started is part of that one's work. */
function isNested({ entries }: Transcript, { subagent }: SubagentEntry): boolean {
  const above = subagent === undefined ? undefined : entries.get(subagentEntryId(subagent));
  return above?.kind === 'subagent' && above.state !== 'idle';
}

/** Returns the turn of the newest entry. */
function turnOf({ order, entries }: Transcript): number {
  const last = order.at(-1);
  return (last === undefined ? undefined : entries.get(last)?.turn) ?? 0;
}
