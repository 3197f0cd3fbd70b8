import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { AgentOffer } from '../../shared/pages/messages';
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
  /** The agents whose installation is running, with what cancels it. */
  private readonly busy = new Map<string, AbortController>();
  /** Why agents couldn't be added, by id. */
  private readonly problems = new Map<string, string>();
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
    return this.known?.offers.map((offer) => {
      // Without its runtime, nothing of it is installed.
      if (this.isBusy(offer.id) && offer.needs === undefined) return { ...offer, isBusy: true };
      const problem = this.problems.get(offer.id);
      return problem === undefined ? offer : { ...offer, problem };
    });
  }

  /** How many agents there are to add. Undefined until `find` was called. */
  get agentCount(): number | undefined {
    return this.known?.count;
  }

  /** Returns whether an agent is being added or updated. */
  isBusy(id: string): boolean {
    return this.busy.has(id);
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
    const cancelled = new AbortController();
    const end = () => {
      if (this.busy.get(id) !== cancelled) return;
      this.busy.delete(id);
      this.changed.fire();
    };
    const began = () => {
      const other = this.busy.get(id);
      if (other) return other === cancelled;
      this.problems.delete(id);
      this.busy.set(id, cancelled);
      this.changed.fire();
      return true;
    };
    const failed = (reason: string) => {
      this.problems.set(id, reason);
      end();
    };
    began();
    try {
      return await (await this.registry.get()).add(id, { signal: cancelled.signal, began, failed });
    } finally {
      end();
    }
  }

  /** Cancels what `add` began. Does nothing for other agents. */
  cancel(id: string): void {
    this.busy.get(id)?.abort();
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
    const print = ({ offers: all, count, updates, icons }: AgentOffers) =>
      JSON.stringify([all, count, [...updates], [...icons]]);
    if (this.known && print(this.known) === print(offers)) return;
    this.known = offers;
    void vscode.commands.executeCommand('setContext', contextKey, offers.updates.size > 0);
    this.changed.fire();
  }
}
