import { setTimeout as delay } from 'node:timers/promises';
import {
  methods,
  type AgentContext,
  type PermissionOption,
  type PlanEntry,
  type SessionUpdate,
  type ToolCall,
  type ToolCallContent,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';

/**
 * Pause between two words, in milliseconds. Defaults to about the pace of a fast model; tests with many turns set a
 * shorter one.
 */
const wordPause = Number(process.env['PARLEY_TOUR_PAUSE'] ?? 14);

/** Sends the output of one turn to the client. Every method throws an `AbortError` once the turn is cancelled. */
export class TurnOutput {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  private readonly pauseMs: number;
  private toolCalls = 0;
  private readonly idPrefix = `tour-${Date.now().toString(36)}`;

  constructor(client: AgentContext, sessionId: string, signal: AbortSignal, pauseMs = wordPause) {
    this.client = client;
    this.sessionId = sessionId;
    this.signal = signal;
    this.pauseMs = pauseMs;
  }

  async update(update: SessionUpdate): Promise<void> {
    this.signal.throwIfAborted();
    await this.client.notify(methods.client.session.update, { sessionId: this.sessionId, update });
  }

  /** Streams Markdown word by word. */
  async say(text: string): Promise<void> {
    await this.stream('agent_message_chunk', text);
  }

  async think(text: string): Promise<void> {
    await this.stream('agent_thought_chunk', text);
  }

  async plan(entries: PlanEntry[]): Promise<void> {
    await this.update({ sessionUpdate: 'plan', entries });
  }

  async startTool(call: Omit<ToolCall, 'toolCallId'>): Promise<string> {
    this.toolCalls += 1;
    const toolCallId = `${this.idPrefix}-${this.toolCalls}`;
    await this.update({ sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...call });
    return toolCallId;
  }

  async updateTool(toolCallId: string, fields: Omit<ToolCallUpdate, 'toolCallId'>): Promise<void> {
    await this.update({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });
  }

  /** Requests permission in the chat; resolves to false if the user rejects. A cancelled request ends the turn. */
  async ask(toolCallId: string, content: ToolCallContent[] | undefined, options: PermissionOption[]): Promise<boolean> {
    const answer = await this.client.request(methods.client.session.requestPermission, {
      sessionId: this.sessionId,
      toolCall: { toolCallId, ...(content && { content }) },
      options,
    });
    this.signal.throwIfAborted();
    const { outcome } = answer;
    if (outcome.outcome !== 'selected') throw new DOMException('The question was cancelled.', 'AbortError');
    const chosen = options.find((option) => option.optionId === outcome.optionId);
    return chosen?.kind === 'allow_once' || chosen?.kind === 'allow_always';
  }

  private async stream(kind: 'agent_message_chunk' | 'agent_thought_chunk', text: string): Promise<void> {
    for (const word of text.match(/\s*\S+\s*/g) ?? []) {
      await this.update({ sessionUpdate: kind, content: { type: 'text', text: word } });
      await delay(this.pauseMs, undefined, { signal: this.signal });
    }
  }
}
