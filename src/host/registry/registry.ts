import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { locateProgram } from '../../agent/launch';
import type { AddedAgent } from '../../agent/registry/addedAgent';
import { packageCommand, type CommandLine } from '../../agent/registry/commandLine';
import type { Machine } from '../../agent/registry/distribution';
import type { RegistryAgent } from '../../agent/registry/registryAgent';
import { Disposable } from '../../shared/disposable';
import type { Event } from '../../shared/event';
import type { AgentId } from '../../shared/ids';
import type { Log } from '../log/log';
import type { AddedAgents } from './addedAgents';
import { agentItems, type AgentAction, type Runnable } from './agentItems';
import { pickAgentAction, type PickerContent } from './agentPicker';
import { confirmInstall } from './consent';
import { reasonOf } from './registryFailures';
import { install, versionFolder } from './installer';
import { installWithProgress } from './progress';
import { RegistryList, type LoadedRegistry } from './registryList';
import { removeOldVersions } from './usedVersions';
import { ageInWords } from './words';
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
}

/** Lists the registry's agents, and adds, updates, and removes those that the user selects. */
export class Registry extends Disposable {
  private readonly options: RegistryOptions;
  private readonly list: RegistryList;
  private readonly root: string;
  /** Agents with old versions that are still in use, by the folder of all their versions. */
  private readonly waiting = new Map<string, AgentId>();

  constructor(options: RegistryOptions) {
    super();
    this.options = options;
    this.list = new RegistryList(join(options.storage, 'registry'));
    this.root = join(options.storage, 'agents');
    this.register(options.onDidChangeSessions(() => this.cleanUpWaiting()));
  }

  /** Shows the list and runs the user's choice. Shows failures as messages. */
  async show(): Promise<void> {
    try {
      const action = await pickAgentAction((signal) => this.content(signal));
      if (action) await this.carryOut(action);
    } catch (error) {
      this.options.log.error(`Registry: ${reasonOf(error)}`);
      const again = l10n.t('Try Again');
      const chosen = await showError(reasonOf(error), again);
      if (chosen === again) await this.show();
    }
  }

  private async content(signal: AbortSignal): Promise<PickerContent> {
    const { added, log } = this.options;
    const loaded = await this.load(signal);
    for (const problem of loaded.problems) log.warn(problem);
    const items = agentItems(loaded.agents, added.all, await this.machine());
    if (!loaded.stale) return { items };
    log.warn(`Registry: ${loaded.stale.reason}`);
    return {
      items,
      note: l10n.t('Showing the list from {0}. {1}', ageInWords(loaded.stale.ageMs), loaded.stale.reason),
    };
  }

  private async load(signal: AbortSignal): Promise<LoadedRegistry> {
    try {
      return await this.list.load({ url: this.options.registryUrl(), signal, now: Date.now() });
    } catch (error) {
      // Without a registry, added agents can still be started and removed.
      if (signal.aborted || this.options.added.all.length === 0) throw error;
      void showError(reasonOf(error));
      return { agents: [], problems: [] };
    }
  }

  private async machine(): Promise<Machine> {
    const { env } = await this.options.environment();
    const has = (command: string) =>
      locateProgram({ command, args: [], env, cwd: homedir() }).then(
        () => true,
        () => false,
      );
    const [hasNpm, hasUvx] = await Promise.all([has('npx'), has('uvx')]);
    return { platform: process.platform, arch: process.arch, hasNpm, hasUvx };
  }

  private async carryOut(action: AgentAction): Promise<void> {
    switch (action.does) {
      case 'add':
        if (await this.add(action.agent, action.distribution)) await this.offerSession(action.agent);
        return;
      case 'update':
        if (await this.add(action.agent, action.distribution, action.from)) {
          void showInformation(
            l10n.t(
              '{0} is now {1}. Running sessions keep the old version until they end.',
              action.agent.name,
              action.agent.version,
            ),
          );
        }
        return;
      case 'start':
        await startSession(action.added.id);
        return;
      case 'remove':
        await this.remove(action.added);
        return;
      case 'explain':
        // The list itself shows the error.
        return;
    }
  }

  /** Resolves to true if the agent was added, and to false if the user refused or cancelled. */
  private async add(agent: RegistryAgent, distribution: Runnable, from?: AddedAgent): Promise<boolean> {
    const { added, retire } = this.options;
    const { line, env } = this.commandOf(agent, distribution);
    if (!(await confirmInstall(agent, line, distribution, from?.version))) return false;
    const base = { id: agent.id, name: agent.name, version: agent.version, env };
    if (distribution.kind === 'binary') {
      const { target } = distribution;
      const installed = await installWithProgress(agent.name, (signal, onProgress) =>
        install({ root: this.root, agent, target, signal, onProgress }),
      );
      if (!installed) return false;
      const real = { command: installed.command, args: line.args };
      // The program may differ from the one that the user agreed to.
      const isAgreed =
        real.command === line.command || (await confirmInstall(agent, real, distribution, from?.version));
      if (!isAgreed) {
        await this.cleanUp(join(this.root, agent.id), agent.id as AgentId);
        return false;
      }
      await added.add({ ...base, ...real, folder: installed.folder });
    } else {
      await added.add({ ...base, ...line });
    }
    retire(agent.id as AgentId);
    await this.cleanUp(join(this.root, agent.id), agent.id as AgentId);
    return true;
  }

  private commandOf(agent: RegistryAgent, distribution: Runnable): { line: CommandLine; env: AddedAgent['env'] } {
    if (distribution.kind !== 'binary') {
      return { line: packageCommand(distribution.kind, distribution.package), env: distribution.package.env };
    }
    const { cmd, args, env } = distribution.target;
    return { line: { command: join(versionFolder(this.root, agent), cmd), args }, env };
  }

  private async remove({ id, name, version }: AddedAgent): Promise<void> {
    const yes = l10n.t('Remove');
    const detail = l10n.t('Running sessions continue. Data the agent stores itself, such as its login, isn’t removed.');
    const question = l10n.t('Remove {0} {1}?', name, version);
    if ((await askModal(question, { detail, items: [yes] })) !== yes) return;
    await this.options.added.remove(id);
    this.options.retire(id as AgentId);
    await this.cleanUp(join(this.root, id), id as AgentId);
    void showInformation(l10n.t('Removed {0}', name));
  }

  private async offerSession({ id, name }: RegistryAgent): Promise<void> {
    const start = l10n.t('New session');
    const chosen = await showInformation(l10n.t('{0} is ready', name), start);
    if (chosen === start) await startSession(id);
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

async function startSession(id: string): Promise<void> {
  await vscode.commands.executeCommand('parley.newSession', { agent: id });
}
