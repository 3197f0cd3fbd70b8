import type { ElicitationParams, ElicitationResponse } from '../../acp/decodeElicitation';
import type { TurnCounter } from '../../acp/turnCounter';
import type { ElicitationAnswer, ElicitationAsk, ElicitationState } from '../../shared/elicitation';
import { checkContent, shownAnswers } from '../../shared/formModel';
import type { EntryId, RequestKey, SessionId, SessionKey, ToolCallId } from '../../shared/ids';
import { singleEntryId } from '../update/entryIds';
import type { TranscriptStore } from '../transcript/transcriptStore';

interface Pending {
  readonly entry: EntryId;
  readonly request: RequestKey;
  readonly ask: ElicitationAsk;
  readonly elicitationId: string | undefined;
  /** Whether it ends with the turn: what a request of ours needs outlives it. */
  readonly isOfTurn: boolean;
  readonly resolve: (answer: ElicitationResponse) => void;
}

/** Whom a form or an address is for: a turn of the session, maybe one of its tool calls, or a request of ours that waits. */
export interface ElicitationPlace {
  readonly isOfTurn: boolean;
  readonly toolCallId?: ToolCallId;
  /** The subagent that asks. */
  readonly subagent?: SessionId;
}

/** Forms and addresses that an agent shows the user of one session. Each is answered exactly once. */
export class Elicitations {
  private readonly store: TranscriptStore;
  private readonly turns: TurnCounter;
  private readonly session: SessionKey;
  private readonly onDidChange: () => void;
  private readonly pending = new Map<RequestKey, Pending>();
  /** Addresses that the user has opened, by the agent's id. */
  private readonly opened = new Map<string, EntryId>();

  constructor(store: TranscriptStore, turns: TurnCounter, session: SessionKey, onDidChange: () => void) {
    this.store = store;
    this.turns = turns;
    this.session = session;
    this.onDidChange = onDidChange;
  }

  get count(): number {
    return this.pending.size;
  }

  /** Shows what the agent asks and resolves to the user's answer, or to `cancel` when it is withdrawn. */
  async ask(params: ElicitationParams, place: ElicitationPlace, signal: AbortSignal): Promise<ElicitationResponse> {
    if (signal.aborted) return { action: 'cancel' };
    const { message, ask, elicitationId } = params;
    const { isOfTurn, toolCallId, subagent } = place;
    const entry = singleEntryId('elicitation', this.store.transcript.rev);
    // Pages keep what was typed under this key: it must not come again in another window.
    const request = `${this.session}/${entry}` as RequestKey;
    const answer = new Promise<ElicitationResponse>((resolve) => {
      this.pending.set(request, { entry, request, ask, elicitationId, isOfTurn, resolve });
    });
    const withdraw = () => this.settle(request, { action: 'cancel' }, { state: 'withdrawn' });
    signal.addEventListener('abort', withdraw, { once: true });
    this.store.append({
      kind: 'elicitation',
      id: entry,
      turn: this.turns.current,
      message,
      ...(toolCallId === undefined ? {} : { about: toolCallId }),
      ...(subagent === undefined ? {} : { subagent }),
      question: { state: 'asked', request, ask },
    });
    this.onDidChange();
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  /** The address behind an open question; undefined when there is none. */
  addressOf(request: RequestKey): string | undefined {
    const ask = this.pending.get(request)?.ask;
    return ask?.mode === 'url' ? ask.address.href : undefined;
  }

  /** Takes the user's answer; nothing happens when the question is no longer open. */
  answer(request: RequestKey, answer: ElicitationAnswer): void {
    const pending = this.pending.get(request);
    if (!pending) return;
    if (answer.action === 'decline') this.settle(request, { action: 'decline' }, { state: 'declined' });
    else if (answer.action === 'cancel') this.settle(request, { action: 'cancel' }, { state: 'dismissed' });
    else if (pending.ask.mode === 'url') this.acceptAddress(pending, pending.ask.address.host);
    else {
      const { fields } = pending.ask;
      const content = checkContent(fields, answer.content);
      if (!content) this.refuse(request, 'notValid');
      else {
        // A key of the agent's may be `__proto__`: `fromEntries` keeps it a key like any other.
        const sent = Object.fromEntries(
          content.map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
        );
        const answers = shownAnswers(fields, content);
        this.settle(request, { action: 'accept', content: sent }, { state: 'submitted', answers });
      }
    }
  }

  /** The answer did not count, and the question stays open. */
  refuse(request: RequestKey, problem: 'notOpened' | 'notValid'): void {
    const pending = this.pending.get(request);
    if (pending) this.show(pending.entry, { state: 'asked', request, ask: pending.ask, problem });
  }

  /** `elicitation/complete`: what happened outside is over. Ids that nobody knows change nothing. */
  complete(elicitationId: string): void {
    const entry = this.opened.get(elicitationId);
    const question = entry && this.questionOf(entry);
    if (entry && question?.state === 'opened') {
      this.opened.delete(elicitationId);
      this.show(entry, { ...question, isDone: true });
      return;
    }
    for (const pending of [...this.pending.values()]) {
      // The user has not agreed to anything here, so this is no consent.
      if (pending.elicitationId !== elicitationId) continue;
      this.settle(pending.request, { action: 'cancel' }, { state: 'completed' });
    }
  }

  /** Withdraws what is open; with `turn` only what belongs to the turn, with `isIn` only what stands in certain entries. */
  cancelAll(which: 'turn' | 'all', isIn?: (entry: EntryId) => boolean): void {
    for (const { request, entry, isOfTurn } of [...this.pending.values()]) {
      if ((which === 'all' || isOfTurn) && (isIn?.(entry) ?? true))
        this.settle(request, { action: 'cancel' }, { state: 'withdrawn' });
    }
    if (which === 'all' && !isIn) this.opened.clear();
  }

  private acceptAddress({ request, entry, elicitationId }: Pending, host: string): void {
    if (elicitationId !== undefined) this.opened.set(elicitationId, entry);
    this.settle(request, { action: 'accept' }, { state: 'opened', host, isDone: false });
  }

  private settle(request: RequestKey, answer: ElicitationResponse, state: ElicitationState): void {
    const pending = this.pending.get(request);
    if (!pending) return;
    this.pending.delete(request);
    this.show(pending.entry, state);
    pending.resolve(answer);
    this.onDidChange();
  }

  private questionOf(id: EntryId): ElicitationState | undefined {
    const entry = this.store.transcript.entries.get(id);
    return entry?.kind === 'elicitation' ? entry.question : undefined;
  }

  private show(id: EntryId, question: ElicitationState): void {
    const entry = this.store.transcript.entries.get(id);
    if (entry?.kind === 'elicitation') this.store.apply([{ op: 'replace', entry: { ...entry, question } }]);
  }
}
