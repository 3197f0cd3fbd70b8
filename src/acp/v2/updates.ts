import type { MessageId, TerminalId, ToolCallId } from '../../shared/values/ids';
import { decodeContentBlock } from '../decode/decodeContent';
import { decodeConfigOptions } from '../decode/decodeConfig';
import { decodePermissionOptions, permissionAnswer } from '../decode/decodePermissionOptions';
import { decodePlainUpdate } from '../decode/decodeUpdate';
import {
  asList,
  asNumber,
  asObject,
  asRaw,
  asString,
  compact,
  isAbsent,
  type JsonObject,
} from '../../shared/values/decodeValue';
import type { UpdateReader, UpgradedPermission } from '../dialect/dialect';
import { invalidParams } from '../base/errors';
import type { BackgroundWork, SessionUpdate, ToolCallFields } from '../shape/sessionUpdate';
import { updateKinds } from '../shape/updateKinds';
import { TurnCounter } from '../shape/turnCounter';
import type { UsedIds } from '../shape/usedIds';
import { decodeState } from './decodeState';
import { decodeContentItem, decodeToolCall, type DecodedToolCall } from './decodeToolCall';
import { toolCallSubject } from './permission';
import { TerminalBytes } from './terminalBytes';

type Role = 'user_message' | 'agent_message' | 'agent_thought';
type Kind = Role | 'tool_call' | 'terminal';

/**
 * Reads the updates of version 2 (https://agentclientprotocol.com/protocol/v2/prompt-lifecycle), whose shape is almost
 * that of `SessionUpdate`. Its ids are unique in a session, so an id of an earlier process is the same item, unless the
 * agent has begun another session.
 */
export class V2Reader implements UpdateReader {
  /** The transcript's ids by the agent's. */
  private readonly known = new Map<string, string>();
  private readonly terminals = new Map<TerminalId, TerminalBytes>();
  /** The message that a chunk without an id continues, which the protocol doesn't allow. */
  private anonymous: { readonly role: Role; readonly id: MessageId } | undefined;
  private isSameSession = false;
  private readonly turns: TurnCounter;
  private readonly ids: UsedIds;

  constructor(turns: TurnCounter, ids: UsedIds) {
    this.turns = turns;
    this.ids = ids;
  }

  turnBegan(): void {
    this.anonymous = undefined;
  }

  turnEnded(): void {
    this.anonymous = undefined;
  }

  breakText(): void {
    this.anonymous = undefined;
  }

  continueSession(isSame: boolean): void {
    this.isSameSession = isSame;
  }

  continueCall(wireId: ToolCallId, id: ToolCallId): void {
    this.known.set(`tool_call ${wireId}`, id);
  }

  callId(wireId: ToolCallId): ToolCallId {
    return (this.known.get(`tool_call ${wireId}`) ?? wireId) as ToolCallId;
  }

  wireCallId(id: ToolCallId): ToolCallId {
    return this.wireId('tool_call', id) as ToolCallId;
  }

  wireTerminalId(id: TerminalId): TerminalId {
    return this.wireId('terminal', id) as TerminalId;
  }

  claimMessage(wireId: MessageId): MessageId {
    return this.identify('user_message', wireId) as MessageId;
  }

  ofSubagent(): V2Reader {
    return new V2Reader(new TurnCounter(), this.ids);
  }

  upgrade(value: unknown): readonly SessionUpdate[] {
    const update = asObject(value);
    const upgraded = update && this.upgradeKnown(update);
    return upgraded ?? [{ sessionUpdate: 'unknown', raw: value }];
  }

  upgradePermission(params: unknown): UpgradedPermission {
    const object = asObject(params) ?? {};
    const options = decodePermissionOptions(object['options']);
    const title = asString(object['title']) ?? '';
    const words = compact({ title, description: asString(object['description']) });
    const common = { options, words, answer: permissionAnswer };
    const subject = asObject(object['subject']);
    switch (subject?.['type']) {
      case 'tool_call': {
        const toolCall = asObject(subject['toolCall']);
        const call = decodeToolCall(toolCall);
        if (!toolCall || !call) throw invalidParams('toolCall must have a toolCallId', { field: 'subject' });
        const updates = this.upgradeToolCall(call, true);
        return { ...common, toolCallId: this.callId(call.toolCallId), updates, subject: toolCallSubject(toolCall) };
      }
      case 'command':
        return { ...common, ...this.upgradeCommand(subject, title) };
      default:
        return { ...common, ...this.upgradeUnknown(subject, words) };
    }
  }

