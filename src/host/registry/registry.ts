import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { settingsAgentId } from '../../agent/spec/agentSpec';
import type { ForeignAgent } from '../../agent/found/agentServers';
import type { AddedAgent } from '../../agent/registry/addedAgent';
import { packageCommand } from '../../agent/registry/packageCommand';
import type { CommandLine } from '../../agent/spec/commandLine';
import { chooseDistribution } from '../../agent/registry/distribution';
import type { NpmFacts } from '../../agent/registry/npmFacts';
import type { PackageDistribution, RegistryAgent } from '../../agent/registry/registryAgent';
import { scrubEnvironment } from '../../process/scrubEnvironment';
import { Disposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { AgentId } from '../../shared/values/ids';
import type { Act } from '../base/actions';
import type { Log } from '../log/log';
import type { AddedAgents } from './addedAgents';
import { agentItems, type AgentAction, type Offered, type Runnable } from './agentItems';
import { agentOffers, type AgentOffers } from './agentOffers';
import { pickAgentAction, type PickerContent } from './agentPicker';
import { bundledList } from './bundledList';
import { confirmFound, confirmInstall } from './consent';
import { chooseForeignAgents } from './importAgents';
import { install, versionFolder } from './installer';
import {
  describeMachine,
  findOnMachine,
  foundCommand,
  readForeignAgents,
  type ForeignAgents,
  type FoundAgent,
} from './localAgents';
import { installPackage, planPackage } from './npmInstaller';
import { cancellable, installWithProgress } from './progress';
import { reasonOf, RuntimeError } from './registryFailures';
import { RegistryList, type LoadedRegistry } from './registryList';
import { offerRuntime } from './runtimeOffer';
import { removeOldVersions } from './usedVersions';
import { askModal, showError, showInformation } from '../ui/notifications';

export interface RegistryOptions {
  readonly added: AddedAgents;
  /** The path of Parley's storage folder, which all windows share. */
  readonly storage: string;
  readonly log: Log;
  /** The URL of the registry. */
  readonly registryUrl: () => string;
  readonly environment: () => Promise<{ readonly env: Readonly<Record<string, string>> }>;
  /** Returns true if a session of this window is with the agent. */
  readonly isUsed: (id: AgentId) => boolean;
  readonly onDidChangeSessions: Event<void>;
  /** Makes new sessions start a new process. */
  readonly retire: (id: AgentId) => void;
  /** Called when the list was loaded for the user. */
  readonly onDidLoad: () => void;
  /** The names of the agents in the settings. */
  readonly settingNames: () => ReadonlySet<string>;
  readonly act: Act<'newSession'>;
  /** Writes agents of another editor to the user's settings, and their secrets to the secret storage. */
  readonly importAgents: (agents: readonly ForeignAgent[]) => Promise<void>;
}

/** What whoever adds an agent wants to know of it. */
export interface AddWatch {
  /** Cancels the installation. */
  readonly signal: AbortSignal;
  /** Called at each attempt. If it returns false, the agent is being added already, and the attempt ends. */
  readonly began: () => boolean;
  /** Called with a sentence when an attempt has failed. The user may still be asked whether to try again. */
  readonly failed: (reason: string) => void;
}

type Environment = Readonly<Record<string, string>>;
/** What to start, and where it was installed. */
type Result = Pick<AddedAgent, 'command' | 'args' | 'env' | 'folder'>;
/** Asks the user to agree to a command. */
type Ask = (line: CommandLine, facts?: NpmFacts) => Promise<boolean>;

const dayMs = 86_400_000;

/** Lists the registry's agents, and adds, updates, and removes those that the user selects. */
export class Registry extends Disposable {
  private readonly options: RegistryOptions;
  private readonly list: RegistryList;
  private readonly root: string;
  /** Agents with old versions that are still in use, by the folder of all their versions. */
  private readonly waiting = new Map<string, AgentId>();
  /** When `refreshDaily` last asked the registry, in milliseconds since 1970. */
  private askedAt = 0;

  constructor(options: RegistryOptions) {
    super();
    this.options = options;
    this.list = new RegistryList(join(options.storage, 'registry'), bundledList);
    this.root = join(options.storage, 'agents');
    this.register(options.onDidChangeSessions(() => this.cleanUpWaiting()));
  }

  /** Shows the list and runs the user's choice. Shows failures as messages. */
  async show(): Promise<void> {
    await this.reporting(
      async () => {
        const action = await pickAgentAction((signal, show) => this.fill(signal, show));
        if (action) await this.carryOut(action);
      },
      () => this.show(),
    );
  }

  /**
   * Adds an agent that the start page offers, by its id: the program on this machine if it speaks ACP, or else what the
   * list has. Updates it if it was added. Resolves to true if the agent can be started. Shows failures as messages.
   */
  async add(id: string, watch?: AddWatch): Promise<boolean> {
    if (watch && !watch.began()) return false;
    let isAdded = false;
    await this.reporting(
      async () => {
        const offered = await this.offered(await this.environment(), await this.storedAgents());
        const from = this.options.added.all.find((one) => one.id === id);
        const own = offered.foundAgents.find(({ found }) => found.known.ids.includes(id));
        if (own && !from) {
          isAdded = await this.addFound(own);
          return;
        }
        const agent = offered.agents.find((one) => one.id === id);
        if (!agent) return;
        const distribution = chooseDistribution(agent, offered.machine);
        if (distribution.kind !== 'unavailable') {
          isAdded = await this.install(agent, distribution, from, watch?.signal);
          if (isAdded && from) tellUpdated(agent);
        } else if (distribution.needs === undefined) {
          void showInformation(`${agent.name}: ${distribution.reason}`);
        } else {
          await offerRuntime(`${agent.name}: ${distribution.reason}`, distribution.needs);
        }
      },
      async () => {
        isAdded = await this.add(id, watch);
      },
      watch?.failed,
    );
    return isAdded;
  }

  /** Returns what the start page offers. Uses only what is on this machine. */
  async offers(): Promise<AgentOffers> {
    // The page must not start the login shell. The editor has read its PATH when it started.
    const env = scrubEnvironment(process.env);
    return agentOffers(await this.offered(env, await this.storedAgents()));
  }

  /**
   * Downloads the list again if agents from it were added, and it is older than a day. Resolves to true if it was
   * downloaded. Never fails.
   */
  async refreshDaily(): Promise<boolean> {
    const { added, registryUrl, log } = this.options;
    const now = Date.now();
    if (!added.all.some(({ found }) => found !== true) || now - this.askedAt < dayMs) return false;
    const stored = await this.list.stored(registryUrl());
    if (stored && now - stored.from < dayMs) return false;
    this.askedAt = now;
    const signal = new AbortController().signal;
    const loaded = await this.list.load({ url: registryUrl(), signal, now }).catch(() => undefined);
    if (loaded?.stale) log.info(`Registry: ${loaded.stale.reason}`);
    return loaded !== undefined && !loaded.stale;
  }

  /** Runs an action and shows its failure with the way to try again. Calls `failed` before the user has seen it. */
  private async reporting(
    action: () => Promise<void>,
    repeat: () => Promise<void>,
    failed?: (reason: string) => void,
  ): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.options.log.error(`Registry: ${reasonOf(error)}`);
      failed?.(reasonOf(error));
      if (error instanceof RuntimeError) {
        await offerRuntime(error.message, error.needs);
        return;
      }
      const again = l10n.t('Try Again');
      if ((await showError(reasonOf(error), again)) === again) await repeat();
    }
  }

  private async fill(signal: AbortSignal, show: (content: PickerContent) => void): Promise<void> {
    const { log, registryUrl, added } = this.options;
    const env = await this.environment();
    const stored = await this.list.stored(registryUrl());
    const local = await this.offered(env, stored?.agents ?? []);
    if (stored) show({ items: agentItems(local), isPreliminary: true });
    let loaded: LoadedRegistry;
    try {
      loaded = await this.list.load({ url: registryUrl(), signal, now: Date.now() });
    } catch (error) {
      // Without a registry, agents of this machine can still be added, and added ones started and removed.
      const isEmpty = added.all.length === 0 && local.foundAgents.length === 0 && local.foreign.length === 0;
      if (signal.aborted || isEmpty) throw error;
      void showError(reasonOf(error));
      loaded = { agents: [], problems: [] };
    }
    this.options.onDidLoad();
    for (const problem of loaded.problems) log.warn(problem);
    const items = agentItems({ ...local, agents: loaded.agents, added: added.all });
    if (loaded.stale) log.warn(`Registry: ${loaded.stale.reason}`);
    show({ items, ...(loaded.stale && { note: l10n.t('Offline: list of {0}', dayInWords(loaded.stale.from)) }) });
  }

  private async storedAgents(): Promise<readonly RegistryAgent[]> {
    return (await this.list.stored(this.options.registryUrl()))?.agents ?? [];
  }

  private async offered(env: Environment, agents: readonly RegistryAgent[]): Promise<Offered> {
    const { added, settingNames } = this.options;
    const [found, foreign, machine] = await Promise.all([
      findOnMachine(env),
      readForeignAgents(env, settingNames()),
      describeMachine(env),
    ]);
    const commands = await Promise.all(found.map((program) => foundCommand(program, env)));
    const foundAgents = commands.filter((agent) => agent !== undefined);
    return { agents, added: added.all, machine, found, foundAgents, foreign };
  }

  private async environment(): Promise<Environment> {
    return (await this.options.environment()).env;
  }

  private async carryOut(action: AgentAction): Promise<void> {
    switch (action.does) {
      case 'add':
        if (await this.install(action.agent, action.distribution)) await this.offerSession(action.agent);
        return;
      case 'update':
        if (await this.install(action.agent, action.distribution, action.from)) tellUpdated(action.agent);
        return;
      case 'addFound': {
        const { known } = action.agent.found;
        if (await this.addFound(action.agent)) await this.offerSession({ id: known.ids[0], name: known.name });
        return;
      }
      case 'import':
        await this.import(action.foreign);
        return;
      case 'start':
        await this.options.act('newSession', { agent: action.added.id });
        return;
      case 'remove':
        await this.remove(action.added);
        return;
      case 'explain':
        // The list itself shows the error.
        return;
    }
  }

  private async addFound(agent: FoundAgent): Promise<boolean> {
    if (!(await confirmFound(agent))) return false;
    const { found, command, args } = agent;
    const { ids, name } = found.known;
    await this.options.added.add({
      id: ids[0],
      name,
      version: found.version ?? '',
      command,
      args,
      env: {},
      found: true,
    });
    this.options.retire(ids[0] as AgentId);
    return true;
  }

  private async import(foreign: ForeignAgents): Promise<void> {
    const chosen = await chooseForeignAgents(foreign);
    if (!chosen) return;
    const { importAgents } = this.options;
    await importAgents(chosen);
    const [first] = chosen;
    if (first === undefined) return;
    const start = l10n.t('New session');
    const words =
      chosen.length === 1
        ? l10n.t('Imported {0} into parley.agents', first.name)
        : l10n.t('Imported {0} agents into parley.agents', chosen.length);
    if ((await showInformation(words, start)) === start)
      await this.options.act('newSession', { agent: settingsAgentId(first.name) });
  }

  /** Resolves to true if the agent was added, and to false if the user refused or cancelled. */
  private async install(
    agent: RegistryAgent,
    distribution: Runnable,
    from?: AddedAgent,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { added, retire } = this.options;
    const updateFrom = from?.version;
    const ask = (line: CommandLine, facts?: NpmFacts) =>
      confirmInstall({
        agent,
        line,
        distribution,
        ...compact({ updateFrom }),
        ...(facts && { facts }),
      });
    const base = { id: agent.id, name: agent.name, version: agent.version };
    const result =
      distribution.kind === 'npx'
        ? await this.installFromNpm(agent, distribution.package, ask, signal)
        : await this.installOther(agent, distribution, ask, signal);
    if (!result) return false;
    await added.add({ ...base, ...result });
    retire(agent.id as AgentId);
    await this.cleanUp(join(this.root, agent.id), agent.id as AgentId);
    return true;
  }

  private async installFromNpm(
    agent: RegistryAgent,
    asked: PackageDistribution,
    ask: Ask,
    cancelled?: AbortSignal,
  ): Promise<Result | undefined> {
    const env = await this.environment();
    const options = (signal: AbortSignal) => ({ root: this.root, agent, package: asked, env, signal });
    const planned = await cancellable(
      l10n.t('Checking {0}', agent.name),
      (signal) => planPackage(options(signal)),
      cancelled,
    );
    if (!planned || !(await ask(planned.line, planned.facts))) return undefined;
    const installed = await installWithProgress(
      agent.name,
      (signal) => installPackage(options(signal), planned),
      cancelled,
    );
    return installed && this.agreed(agent, planned.line, { ...installed, env: asked.env }, ask);
  }

  private async installOther(
    agent: RegistryAgent,
    distribution: Exclude<Runnable, { readonly kind: 'npx' }>,
    ask: Ask,
    cancelled?: AbortSignal,
  ): Promise<Result | undefined> {
    const { line, env } = this.commandOf(agent, distribution);
    if (!(await ask(line))) return undefined;
    if (cancelled?.aborted) return undefined;
    if (distribution.kind !== 'binary') return { ...line, env };
    const { target } = distribution;
    const installed = await installWithProgress(
      agent.name,
      (signal, onProgress) => install({ root: this.root, agent, target, signal, onProgress }),
      cancelled,
    );
    return installed && this.agreed(agent, line, { ...installed, args: line.args, env }, ask);
  }

  /** The program may differ from the one that the user agreed to. */
  private async agreed(agent: RegistryAgent, line: CommandLine, real: Result, ask: Ask): Promise<Result | undefined> {
    if (real.command === line.command || (await ask({ command: real.command, args: real.args }))) return real;
    await this.cleanUp(join(this.root, agent.id), agent.id as AgentId);
    return undefined;
  }

  private commandOf(
    agent: RegistryAgent,
    distribution: Exclude<Runnable, { readonly kind: 'npx' }>,
  ): { line: CommandLine; env: AddedAgent['env'] } {
    if (distribution.kind !== 'binary') {
      return { line: packageCommand(distribution.kind, distribution.package), env: distribution.package.env };
    }
    const { cmd, args, env } = distribution.target;
    return { line: { command: join(versionFolder(this.root, agent), cmd), args }, env };
  }

  private async remove({ id, name, version }: AddedAgent): Promise<void> {
    const yes = l10n.t('Remove');
    const detail = l10n.t('Running sessions continue. Data the agent stores itself, such as its login, isn’t removed.');
    const question = l10n.t('Remove {0}?', version === '' ? name : `${name} ${version}`);
    if ((await askModal(question, { detail, items: [yes] })) !== yes) return;
    await this.options.added.remove(id);
    this.options.retire(id as AgentId);
    await this.cleanUp(join(this.root, id), id as AgentId);
    void showInformation(l10n.t('Removed {0}', name));
  }

  private async offerSession({ id, name }: Pick<RegistryAgent, 'id' | 'name'>): Promise<void> {
    const start = l10n.t('New session');
    const chosen = await showInformation(l10n.t('{0} is ready', name), start);
    if (chosen === start) await this.options.act('newSession', { agent: id });
  }

  /** Removes unused versions, now or once their sessions have ended. */
  private async cleanUp(folder: string, id: AgentId): Promise<void> {
    const { added, isUsed, log } = this.options;
    const current = added.all.find((agent) => join(this.root, agent.id) === folder)?.folder;
    this.waiting.delete(folder);
    try {
      const isLeft = await removeOldVersions(folder, current, isUsed(id));
      if (isLeft) this.waiting.set(folder, id);
    } catch (error) {
      // Windows locks the file of a program that has just exited. The next cleanup removes it.
      log.warn(`Registry: ${dirname(folder)}: ${reasonOf(error)}`);
    }
  }

  private cleanUpWaiting(): void {
    for (const [folder, id] of this.waiting) if (!this.options.isUsed(id)) void this.cleanUp(folder, id);
  }
}

function tellUpdated({ name, version }: RegistryAgent): void {
  void showInformation(l10n.t('{0} is now {1}. Running sessions keep the old version until they end.', name, version));
}

function dayInWords(time: number): string {
  return new Date(time).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}
