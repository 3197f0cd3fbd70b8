// A session whose agent is the test: prompts and settings wait until the test answers them, and the test moves the clock.
import type { OpenedSession } from '../../src/acp/decode/decodeAgent';
import type { Dialect } from '../../src/acp/dialect/dialect';
import { requestedDialect } from '../../src/acp/dialects';
import type { SessionChannel } from '../../src/acp/shape/sessionChannel';
import type { SessionUpdate, StateUpdate } from '../../src/acp/shape/sessionUpdate';
import { renderText } from '../../src/session/document/renderText';
import { Session, type SessionOwner } from '../../src/session/session';
import type { StoredSession } from '../../src/session/transcript/storedSession';
import type { ContentBlock } from '../../src/shared/transcript/content';
import { Emitter } from '../../src/shared/values/event';
import type { AgentId, MessageId, SessionId, SessionKey } from '../../src/shared/values/ids';
import type { ConfigOption, Entry } from '../../src/shared/transcript/transcript';

interface Answerable<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** The agent's result at the end of a turn. */
type PromptResult = Pick<StateUpdate, 'stopReason' | 'usage'>;

/** Lets promise callbacks run. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock with timers that the test moves. */
export class FakeClock {
  time = 1000;
  private readonly timers = new Set<{ at: number; action: () => void }>();

  readonly now = () => this.time;

  readonly schedule = (ms: number, action: () => void) => {
    const timer = { at: this.time + ms, action };
    this.timers.add(timer);
    return { dispose: () => void this.timers.delete(timer) };
  };

  get waiting(): number {
    return this.timers.size;
  }

  pass(ms: number): void {
    this.time += ms;
    for (const timer of [...this.timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.time || !this.timers.delete(timer)) continue;
      timer.action();
    }
  }
}

export class FakeAgent implements SessionChannel {
  readonly sessionId: SessionId;
  /** The session's calls in order: `prompt TEXT`, `cancel`, `set ID VALUE`. */
  readonly heard: string[] = [];
  readonly prompts: Answerable<MessageId | undefined>[] = [];
  private readonly updated = new Emitter<SessionUpdate>();
  readonly onDidUpdate = this.updated.event;
  readonly changes: Answerable<readonly ConfigOption[] | undefined>[] = [];

  /** Whether it answers prompts when it has added them, as version 2 does. */
  insertsPrompts?: true;
  cancelToolCall?: NonNullable<SessionChannel['cancelToolCall']>;
  cancelTerminal?: NonNullable<SessionChannel['cancelTerminal']>;
  /** Handles messages added to a running turn. Present if the agent supports them. */
  steer?: NonNullable<SessionChannel['steer']>;
  /** Reports blocks of the last prompt as unsupported. */
  leaveOut: (blocks: readonly ContentBlock[]) => void = () => undefined;

  constructor(sessionId = 's1') {
    this.sessionId = sessionId as SessionId;
  }

  prompt(
    content: readonly ContentBlock[],
    onUnsupported: (blocks: readonly ContentBlock[]) => void,
  ): Promise<MessageId | undefined> {
    this.leaveOut = onUnsupported;
    this.heard.push(`prompt ${content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' + ')}`);
    return new Promise((resolve, reject) => this.prompts.push({ resolve, reject }));
  }

  redact(text: string): string {
    return text.replaceAll('hunter2', '[redacted]');
  }

  cancel(): void {
    this.heard.push('cancel');
  }

  cancelSubagent(sessionId: SessionId): void {
    this.heard.push(`cancel ${sessionId}`);
  }

  setConfigOption(option: ConfigOption, value: string | boolean): Promise<readonly ConfigOption[] | undefined> {
    this.heard.push(`set ${option.configId} ${value} via ${option.via}`);
    return new Promise((resolve, reject) => this.changes.push({ resolve, reject }));
  }

  /** Ends the running turn. */
  async end(result: string | PromptResult = 'end_turn'): Promise<void> {
    const end = typeof result === 'string' ? { stopReason: result } : result;
    this.updated.fire({ sessionUpdate: 'state_update', state: 'idle', ...end });
    this.prompts.at(-1)!.resolve(undefined);
    await settle();
  }

  async fail(error: unknown): Promise<void> {
    this.prompts.at(-1)!.reject(error);
    await settle();
  }
}

export class FakeOwner implements SessionOwner {
  readonly asked: string[] = [];

  restart(): void {
    this.asked.push('restart');
  }

  endProcess(): void {
    this.asked.push('endProcess');
  }

  closed(): void {
    this.asked.push('closed');
  }
}

export class SessionHarness {
  readonly clock = new FakeClock();
  readonly owner = new FakeOwner();
  readonly session: Session;
  agent = new FakeAgent();

  constructor(agentName = 'Codex', stored?: StoredSession, cwd = '/workspace', key = 'session:1') {
    this.session = new Session({
      key: key as SessionKey,
      agentId: `settings:${agentName}` as AgentId,
      agentName,
      cwd,
      now: this.clock.now,
      schedule: this.clock.schedule,
      owner: this.owner,
      ...(stored ? { stored } : {}),
    });
  }

  /** Marks `initialize` as answered, with the session not open yet. */
  introduce(dialect: Dialect = requestedDialect): this {
    this.session.agentSide.connecting('opening');
    this.session.agentSide.useDialect(dialect);
    return this;
  }

  /** Opens the session as its agent would. */
  open(opened: Partial<OpenedSession> = {}, isNew = true, dialect?: Dialect): this {
    this.introduce(dialect);
    this.session.agentSide.opened(this.agent, { sessionId: this.agent.sessionId, configOptions: [], ...opened }, isNew);
    return this;
  }

  update(...updates: readonly object[]): this {
    for (const update of updates) this.session.agentSide.handleUpdate(update);
    return this;
  }

  say(text: string): this {
    return this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  ask(toolCall: object, options: readonly object[] = defaultOptions, signal = new AbortController().signal) {
    return this.session.agentSide.handlePermission({ sessionId: 's1', toolCall, options }, signal);
  }

  get view() {
    return this.session.transcript.view;
  }

  get text(): string {
    return renderText(this.session.transcript);
  }

  get entries(): readonly Entry[] {
    const { order, entries } = this.session.transcript;
    return order.map((id) => entries.get(id)!);
  }

  all<K extends Entry['kind']>(kind: K): readonly Extract<Entry, { kind: K }>[] {
    return this.entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
  }

  /** Answers the open permission request of the call at this index among all calls. */
  answer(index: number, optionId: string): void {
    const { permission } = this.all('tool_call')[index]!;
    if (permission.state !== 'asked') throw new Error(`Not asked: ${permission.state}`);
    this.session.answerPermission(permission.request, optionId);
  }
}

export const defaultOptions = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