  private upgradeKnown(update: JsonObject): readonly SessionUpdate[] | undefined {
    const kind = asString(update['sessionUpdate']);
    switch (kind) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        return this.upgradeChunk(update, kind);
      case 'user_message':
      case 'agent_message':
      case 'agent_thought':
        return this.upgradeMessage(update, kind);
      case 'state_update': {
        const state = decodeState(update);
        if (!state) return undefined;
        const { background } = state;
        return [background ? { ...state, background: background.map((work) => this.identifyWork(work)) } : state];
      }
      case 'tool_call_update': {
        const call = decodeToolCall(update);
        return call && this.upgradeToolCall(call, false);
      }
      case 'tool_call_content_chunk': {
        const toolCallId = asString(update['toolCallId']);
        const items = decodeContentItem(update['content']);
        if (!toolCallId || items.length === 0) return undefined;
        const id = this.identify('tool_call', toolCallId) as ToolCallId;
        return items.map((content) => ({ sessionUpdate: 'tool_call_content_chunk', toolCallId: id, content }));
      }
      case 'terminal_update':
      case 'terminal_output_chunk':
        return this.upgradeTerminal(update, kind);
      case 'config_option_update': {
        const configOptions = decodeConfigOptions(update['configOptions']);
        return configOptions && [{ sessionUpdate: 'config_option_update', configOptions }];
      }
      case 'current_mode_update':
        return undefined;
      default: {
        const plain = decodePlainUpdate(update);
        if (plain && updateKinds[plain.sessionUpdate].breaksText === true) this.breakText();
        return plain && [plain];
      }
    }
  }

  private upgradeChunk(update: JsonObject, kind: `${Role}_chunk`): readonly SessionUpdate[] | undefined {
    const content = decodeContentBlock(update['content']);
    if (!content) return undefined;
    if (content.type === 'text' && content.text === '') return [];
    const role = kind.slice(0, -'_chunk'.length) as Role;
    const messageId = this.identifyMessage(role, asString(update['messageId']));
    return [{ sessionUpdate: kind, messageId, content }];
  }

  private upgradeMessage(update: JsonObject, role: Role): readonly SessionUpdate[] | undefined {
    const wireId = asString(update['messageId']);
    if (!wireId) return undefined;
    const content = update['content'] === null ? [] : asList(update['content'], decodeContentBlock);
    const messageId = this.identifyMessage(role, wireId);
    return [{ sessionUpdate: role, messageId, ...compact({ content }) }];
  }

  private identifyMessage(role: Role, wireId: string | undefined): MessageId {
    if (!wireId) {
      if (this.anonymous?.role === role) return this.anonymous.id;
      this.anonymous = { role, id: this.ids.next() as MessageId };
      if (role === 'user_message') this.turns.beginReplayed();
      return this.anonymous.id;
    }
    this.anonymous = undefined;
    // A user message that isn't of a turn begins one: it is replayed, or from another client.
    if (role === 'user_message' && !this.isKnown(role, wireId)) this.turns.beginReplayed();
    return this.identify(role, wireId) as MessageId;
  }

  private isKnown(kind: Kind, wireId: string): boolean {
    return this.known.has(`${kind} ${wireId}`) || (this.isSameSession && this.ids.has(kind, wireId));
  }

  private identify(kind: Kind, wireId: string): string {
    const key = `${kind} ${wireId}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const id = this.isKnown(kind, wireId) ? wireId : this.ids.unused(kind, wireId);
    this.known.set(key, id);
    return id;
  }

  private wireId(kind: Kind, id: string): string {
    for (const [key, one] of this.known)
      if (one === id && key.startsWith(`${kind} `)) return key.slice(kind.length + 1);
    return id;
  }

  private identifyWork(work: BackgroundWork): BackgroundWork {
    if (work.type === 'terminal')
      return { ...work, terminalId: this.identify('terminal', work.terminalId) as TerminalId };
    if (work.type === 'tool_call')
      return { ...work, toolCallId: this.identify('tool_call', work.toolCallId) as ToolCallId };
    return work;
  }

  private upgradeToolCall(
    { toolCallId, fields, parentToolUseId }: DecodedToolCall,
    asks: boolean,
  ): readonly SessionUpdate[] {
    this.anonymous = undefined;
    const id = this.identify('tool_call', toolCallId) as ToolCallId;
    const parent = parentToolUseId ? this.callId(parentToolUseId as ToolCallId) : undefined;
    const { content } = fields;
    const shown: ToolCallFields = {
      ...fields,
      ...(content ? { content: content.map((item) => this.withTerminal(item)) } : {}),
      ...(parent === undefined || parent === id ? {} : { parent }),
    };
    const update = { sessionUpdate: 'tool_call_update', toolCallId: id, fields: shown } as const;
    return [asks ? { ...update, asks } : update];
  }

  private withTerminal<T extends { readonly type: string }>(item: T): T {
    if (item.type !== 'terminal' || !('terminalId' in item)) return item;
    return { ...item, terminalId: this.identify('terminal', String(item.terminalId)) };
  }

  private upgradeTerminal(
    update: JsonObject,
    kind: 'terminal_update' | 'terminal_output_chunk',
  ): readonly SessionUpdate[] | undefined {
    const wireId = asString(update['terminalId']);
    if (!wireId) return undefined;
    const terminalId = this.identify('terminal', wireId) as TerminalId;
    const bytes = this.terminals.get(terminalId) ?? new TerminalBytes();
    this.terminals.set(terminalId, bytes);
    if (kind === 'terminal_output_chunk') {
      const data = asString(update['data']);
      return data === undefined ? undefined : [{ sessionUpdate: kind, terminalId, data: bytes.append(data) }];
    }
    const given = update['output'] === null ? '' : asString(asObject(update['output'])?.['data']);
    const output = given === undefined ? undefined : bytes.replace(given);
    const exitStatus = asObject(update['exitStatus']);
    const rest = exitStatus ? bytes.end() : '';
    const exit = exitStatus
      ? compact({ exitCode: asNumber(exitStatus['exitCode']), signal: asString(exitStatus['signal']) })
      : update['exitStatus'] === null
        ? ('running' as const)
        : undefined;
    const capabilities = update['capabilities'];
    const fields = compact({
      command: update['command'] === null ? '' : asString(update['command']),
      cwd: update['cwd'] === null ? '' : asString(update['cwd']),
      output: output === undefined ? undefined : output + rest,
      exit,
      canCancel: capabilities === undefined ? undefined : !isAbsent(asObject(capabilities)?.['cancel']),
    });
    const whole = { sessionUpdate: kind, terminalId, ...fields };
    if (rest === '' || output !== undefined) return [whole];
    return [{ sessionUpdate: 'terminal_output_chunk', terminalId, data: rest }, whole];
  }

  /** Upgrades a request to run a command: for a call that the transcript shows, or for one of its own. */
  private upgradeCommand(
    subject: JsonObject,
    title: string,
  ): Pick<UpgradedPermission, 'toolCallId' | 'updates' | 'subject' | 'isOwnCall'> {
    const command = asString(subject['command']);
    const cwd = asString(subject['cwd']);
    if (command === undefined) throw invalidParams('command must be a string', { field: 'subject' });
    const wireId = asString(subject['toolCallId']);
    const isShown = wireId !== undefined && this.isKnown('tool_call', wireId);
    const toolCallId = (isShown ? this.identify('tool_call', wireId) : this.ids.next()) as ToolCallId;
    const terminalId = asString(subject['terminalId']);
    const fields: ToolCallFields = {
      toolKind: 'execute',
      rawInput: compact({ command, cwd }),
      ...(isShown ? {} : { title: title || command }),
      ...(terminalId === undefined || isShown
        ? {}
        : { content: [{ type: 'terminal', terminalId: this.identify('terminal', terminalId) as TerminalId }] }),
    };
    const strange = Object.entries(subject).filter(([key, value]) => !commandKeys.has(key) && !isAbsent(value));
    return {
      toolCallId,
      updates: [{ sessionUpdate: 'tool_call_update', toolCallId, fields, asks: true }],
      subject: {
        fields,
        kind: 'execute',
        strangeParts: strange.length > 0 ? [Object.fromEntries(strange)] : [],
      },
      ...(isShown ? {} : { isOwnCall: true }),
    };
  }

  /** Upgrades a request about nothing, or about something of a later version. No rule allows it. */
  private upgradeUnknown(
    subject: JsonObject | undefined,
    { title, description }: { readonly title: string; readonly description?: string },
  ): Pick<UpgradedPermission, 'toolCallId' | 'updates' | 'subject' | 'isOwnCall'> {
    const toolCallId = this.ids.next() as ToolCallId;
    const fields: ToolCallFields = { title, toolKind: 'other', ...(subject ? { rawInput: asRaw(subject) } : {}) };
    return {
      toolCallId,
      updates: [{ sessionUpdate: 'tool_call_update', toolCallId, fields, asks: true }],
      subject: { fields, kind: 'unknown', strangeParts: [subject ?? description ?? title] },
      isOwnCall: true,
    };
  }
}

const commandKeys = new Set(['type', 'command', 'cwd', 'toolCallId', 'terminalId', '_meta']);
