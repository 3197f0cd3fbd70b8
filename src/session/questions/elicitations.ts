import { compact } from '../../shared/values/decodeValue';
import type { ElicitationParams, ElicitationResponse } from '../../acp/decode/decodeElicitation';
import type { TurnCounter } from '../../acp/shape/turnCounter';
import type { ElicitationAnswer, ElicitationAsk, ElicitationState } from '../../shared/forms/elicitation';
import { checkContent, shownAnswers } from '../../shared/forms/formModel';
import type { EntryId, RequestKey, SessionId, SessionKey, ToolCallId } from '../../shared/values/ids';
import { singleEntryId } from '../update/entryIds';
import type { TranscriptStore } from '../transcript/transcriptStore';

interface Pending {
  readonly entry: EntryId;
  readonly request: RequestKey;
  readonly ask: ElicitationAsk;
  readonly elicitationId: string | undefined;
  /** Whether the elicitation ends with the turn. One that Parley's own request needs outlives the turn. */
  readonly isOfTurn: boolean;
  readonly resolve: (answer: ElicitationResponse) => void;
}

/**
 * The target of a form or URL: a turn of the session, possibly one of its tool calls, or a pending request of Parley's.
 */
export interface ElicitationPlace {
  readonly isOfTurn: boolean;
  readonly toolCallId?: ToolCallId;
  /** The subagent that asks. */
  readonly subagent?: SessionId;
}

/** Forms and URLs that an agent shows the user in one session. Each is answered exactly once. */
export class Elicitations {
  private readonly store: TranscriptStore;
  private readonly turns: TurnCounter;
  private readonly session: SessionKey;
  private readonly onDidChange: () => void;
  private readonly pending = new Map<RequestKey, Pending>();
  /** URLs that the user has opened, by the agent's id. */
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

  /** Shows the agent's form or URL. Resolves to the user's answer, or to `cancel` if it is withdrawn. */
  async ask(params: ElicitationParams, place: ElicitationPlace, signal: AbortSignal): Promise<ElicitationResponse> {
    if (signal.aborted) return { action: 'cancel' };
    const { message, ask, elicitationId } = params;
    const { isOfTurn, toolCallId, subagent } = place;
    const entry = singleEntryId('elicitation', this.store.transcript.rev);
    // Pages keep the user's input under this key, so the key must not repeat in another window.
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
      ...compact({ about: toolCallId, subagent }),
      question: { state: 'asked', request, ask },
    });
    this.onDidChange();
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  /** Returns the URL of an open question; undefined if there is none. */
  addressOf(request: RequestKey): string | undefined {
    const ask = this.pending.get(request)?.ask;
    return ask?.mode === 'url' ? ask.address.href : undefined;
  }

  /** Handles the user's answer; does nothing if the question is no longer open. */
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
        // An agent's key may be `__proto__`; `fromEntries` treats it like any other key.
        const sent = Object.fromEntries(
          content.map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
        );
        const answers = shownAnswers(fields, content);
        this.settle(request, { action: 'accept', content: sent }, { state: 'submitted', answers });
      }
    }
  }

  /** Reports that the answer was invalid. The question stays open. */
  refuse(request: RequestKey, problem: 'notOpened' | 'notValid'): void {
    const pending = this.pending.get(request);
    if (pending) this.show(pending.entry, { state: 'asked', request, ask: pending.ask, problem });
  }

  /** Handles `elicitation/complete`: the action outside the editor is finished. Ignores unknown ids. */
  complete(elicitationId: string): void {
    const entry = this.opened.get(elicitationId);
    const question = entry && this.questionOf(entry);
    if (entry && question?.state === 'opened') {
      this.opened.delete(elicitationId);
      this.show(entry, { ...question, isDone: true });
      return;
    }
    for (const pending of [...this.pending.values()]) {
      // The user has not agreed to anything here, so this isn't consent.
      if (pending.elicitationId !== elicitationId) continue;
      this.settle(pending.request, { action: 'cancel' }, { state: 'completed' });
    }
  }

  /** Withdraws open questions: with `turn` only those of the turn, with `isIn` only those in matching entries. */
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
