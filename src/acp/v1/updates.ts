import type { ContentBlock, ToolCallContent } from '../../shared/transcript/content';
import type { MessageId, PlanId, TerminalId, ToolCallId } from '../../shared/values/ids';
import { commandLineOf } from '../../rules/requestedAction';
import { decodeContentBlock } from '../decode/decodeContent';
import { decodeConfigOptions } from '../decode/decodeConfig';
import { discreteMessage, type DiscreteMessage } from './discreteMessage';
import { decodeToolCall, type DecodedToolCall } from './decodeToolCall';
import { permissionAnswer } from '../decode/decodePermissionOptions';
import { decodePlainUpdate, decodePlanItems } from '../decode/decodeUpdate';
import { asList, asObject, asString, compact, type JsonObject } from '../../shared/values/decodeValue';
import type { PlanItem } from '../../shared/transcript/transcript';
import type { UpdateReader, UpgradedPermission } from '../dialect/dialect';
import type { SessionUpdate } from '../shape/sessionUpdate';
import { updateKinds } from '../shape/updateKinds';
import { TurnCounter } from '../shape/turnCounter';
import type { UsedIds } from '../shape/usedIds';
import { failureMark } from './normalizeUpdate';
import { unseen } from './outputPictures';
import { decodePermission, toolCallSubject } from './permission';
import { questionnaireOf } from './questionnaire';

export type Role = 'user_message' | 'agent_message' | 'agent_thought';

/** The state of a tool call that the transcript doesn't show. */
interface KnownCall {
  readonly id: ToolCallId;
  readonly turn: number;
  ended: boolean;
  input: unknown;
  /** The command in the permission request. The terminal is labeled with it, whatever the agent reports later. */
  askedCommand: string | undefined;
  /** The call's display-only terminal, once it has been shown. */
  terminalId: TerminalId | undefined;
  /** Whether that terminal has had any output. */
  hasOutput: boolean;
  /** What its content has, without what came from its raw output. */
  content: readonly ToolCallContent[];
  /** The images and audio from its raw output that were added to the content. */
  media: DecodedToolCall['media'];
}

/**
 * Upgrades the updates of version 1 (https://agentclientprotocol.com/protocol/prompt-turn) to `SessionUpdate`s. Chunks
 * without a message id get one, and an id reused in a later turn refers to a new call or message.
 */
export class V1Reader implements UpdateReader {
  /**
   * The message that a chunk without an id continues. A message with an id from the agent is continued only by chunks
   * with that id.
   */
  private current: { role: Role; id: MessageId; isNamed: boolean } | undefined;
  /** The last message of the agent said why the turn fails. */
  private isFailing = false;
  private readonly messages = new Map<string, { id: MessageId; turn: number }>();
  private readonly calls = new Map<string, KnownCall>();
  private readonly subagents = new Map<string, ToolCallId>();
  private readonly unfinished = new Set<KnownCall>();
  /** What Qwen has reported of its background tasks, because it does so twice. */
  private readonly reports = new Set<string>();
  private readonly turns: TurnCounter;
  private readonly ids: UsedIds;

  /**
   * `ids` are those of the transcript. A session and its subagents share them, so that equal ids never refer to the
   * same item.
   */
  constructor(turns: TurnCounter, ids: UsedIds) {
    this.turns = turns;
    this.ids = ids;
  }

  turnBegan(): void {
    this.isFailing = false;
    this.current = undefined;
  }

  turnEnded(): void {
    this.current = undefined;
    this.unfinished.clear();
  }

  breakText(): void {
    this.current = undefined;
  }

  /** Ids of this version say nothing beyond a turn. */
  continueSession(): void {
    this.breakText();
  }

  continueCall(wireId: ToolCallId, id: ToolCallId, terminalId: TerminalId | undefined): void {
    const call = { ...newCall(id, this.turns.current), terminalId, hasOutput: true };
    this.calls.set(wireId, call);
    this.unfinished.add(call);
  }

  callId(wireId: ToolCallId): ToolCallId {
    return this.calls.get(wireId)?.id ?? wireId;
  }

  wireCallId(id: ToolCallId): ToolCallId {
    for (const [wireId, call] of this.calls) if (call.id === id) return wireId as ToolCallId;
    return id;
  }

  wireTerminalId(id: TerminalId): TerminalId {
    return id;
  }

