import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { Event } from '../../shared/event';
import type { AgentId } from '../../shared/ids';
import { isUnattended } from '../../shared/unattended';

/** Where choices outlive the window; `vscode.Memento` is one. */
export interface ChoiceMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

type Choices = Readonly<Record<string, string | boolean>>;

/** Agents have a handful of options; more is not remembered. */
const maxOptions = 40;

/**
 * What the user last chose for each agent: model, mode and the rest. A new session of that agent is set so before its first
 * message, as far as it offers the same. A mode in which the agent does not ask is never set without the user.
 */
export class RememberedChoices extends Disposable {
  private readonly memory: ChoiceMemory;
  private readonly opened = new WeakSet<Session>();

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

  private follow(sessions: readonly Session[]): void {
    for (const session of sessions) {
      const { connection } = session.transcript.view;
      if (connection.state !== 'ready' || this.opened.has(session)) continue;
      this.opened.add(session);
      if (isNew(session)) this.apply(session);
    }
  }

  private apply(session: Session): void {
    const { agentId, configOptions } = session.transcript.view;
    const choices = this.of(agentId);
    for (const option of configOptions) {
      const value = choices[option.configId];
      if (value !== undefined && !isUnattended(option, value)) void session.setConfigOption(option.configId, value);
    }
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
