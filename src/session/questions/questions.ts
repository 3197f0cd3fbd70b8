import { compact } from '../../shared/values/decodeValue';
import { decodeElicitation, type ElicitationResponse } from '../../acp/decode/decodeElicitation';
import type { PermissionSubject } from '../../acp/dialect/dialect';
import { invalidParams } from '../../acp/base/errors';
import type { EntryId, RequestKey, SessionId, SessionKey, ToolCallId } from '../../shared/values/ids';
import type {
  ChangedCall,
  PermissionOption,
  PermissionView,
  RequestWords,
  ToolCallEntry,
  Transcript,
} from '../../shared/transcript/transcript';
import { planSource } from '../../shared/transcript/planSource';
import { asAsked, changeIn } from '../update/askedCall';
import { Elicitations, type ElicitationPlace } from './elicitations';
import { toolCallEntryId } from '../update/entryIds';
import { PendingPermissions } from './pendingPermissions';
import type { ClientQuestion, Judgment, PermissionCase, PermissionRules } from '../services';
import type { Speaker, Speakers } from '../transcript/speakers';
import type { TranscriptStore } from '../transcript/transcriptStore';

/**
 * The questions of one session: the agent's permission requests and forms, and Parley's own questions on the agent's
 * behalf.
 */
export class Questions {
  private readonly store: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly session: SessionKey;
  private readonly onDidChange: () => void;
  private readonly pending = new PendingPermissions();
  /** The session's forms and URLs. */
  readonly elicitations: Elicitations;
  private asked = 0;
  private copies = 0;
  /** Entries with a request that rules are checking, before the user sees it. */
  private readonly judged = new Set<EntryId>();
  private withdrawals = 0;
  /** Whether the turn is being cancelled. New questions are then withdrawn immediately. */
  refuses = false;

  constructor(store: TranscriptStore, speakers: Speakers, session: SessionKey, onDidChange: () => void) {
    this.store = store;
    this.speakers = speakers;
    this.session = session;
    this.onDidChange = onDidChange;
    this.elicitations = new Elicitations(store, speakers.turns, session, onDidChange);
  }

  get count(): number {
    return this.pending.size + this.elicitations.count;
  }

  isOpenIn(entry: EntryId): boolean {
    return this.pending.isOpenIn(entry);
  }

  /**
   * Handles `session/request_permission`, of a subagent if `from` is its session's id. Shows the question in its tool
   * call and resolves to the answer of the user or of a rule.
   */
  async handlePermission(
    params: unknown,
    signal: AbortSignal,
    rules?: PermissionRules,
    from?: SessionId,
  ): Promise<object> {
    const speaker = this.speaker(from);
    const permission = speaker.reader.upgradePermission(params);
    const { options, subject, form, words } = permission;
    if (form) {
      // The form shows its questions itself, and an open question of the same call stays unchanged.
      for (const update of permission.updates) {
        if (update.sessionUpdate !== 'tool_call_update') this.speakers.show(update, speaker);
        else this.speakers.show({ ...update, asks: false }, speaker);
      }
      const place = { isOfTurn: true, toolCallId: permission.toolCallId, ...subagentOf(speaker) };
      return form.answer(this.refuses ? { action: 'cancel' } : await this.elicitations.ask(form.params, place, signal));
    }
    const { withdrawals } = this;
    const callId = this.callFor(permission.toolCallId);
    for (const update of permission.updates) {
      const isOfCall = 'toolCallId' in update && update.toolCallId === permission.toolCallId;
      this.speakers.show(isOfCall ? { ...update, toolCallId: callId } : update, speaker);
    }
    const entry = toolCallEntryId(callId);
    const asked = this.callIn(entry);
    const request = this.caseOf(asked, { subject, options });
    const judging = request && rules?.answer(request);
    let judgment: Judgment | undefined;
    if (!(judging instanceof Promise)) judgment = judging;
    else {
      this.judged.add(entry);
      judgment = await judging;
      this.judged.delete(entry);
      // The request was withdrawn in the meantime and has its answer.
      if (this.withdrawals !== withdrawals) return permission.answer(undefined);
    }
    const changed = this.keepAsked(asked);
    const takesEdit =
      this.store.view.place !== 'elsewhere' && takesEdits(this.store.transcript, this.callIn(entry), options);
    const option = await this.open(entry, options, signal, { judgment, request, changed, words, takesEdit });
    if (permission.isOwnCall) this.endOwnCall(entry, option);
    return permission.answer(option?.optionId);
  }

  /** Returns an open request of the agent, as the rules judged it. Of Parley's own questions, only those about hosts have one. */
  openCase(request: RequestKey): PermissionCase | undefined {
    return this.pending.caseOf(request);
  }

  private caseOf(
    entry: ToolCallEntry | undefined,
    request: { readonly subject: PermissionSubject; readonly options: readonly PermissionOption[] },
  ): PermissionCase | undefined {
    if (!entry) return undefined;
    const { agentName, cwd } = this.store.view;
    return { session: this.session, agentName, cwd, entry, ...request };
  }