  claimMessage(wireId: MessageId): MessageId {
    return wireId;
  }

  ofSubagent(): V1Reader {
    return new V1Reader(new TurnCounter(), this.ids);
  }

  upgrade(value: unknown): readonly SessionUpdate[] {
    const update = asObject(value);
    switch (update?.['sessionUpdate']) {
      case undefined:
        break;
      case 'user_message_chunk':
        return this.upgradeChunk(update, 'user_message');
      case 'agent_message_chunk':
        return this.upgradeChunk(update, 'agent_message');
      case 'agent_thought_chunk':
        return this.upgradeChunk(update, 'agent_thought');
      case 'user_message':
      case 'agent_message':
      case 'agent_thought':
        return this.upgradeMessage(update, update['sessionUpdate']);
      case 'tool_call':
      case 'tool_call_update': {
        const call = decodeToolCall(update);
        if (call) return this.upgradeToolCall(call, update['sessionUpdate'] === 'tool_call');
        break;
      }
      case 'plan': {
        const items = decodePlanItems(update['entries']);
        if (!items) break;
        this.breakText();
        return [{ sessionUpdate: 'plan_update', plan: { planId: onlyPlan, type: 'items', items } }];
      }
      case 'config_option_update': {
        const configOptions = decodeConfigOptions(update['configOptions']);
        if (configOptions) return [{ sessionUpdate: 'config_option_update', configOptions }];
        break;
      }
      default: {
        const plain = decodePlainUpdate(update as JsonObject);
        if (!plain) break;
        const fails = plain.sessionUpdate === 'session_info_update' && plain.hasFailed === true;
        if (fails || updateKinds[plain.sessionUpdate].breaksText === true) this.breakText();
        return [plain];
      }
    }
    return [{ sessionUpdate: 'unknown', raw: value }];
  }

  upgradePermission(params: unknown): UpgradedPermission {
    const { call, toolCall, options } = decodePermission(params);
    const upgraded = this.upgradeAskedCall(call);
    const form = questionnaireOf(toolCall, options);
    const permission = { ...upgraded, options, subject: toolCallSubject(toolCall), answer: permissionAnswer };
    return form ? { ...permission, form } : permission;
  }

  private upgradeAskedCall(call: DecodedToolCall): Pick<UpgradedPermission, 'toolCallId' | 'updates'> {
    const known = this.calls.get(call.toolCallId);
    if (!known || (known.turn !== this.turns.current && known.ended)) {
      const updates = this.upgradeToolCall(call, true, true);
      return { toolCallId: this.identify(call.toolCallId, false).id, updates };
    }
    // The request may show more or less than its call. Empty fields and the progress stay unchanged.
    const { title, name, toolKind, content, locations, rawInput } = call.fields;
    const fields = compact({
      title,
      name,
      toolKind,
      content: content?.length ? content : undefined,
      locations: locations?.length ? locations : undefined,
      rawInput: mergedInput(known.input, rawInput),
    });
    return { toolCallId: known.id, updates: this.upgradeToolCall({ ...call, fields }, false, true) };
  }

  private upgradeChunk(update: JsonObject, role: Role): readonly SessionUpdate[] {
    const content = decodeContentBlock(update['content']);
    if (!content) return [{ sessionUpdate: 'unknown', raw: update }];
    // Some agents send empty chunks as a keep-alive.
    if (content.type === 'text' && content.text === '') return [];
    const discrete = content.type === 'text' ? discreteMessage(update, content.text) : undefined;
    if (discrete) return this.upgradeDiscrete(update, role, content, discrete);
    if (role === 'agent_message') return this.upgradeAnswer(update, content);
    const messageId = this.identifyMessage(role, asString(update['messageId']));
    return [{ sessionUpdate: `${role}_chunk`, messageId, content }];
  }

  /** Some agents say why a turn fails in a message of its own, and go on nevertheless, or end the turn as a good one. */
  private upgradeAnswer(update: JsonObject, content: ContentBlock): readonly SessionUpdate[] {
    const fails = asObject(update['_meta'])?.[failureMark] === true;
    if (fails || this.isFailing) this.breakText();
    const messageId = this.identifyMessage('agent_message', asString(update['messageId']));
    const chunk = { sessionUpdate: 'agent_message_chunk', messageId, content } as const;
    if (!fails && !this.isFailing) return [chunk];
    this.isFailing = fails;
    return [{ sessionUpdate: 'session_info_update', hasFailed: fails }, chunk];
  }

