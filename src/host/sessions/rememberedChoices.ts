import { setTimeout as delay } from 'node:timers/promises';
import { fits } from '../../session/configChanges';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { Event } from '../../shared/event';
import type { AgentId, SessionKey } from '../../shared/ids';
import { isUnattended } from '../../shared/unattended';

/** Where choices outlive the window; `vscode.Memento` is one. */
export interface ChoiceMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

type Choices = Readonly<Record<string, string | boolean>>;

/** Agents have a handful of options; more is not remembered. */
const maxOptions = 40;
/** The first message of a session waits so long (ms) for the agent to take what is remembered. */
const patienceMs = 3000;

/**
 * What the user last chose for each agent: model, mode and the rest. A new session of that agent is set so before its first
 * message, as far as it offers the same, at once or after one of them. A mode in which the agent does not ask is never set without the user.
 */
export class RememberedChoices extends Disposable {
  private readonly memory: ChoiceMemory;
  private readonly opened = new WeakSet<Session>();
  private readonly applying = new Map<SessionKey, Promise<unknown>>();

  constructor(
    pool: { readonly sessions: readonly Session[]; readonly onDidChangeSessions: Event<void> },
    memory: ChoiceMemory,
  ) {
    super();
    this.memory = memory;
    this.register(pool.onDidChangeSessions(() => this.follow(pool.sessions)));
  }

  /** The user has chosen a value in this session. */
  remember(session: Session, configId: string, value: string | boolean): void {
    const { agentId } = session.transcript.view;
    const others = Object.entries(this.of(agentId)).filter(([id]) => id !== configId);
    const all = [...others, [configId, value] as const].slice(-maxOptions);
    void this.memory.update(keyOf(agentId), Object.fromEntries(all));
  }

  /** Resolves when a new session is set as the user wants it, or its agent takes too long. */
  async applied(session: SessionKey): Promise<void> {
    await this.applying.get(session);
  }

  private follow(sessions: readonly Session[]): void {
    for (const session of sessions) {
      const { connection } = session.transcript.view;
      if (connection.state !== 'ready' || this.opened.has(session)) continue;
      this.opened.add(session);
      if (isNew(session)) this.apply(session);
    }
  }

  private apply(session: Session): void {
    const { key } = session;
    const applied = this.applyRest(session, new Set());
    const waited = Promise.race([applied, delay(patienceMs, undefined, { ref: false })]);
    this.applying.set(key, waited);
    void waited.finally(() => this.applying.delete(key));
  }

  /** Sets what is offered now, and after each success what is offered only since; `tried` holds what is not to be set again. */
  private async applyRest(session: Session, tried: Set<string>): Promise<void> {
    const { agentId, configOptions } = session.transcript.view;
    const choices = this.of(agentId);
    const changes = configOptions.map(async (option) => {
      const { configId, currentValue } = option;
      const value = choices[configId];
      if (value === undefined || value === currentValue || tried.has(configId) || !fits(option, value)) return;
      if (isUnattended(option, value)) return;
      tried.add(configId);
      if (await session.setConfigOption(configId, value)) await this.applyRest(session, tried);
    });
    await Promise.all(changes);
  }

  private of(agentId: AgentId): Choices {
    const stored = this.memory.get(keyOf(agentId));
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored as Record<string, unknown>).filter(
        (entry): entry is [string, string | boolean] => typeof entry[1] === 'string' || typeof entry[1] === 'boolean',
      ),
    );
  }
}

/** Whether the agent has not said anything in it yet: a session that goes on keeps its own settings. */
function isNew({ transcript }: Session): boolean {
  return [...transcript.entries.values()].every(({ kind }) => !['agent_message', 'tool_call', 'plan'].includes(kind));
}

function keyOf(agentId: AgentId): string {
  return `parley.choices:${agentId}`;
}
