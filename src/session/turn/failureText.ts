import * as l10n from '@vscode/l10n';
import { readableError } from '../../acp/base/errors';
import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import type { EntryId } from '../../shared/values/ids';
import type { Transcript } from '../../shared/transcript/transcript';
import type { Failure } from '../failures';

/** A longer text is an answer, not the reason of a failure. */
const textLimit = 4000;

/**
 * Codex reports that its turn has failed, and then sends the reason like an answer, as a message. Messages after such a
 * report are held until the turn ends, because they belong on the error card.
 */
export class FailureText {
  private held: SessionUpdate[] = [];
  private said = '';
  private isFailing = false;

  /** Whether the agent has reported that the turn failed. */
  get isReported(): boolean {
    return this.isFailing;
  }

  /** The reason, as far as the agent sent one. */
  get text(): string {
    return this.said.trim().replace(/^Error: /, '');
  }

  /** Whether the answer is only as long as the agent's limit of tokens allows. */
  get isCutOff(): boolean {
    return this.isFailing && /^incomplete response returned, reason: max_output_tokens$/i.test(this.text);
  }

  /** Returns the updates to show after this one. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    if (update.sessionUpdate === 'session_info_update' && update.hasFailed !== undefined) {
      this.isFailing = update.hasFailed;
      return update.hasFailed ? [update] : [...this.release(), update];
    }
    if (!this.isFailing) return [update];
    if (continuesTurn(update)) {
      this.isFailing = false;
      return [...this.release(), update];
    }
    const text = textOf(update);
    if (text === undefined) return [update];
    this.held.push(update);
    this.said += text;
    return this.said.length > textLimit ? this.release() : [];
  }

  /** Returns and forgets the messages that were held. */
  release(): readonly SessionUpdate[] {
    const { held } = this;
    this.held = [];
    this.said = '';
    return held;
  }

  /** Forgets the messages that were held if an error says the same, so that it isn't shown twice. */
  dropIfIn(error: unknown): void {
    const { message, detail = '' } = readableError(error);
    const said = `${message}\n${detail}`;
    const { text } = this;
    if (said.includes(text) || text.includes(message)) this.release();
  }
}

/** Returns a failure in words that are true if the answer has begun: it was cut off. */
export function withBeginning<F extends Failure>(failure: F, { order, entries, view }: Transcript, turn: number): F {
  const last = entries.get(order.at(-1) ?? ('' as EntryId));
  if (failure.code !== 'promptFailed' || last?.kind !== 'agent_message') return failure;
  const [first] = last.content;
  // Nanocoder says in a message that it has failed.
  const isError = first?.type === 'text' && /^\W*error\b/i.test(first.text);
  if (last.turn !== turn || last.subagent !== undefined || isError) return failure;
  return { ...failure, title: l10n.t('{0}’s answer was cut off.', view.agentName) };
}

/**
 * Returns the message that a turn ends with, if it has no other words than the error that follows, so that they aren't shown twice. Claude
 * sends the reason of a failure both ways.
 */
export function saidAsError({ order, entries }: Transcript, turn: number, error: unknown): EntryId | undefined {
  const last = entries.get(order.at(-1) ?? ('' as EntryId));
  if (last?.kind !== 'agent_message' || last.turn !== turn || last.subagent !== undefined) return undefined;
  if (!last.content.every(({ type }) => type === 'text')) return undefined;
  const said = last.content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim();
  const { message, detail } = readableError(error);
  const isSame = detail === undefined && said !== '' && (message === said || message === `Internal error: ${said}`);
  return isSame ? last.id : undefined;
}

function textOf(update: SessionUpdate): string | undefined {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return update.content.type === 'text' ? update.content.text : undefined;
    case 'agent_message':
      return update.content?.every(({ type }) => type === 'text')
        ? update.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
        : undefined;
    default:
      return undefined;
  }
}

/** Returns whether an update shows that the agent works on, so its report was wrong, or was about one attempt. */
function continuesTurn(update: SessionUpdate): boolean {
  switch (update.sessionUpdate) {
    case 'agent_thought_chunk':
      return true;
    case 'tool_call_update':
      return update.fields.status === 'pending' || update.fields.status === 'in_progress';
    default:
      return false;
  }
}