  private upgradeDiscrete(
    update: JsonObject,
    role: Role,
    content: ContentBlock,
    { notice, report }: DiscreteMessage,
  ): readonly SessionUpdate[] {
    if (report !== undefined && this.reports.has(report)) return [];
    if (report !== undefined) this.reports.add(report);
    this.breakText();
    if (notice) return [notice];
    const messageId = this.identifyMessage(role, asString(update['messageId']));
    this.breakText();
    return [{ sessionUpdate: `${role}_chunk`, messageId, content }];
  }

  private upgradeMessage(update: JsonObject, role: Role): readonly SessionUpdate[] {
    const messageId = asString(update['messageId']);
    if (!messageId) return [{ sessionUpdate: 'unknown', raw: update }];
    const content = update['content'] === null ? [] : asList(update['content'], decodeContentBlock);
    const id = this.identifyMessage(role, messageId);
    return [{ sessionUpdate: role, messageId: id, ...compact({ content }) }];
  }

  private identifyMessage(role: Role, wireId: string | undefined): MessageId {
    if (!wireId) {
      if (this.current?.role === role && !this.current.isNamed) return this.current.id;
      this.beginReplayedTurn(role);
      this.current = { role, id: this.ids.next() as MessageId, isNamed: false };
      return this.current.id;
    }
    // Message ids are unique only within one role.
    const key = `${role} ${wireId}`;
    const known = this.messages.get(key);
    if (known?.turn === this.turns.current) {
      this.current = { role, id: known.id, isNamed: true };
      return known.id;
    }
    this.beginReplayedTurn(role);
    const id = this.ids.unused(role, wireId) as MessageId;
    this.messages.set(key, { id, turn: this.turns.current });
    this.current = { role, id, isNamed: true };
    return id;
  }

  /** Starts a turn for a replayed user message, outside a live turn. */
  private beginReplayedTurn(role: Role): void {
    if (role === 'user_message') this.turns.beginReplayed();
  }

  private identify(wireId: ToolCallId, announces: boolean): KnownCall {
    const known = this.calls.get(wireId);
    if (known && !(announces && known.turn !== this.turns.current)) return known;
    const id = this.ids.unused('tool_call', wireId) as ToolCallId;
    const call = newCall(id, this.turns.current);
    this.calls.set(wireId, call);
    this.current = undefined;
    return call;
  }

  private upgradeToolCall(call: DecodedToolCall, announces: boolean, asks = false): readonly SessionUpdate[] {
    const before = this.calls.get(call.toolCallId);
    const parent = this.parentOf(call);
    const known = this.identify(call.toolCallId, announces);
    const fields = parent === undefined || parent === known.id ? call.fields : { ...call.fields, parent };
    this.note(known, call, parent);
    const updates: SessionUpdate[] = [];
    const { terminal } = call;
    if (asks) known.askedCommand = terminalCommand(call) ?? known.askedCommand;
    const command = known.askedCommand ?? terminalCommand(call);
    const isNewTerminal = terminal !== undefined && known.terminalId !== terminal.terminalId;
    if (terminal && (isNewTerminal || terminal.info || terminalCommand(call) !== undefined)) {
      const texts = { ...compact({ command }), ...terminal.info };
      updates.push({ sessionUpdate: 'terminal_update', terminalId: terminal.terminalId, ...texts });
    } else if (known.terminalId && command !== undefined && terminalCommand(call) !== undefined) {
      updates.push({ sessionUpdate: 'terminal_update', terminalId: known.terminalId, command });
    }
    if (terminal?.output) {
      known.hasOutput = true;
      updates.push({ sessionUpdate: 'terminal_output_chunk', terminalId: terminal.terminalId, data: terminal.output });
    }
    const shownIn = terminal?.terminalId ?? known.terminalId ?? shownTerminal(call);
    const whole = known.hasOutput || shownIn === undefined ? undefined : wholeOutput(call.fields.rawOutput);
    if (shownIn !== undefined && whole !== undefined) {
      known.hasOutput = true;
      updates.push({ sessionUpdate: 'terminal_output_chunk', terminalId: shownIn, data: whole });
    }
    if (terminal?.exit) {
      updates.push({ sessionUpdate: 'terminal_update', terminalId: terminal.terminalId, exit: terminal.exit });
    }
    if (known !== before || Object.keys(fields).length > 0) {
      const update = { sessionUpdate: 'tool_call_update', toolCallId: known.id, fields } as const;
      updates.push(asks ? { ...update, asks } : update);
    }
    if (terminal && isNewTerminal) {
      known.terminalId = terminal.terminalId;
      if (!call.fields.content?.some((item) => item.type === 'terminal')) {
        const content = { type: 'terminal', terminalId: terminal.terminalId } as const;
        updates.push({ sessionUpdate: 'tool_call_content_chunk', toolCallId: known.id, content });
      }
    }
    const { media } = known;
    known.media = [...media, ...unseen(call.media, media.map(asContent))];
    // New content replaces what was added to the content before.
    if (fields.content) known.content = fields.content;
    const shown = fields.content ? known.content : [...known.content, ...media.map(asContent)];
    for (const content of unseen(known.media, shown).map(asContent)) {
      updates.push({ sessionUpdate: 'tool_call_content_chunk', toolCallId: known.id, content });
    }
    const items = todoItems(call);
    if (items) {
      this.breakText();
      updates.push({ sessionUpdate: 'plan_update', plan: { planId: onlyPlan, type: 'items', items } });
    }
    return updates;
  }