  /** Handles `elicitation/create`: shows the form or URL and resolves to the answer. */
  async handleElicitation(
    params: unknown,
    place: ElicitationPlace,
    signal: AbortSignal,
    from?: SessionId,
  ): Promise<ElicitationResponse> {
    const elicitation = decodeElicitation(params);
    if (place.isOfTurn && this.refuses) return { action: 'cancel' };
    // A login's form may arrive before the session is open.
    const speaker = from === undefined ? this.speakers.find(from) : this.speaker(from);
    const { toolCallId } = place;
    const call = toolCallId === undefined ? {} : { toolCallId: speaker?.reader.callId(toolCallId) ?? toolCallId };
    return this.elicitations.ask(elicitation, { ...place, ...call, ...subagentOf(speaker) }, signal);
  }

  /**
   * Asks one of Parley's own questions, in its own tool call; resolves to the id of the chosen option. With `judged`, the
   * user can save a rule for it.
   */
  async ask(question: ClientQuestion, signal: AbortSignal, judged: JudgedQuestion = {}): Promise<string | undefined> {
    const { options, look, isOfProgram } = question;
    const opened = { ...judged, ...compact({ isOfProgram }) };
    const call = this.ownCall(question);
    const { id } = call;
    this.store.append(call);
    let option = await this.open(id, options, signal, opened);
    while (look && option?.optionId === look.optionId) {
      look.show();
      option = await this.open(id, options, signal, opened);
    }
    this.endOwnCall(id, option);
    return option?.optionId;
  }

  /** Returns one of Parley's own questions as rules judge it. */
  caseOfQuestion(question: ClientQuestion): PermissionCase {
    const { agentName, cwd } = this.store.view;
    const subject = { fields: {}, kind: undefined, strangeParts: [] };
    return { session: this.session, agentName, cwd, entry: this.ownCall(question), subject, options: question.options };
  }

  private ownCall({ title, toolKind, content, locations, asks }: ClientQuestion): ToolCallEntry {
    // Unlike a counter, the revision never repeats in a later window, where the entry would replace an old one.
    const toolCallId = `parley:${this.store.transcript.rev}` as ToolCallId;
    return {
      kind: 'tool_call',
      id: toolCallEntryId(toolCallId),
      turn: this.speakers.turns.current,
      toolCallId,
      title,
      toolKind,
      content,
      locations,
      status: 'pending',
      permission: { state: 'none' },
      startedAt: this.store.now(),
      ...compact({ asks }),
    };
  }

  /** Ends a call that is only a question. */
  private endOwnCall(id: EntryId, option: PermissionOption | undefined): void {
    const isRefused = option === undefined || option.kind.startsWith('reject');
    this.patch(id, { status: isRefused ? 'cancelled' : 'completed', endedAt: this.store.now() });
  }

  /**
   * Answers an open question. `reply` is what the user writes to the agent with it. `isEdited`: the user allows a version
   * of their own. Returns whether the question was open.
   */
  answer(
    request: RequestKey,
    optionId: string,
    { reply, isEdited }: { readonly reply?: string; readonly isEdited?: true } = {},
  ): boolean {
    const answered = this.pending.answer(request, optionId);
    if (!answered) return false;
    const { question, option } = answered;
    // How long an allowed call takes doesn't include how long the user took to answer.
    if (!option.kind.startsWith('reject')) this.patch(question.entry, { startedAt: this.store.now() });
    this.setPermission(question.entry, { state: 'answered', option, by: 'you', ...compact({ reply, isEdited }) });
    this.onDidChange();
    return true;
  }

  /** Shows whether the user has edited the change that an open request is about. */
  markEdited(request: RequestKey, edited: { readonly isEdited: boolean; readonly hasUnsaved: boolean }): void {
    const entry = this.pending.entryOf(request);
    const permission = entry && this.callIn(entry)?.permission;
    if (!entry || permission?.state !== 'asked') return;
    const { isEdited = false, hasUnsaved = false } = permission;
    if (isEdited === edited.isEdited && hasUnsaved === edited.hasUnsaved) return;
    this.patch(entry, { permission: { ...permission, ...edited } });
  }

  /** Withdraws the open questions in matching entries; with `turn`, not those that Parley's own requests need. */
  cancelAll(which: 'turn' | 'all' = 'all', isIn: (entry: EntryId) => boolean = () => true): void {
    this.withdrawals += 1;
    this.elicitations.cancelAll(which);
    const open = this.pending.cancelAll(isIn);
    for (const question of open) this.setPermission(question.entry, { state: 'cancelled' });
    if (open.length > 0) this.onDidChange();
  }

  /** Withdraws the questions of a subagent and of the subagents that it started. */
  cancelOf(subagent: SessionId): void {
    const isOf = (entry: EntryId) => this.speakers.isOf(entry, subagent);
    this.elicitations.cancelAll('all', isOf);
    const open = this.pending.cancelAll(isOf);
    for (const question of open) this.setPermission(question.entry, { state: 'cancelled' });
    if (open.length > 0) this.onDidChange();
  }

