import type * as vscode from 'vscode';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { ForeignAgent } from '../../agent/found/agentServers';
import { DisposableStore } from '../../shared/values/disposable';
import { AgentCatalog } from '../agents/agentCatalog';
import { AgentInputs } from '../agents/agentInputs';
import { LaunchResolver } from '../agents/launchResolver';
import { workspaceRoots } from '../base/folders';
import type { Log } from '../log/log';
import { AddedAgents } from '../registry/addedAgents';
import type { ScratchFolder } from '../sessions/start/scratchFolder';
import type { Settings } from '../settings/settings';
import { LoginSecrets } from './loginSecrets';
import { PlainKeys } from './plainKeys';
import * as l10n from '@vscode/l10n';
import type { AgentId } from '../../shared/values/ids';
import { showWarning } from '../ui/notifications';

export interface LaunchNeeds {
  readonly extensionPath: string;
  readonly secrets: vscode.SecretStorage;
  /** Stores the agents that the user added. */
  readonly memory: vscode.Memento;
  readonly settings: Settings;
  readonly scratch: ScratchFolder;
  readonly log: Log;
}

/** The agents of this window, and all that goes into starting one: its program, its environment, and the user's secrets. */
export function createLaunches({ extensionPath, secrets, memory, settings, scratch, log }: LaunchNeeds) {
  const parts = new DisposableStore();
  const place = () => workspaceRoots().join('\n');
  const added = parts.add(new AddedAgents(memory));
  const catalog = parts.add(new AgentCatalog(extensionPath, log, added, settings));
  const inputs = new AgentInputs(secrets, place);
  const resolver = new LaunchResolver(log, inputs);
  const plainKeys = new PlainKeys({ settings, inputs, memory, log });
  const loginSecrets = new LoginSecrets(secrets, { place, onWithheld: tellWithheld(log) });
  const resolveLaunch = async (spec: AgentSpec, cwd: string): Promise<AgentLaunch> => {
    const current = added.current(spec);
    scratch.bringBack(cwd);
    void plainKeys.offer(current);
    return loginSecrets.addTo(current, await resolver.resolve(current, cwd));
  };
  /** Writes agents of another editor to the user's settings, and their secrets to the secret storage. */
  const importAgents = async (agents: readonly ForeignAgent[]): Promise<void> => {
    for (const spec of await settings.addAgents(agents)) {
      const values = agents.find(({ name }) => name === spec.name)?.secrets;
      if (values && Object.keys(values).length > 0) await loginSecrets.keep(spec, values);
    }
  };
  return {
    added,
    catalog,
    inputs,
    resolver,
    loginSecrets,
    resolveLaunch,
    importAgents,
    dispose: () => parts.dispose(),
  };
}

/** Tells the user, once per window, why an agent starts without the values typed for it. */
function tellWithheld(log: Log): (spec: AgentSpec) => void {
  const warned = new Set<AgentId>();
  return ({ id, name }) => {
    log.warn(`${name} starts without the stored login: its definition is not the one that it was typed for.`);
    if (warned.has(id)) return;
    warned.add(id);
    void showWarning(
      l10n.t('{0} starts without your API key because its command or settings changed. Log in again.', name),
    );
  };
}