  private note(known: KnownCall, { fields }: DecodedToolCall, parent: ToolCallId | undefined): void {
    if (fields.rawInput !== undefined) known.input = fields.rawInput;
    if (!known.ended && fields.status !== undefined && endStatuses.has(fields.status)) {
      known.ended = true;
      // The model's next text follows from the call, and the text before led to it.
      this.current = undefined;
    }
    if (known.ended) this.unfinished.delete(known);
    else if (parent === undefined) this.unfinished.add(known);
  }

  private parentOf(call: DecodedToolCall): ToolCallId | undefined {
    if (call.parentToolUseId) {
      return this.calls.get(call.parentToolUseId)?.id ?? (call.parentToolUseId as ToolCallId);
    }
    if (!call.subagentId) return undefined;
    // Copilot reports the subagent but not the call that started it. Use the newest running top-level call.
    const known = this.subagents.get(call.subagentId) ?? [...this.unfinished].at(-1)?.id;
    if (known !== undefined) this.subagents.set(call.subagentId, known);
    return known;
  }
}

function newCall(id: ToolCallId, turn: number): KnownCall {
  return {
    id,
    turn,
    ended: false,
    input: undefined,
    askedCommand: undefined,
    terminalId: undefined,
    hasOutput: false,
    content: [],
    media: [],
  };
}

/** The id of the only plan in version 1 (https://agentclientprotocol.com/protocol/agent-plan). */
const onlyPlan = 'plan' as PlanId;

const endStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Returns the to-do list that a call sets. opencode and Kilo report it only as the input of their tool. */
function todoItems({ fields }: DecodedToolCall): readonly PlanItem[] | undefined {
  if (fields.toolKind !== undefined && fields.toolKind !== 'other' && fields.toolKind !== 'think') return undefined;
  const todos = asObject(fields.rawInput)?.['todos'];
  if (!Array.isArray(todos)) return undefined;
  const items = decodePlanItems(todos);
  return items?.length === todos.length ? items : undefined;
}

/** Merges the request's input over the call's input (opencode announces a folder and asks for a command). */
function mergedInput(before: unknown, asked: unknown): unknown {
  const [old, fresh] = [asObject(before), asObject(asked)];
  return old && fresh ? { ...old, ...fresh } : asked;
}

/** Returns the terminal in a call's content: the agent's, or Parley's, which accepts no reported output. */
function shownTerminal({ fields }: DecodedToolCall): TerminalId | undefined {
  return fields.content?.find((item) => item.type === 'terminal')?.terminalId;
}

/** Returns a command's whole output, as codex-zed reports it at the end, because some commands have no live output. */
function wholeOutput(rawOutput: unknown): string | undefined {
  const output = asObject(rawOutput);
  return asString(output?.['aggregated_output']) || asString(output?.['formatted_output']) || undefined;
}

function asContent(content: ContentBlock): ToolCallContent {
  return { type: 'content', content };
}

function terminalCommand({ fields }: DecodedToolCall): string | undefined {
  return commandLineOf(fields.rawInput) ?? fields.title?.replace(/^`([^`]+)`$/s, '$1');
}
