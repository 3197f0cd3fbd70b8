import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { AgentOffer } from '../../shared/messages';
import type { Log } from '../log/log';
import type { AgentOffers } from '../registry/agentOffers';
import type { LazyRegistry } from '../registry/lazyRegistry';
import type { AddedAgents } from '../registry/addedAgents';

const contextKey = 'parley.hasAgentUpdates';

/**
 * The agents that the start page offers, and the updates of added ones. Looks for them when a start page is shown, and
 * never before.
 */
export class OfferedAgents extends Disposable {
  private readonly registry: Pick<LazyRegistry, 'get'>;
  private readonly log: Log;
  private readonly changed = this.register(new Emitter<void>());
  /** The agents whose installation is running. */
  private readonly busy = new Set<string>();
  private known: AgentOffers | undefined;
  private running: Promise<void> | undefined;

  readonly onDidChange = this.changed.event;

  constructor(registry: Pick<LazyRegistry, 'get'>, added: Pick<AddedAgents, 'onDidChange'>, log: Log) {
    super();
    this.registry = registry;
    this.log = log;
    // What was just added is no longer offered.
    this.register(
      added.onDidChange(() => {
        if (this.known) void this.findAgain();
      }),
    );
  }

  /** Undefined until `find` was called. */
  get offers(): readonly AgentOffer[] | undefined {
    return this.known?.offers;
  }

  /** Returns the newer version of an added agent. */
  updateOf(id: string): string | undefined {
    return this.known?.updates.get(id);
  }

  /** Returns the icon of an added agent. */
  iconOf(id: string): string | undefined {
    return this.known?.icons.get(id);
  }

  /** Looks for agents and fires if they changed. Never rejects. */
  find(): Promise<void> {
    this.running ??= this.look().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Looks once more if the search that is running began before a change. Never rejects. */
  async findAgain(): Promise<void> {
    await this.running;
    await this.find();
  }

  /** Adds or updates an agent. Resolves to true if it can be started. */
  async add(id: string): Promise<boolean> {
    if (this.busy.has(id)) return false;
    this.busy.add(id);
    try {
      return await (await this.registry.get()).add(id);
    } finally {
      this.busy.delete(id);
    }
  }

  private async look(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    try {
      const registry = await this.registry.get();
      this.note(await registry.offers());
      if (await registry.refreshDaily()) this.note(await registry.offers());
    } catch (error) {
      this.log.warn(`Registry: ${String(error)}`);
    }
  }

  private note(offers: AgentOffers): void {
    const print = ({ offers: all, updates, icons }: AgentOffers) => JSON.stringify([all, [...updates], [...icons]]);
    if (this.known && print(this.known) === print(offers)) return;
    this.known = offers;
    void vscode.commands.executeCommand('setContext', contextKey, offers.updates.size > 0);
    this.changed.fire();
  }
}
