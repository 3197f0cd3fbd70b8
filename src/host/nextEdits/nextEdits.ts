import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agent } from '../../agent/connection/agent';
import type { AgentPool } from '../../agent/pool/agentPool';
import { Disposable } from '../../shared/values/disposable';
import { messageOf } from '../../shared/values/messageOf';
import { once } from '../../shared/values/once';
import type { Log } from '../log/log';
import type { Settings } from '../settings/settings';
import type { ReadSettings } from '../settings/settingTable';
import type { RunningEdits } from './runningEdits';

/** The dependencies of next edit suggestions. */
export interface NextEditsOptions {
  readonly pool: AgentPool;
  readonly settings: Pick<Settings, 'onDidChange'> & ReadSettings<'nextEditSuggestions.enabled'>;
  readonly log: Log;
}

/**
 * Next edit suggestions of the running agents that offer them, while the user's setting is on. Loads everything else
 * when the first such agent runs, because most users have none.
 */
export class NextEdits extends Disposable {
  private readonly options: NextEditsOptions;
  /** The agents whose suggestions are shown, or being started. */
  private readonly served = new Set<Agent>();
  private running: RunningEdits | undefined;
  private readonly load = once(async () => {
    const { RunningEdits } = await import('./runningEdits');
    this.running = this.register(new RunningEdits(this.options.log));
    return this.running;
  });

  constructor(options: NextEditsOptions) {
    super();
    this.options = options;
    this.register(options.pool.onDidChangeSessions(() => this.update()));
    this.register(options.settings.onDidChange(() => this.update()));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.startAgain()));
  }

  /** The suggestion that isn't at the cursor, once there was one. */
  get away(): RunningEdits['away'] | undefined {
    return this.running?.away;
  }

  /** Agents are told the folders at the start. */
  private startAgain(): void {
    for (const agent of this.served) this.running?.remove(agent);
    this.served.clear();
    this.update();
  }

  private update(): void {
    const wanted = this.wanted();
    for (const agent of this.served) {
      if (wanted.has(agent)) continue;
      this.served.delete(agent);
      this.running?.remove(agent);
    }
    for (const [agent, name] of wanted) {
      if (this.served.has(agent)) continue;
      this.served.add(agent);
      void this.start(agent, name);
    }
  }

  /** The agents that can suggest edits now. */
  private wanted(): ReadonlyMap<Agent, string> {
    const found = new Map<Agent, string>();
    if (!this.options.settings.get('nextEditSuggestions.enabled')) return found;
    for (const session of this.options.pool.sessions) {
      const agent = this.options.pool.runningAgentOf(session);
      if (!agent || !this.options.pool.canSuggest(session)) continue;
      // The agent was offered none, because its paths mean files of another machine.
      if (session.isElsewhere) continue;
      found.set(agent, session.transcript.view.agentName);
    }
    return found;
  }

  private async start(agent: Agent, name: string): Promise<void> {
    try {
      const running = await this.load();
      if (this.served.has(agent) && !this.isDisposed) await running.add(agent, name);
    } catch (error) {
      if (agent.hasExited || this.isDisposed) return;
      const cause = agent.redact(messageOf(error));
      this.options.log.warn(`Next edit suggestions of ${name}: ${cause}`);
      this.tell(agent, name, cause);
    }
  }

  /** Says in the agent's sessions that there are no suggestions, and why. */
  private tell(agent: Agent, name: string, cause: string): void {
    const title = l10n.t('{0} can’t suggest edits', name);
    const next = l10n.t('To try again, turn “parley.nextEditSuggestions.enabled” off and on.');
    for (const session of this.options.pool.sessions) {
      if (this.options.pool.runningAgentOf(session) !== agent) continue;
      session.addNotice({ severity: 'warning', title, description: `${cause}\n\n${next}` });
    }
  }
}