  private speaker(from: SessionId | undefined): Speaker {
    const speaker = this.speakers.find(from);
    if (!speaker) throw invalidParams(`Unknown session: ${from}`, { sessionId: from });
    return speaker;
  }

  private async open(
    entry: EntryId,
    options: readonly PermissionOption[],
    signal: AbortSignal,
    { judgment, request: judged, changed, words, takesEdit, isOfProgram }: OpenedCase = {},
  ): Promise<PermissionOption | undefined> {
    if (this.refuses || signal.aborted) {
      this.setPermission(entry, { state: 'cancelled' }, changed);
      return undefined;
    }
    if (judgment?.option) {
      const { option, rule, ruleId, freedom } = judgment;
      const name = { ...(rule === '' ? {} : { rule }), ...compact({ ruleId }) };
      const by = freedom ?? 'rule';
      this.setPermission(entry, { state: 'answered', option, by, ...name }, changed);
      return option;
    }
    this.asked += 1;
    const request = `${this.session}/${this.asked}` as RequestKey;
    const answer = this.pending.add({ request, entry, options, ...(judged ? { judged } : {}) });
    const withdraw = () => {
      if (!this.pending.cancel(request)) return;
      this.setPermission(entry, { state: 'cancelled', ...(isOfProgram ? { programLeft: true } : {}) });
      this.onDidChange();
    };
    signal.addEventListener('abort', withdraw, { once: true });
    const known = {
      ...(judgment?.risks?.length ? { risks: judgment.risks } : {}),
      ...(judgment?.takesRules.length ? { takesRules: judgment.takesRules } : {}),
      ...(words ? { words } : {}),
      ...(takesEdit ? { takesEdit } : {}),
    } as const;
    this.setPermission(entry, { state: 'asked', request, options, ...known }, changed);
    this.onDidChange();
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  /** A tool call shows one question. A second one at the same time gets its own card. */
  private callFor(toolCallId: ToolCallId): ToolCallId {
    const id = toolCallEntryId(toolCallId);
    const entry = this.callIn(id);
    if (!entry || !(this.pending.isOpenIn(id) || this.judged.has(id))) return toolCallId;
    this.copies += 1;
    const copy = `${toolCallId}~question${this.copies}` as ToolCallId;
    const permission = { state: 'none' } as const;
    this.store.append({
      ...entry,
      ...changeIn(entry.permission),
      permission,
      id: toolCallEntryId(copy),
      toolCallId: copy,
    });
    return copy;
  }

  /** Restores the call's state before the agent changed it during the rule check; returns the changes. */
  private keepAsked(asked: ToolCallEntry | undefined): ChangedCall | undefined {
    const now = asked && this.callIn(asked.id);
    if (!asked || !now || now === asked) return undefined;
    const { entry, changed } = asAsked(asked, now);
    if (changed) this.store.apply([{ op: 'replace', entry }]);
    return changed;
  }

  private callIn(id: EntryId): ToolCallEntry | undefined {
    const entry = this.store.transcript.entries.get(id);
    return entry?.kind === 'tool_call' ? entry : undefined;
  }

  /** The agent's changes since it asked stay with the question in every later state. */
  private setPermission(id: EntryId, permission: PermissionView, changed = this.changeOf(id)): void {
    this.patch(id, { permission: changed && permission.state !== 'none' ? { ...permission, changed } : permission });
  }

  private changeOf(id: EntryId): ChangedCall | undefined {
    const permission = this.callIn(id)?.permission;
    // A change of an earlier question about the same call doesn't belong to this one.
    return permission?.state === 'asked' ? permission.changed : undefined;
  }

  private patch(id: EntryId, fields: Partial<Omit<ToolCallEntry, 'id' | 'kind'>>): void {
    this.store.apply([{ op: 'patch', id, kind: 'tool_call', fields }]);
  }
}

/** One of Parley's own questions as the rules judged it. */
export type JudgedQuestion = Pick<OpenedCase, 'judgment' | 'request'>;

/** What is known about a request before the user sees it. */
interface OpenedCase {
  readonly judgment?: Judgment | undefined;
  readonly request?: PermissionCase | undefined;
  readonly changed?: ChangedCall | undefined;
  readonly words?: RequestWords | undefined;
  readonly takesEdit?: boolean;
  readonly isOfProgram?: true;
}

/** Returns whether the user can edit what a request is about, a change or a plan, and allow that once. */
function takesEdits(
  transcript: Transcript,
  entry: ToolCallEntry | undefined,
  options: readonly PermissionOption[],
): boolean {
  if (!entry || !options.some(({ kind }) => kind === 'allow_once')) return false;
  return entry.content.some(({ type }) => type === 'diff') || planSource(transcript, entry) !== undefined;
}

function subagentOf(speaker: Speaker | undefined): { subagent?: SessionId } {
  return speaker?.subagent === undefined ? {} : { subagent: speaker.subagent };
}
