import type * as vscode from 'vscode';
import type { AgentLaunch } from '../../agent/agentProcess';
import type { AgentSpec } from '../../agent/agentSpec';
import type { Variables } from '../../agent/logins';
import { programPrint } from '../../agent/programKey';
import type { AgentId } from '../../shared/ids';

/** What is kept for an agent, and the program that it was typed for: another one of the same name does not get it. */
interface Kept {
  readonly program: string;
  readonly variables: Variables;
}

/** Values that users have typed for an agent's environment, in the editor's secret storage. */
export class LoginSecrets {
  private readonly storage: vscode.SecretStorage;

  constructor(storage: vscode.SecretStorage) {
    this.storage = storage;
  }

  async variablesOf(spec: AgentSpec): Promise<Variables> {
    const text = await this.storage.get(keyOf(spec.id));
    const kept = text === undefined ? undefined : parse(text);
    return kept?.program === programPrint(spec) ? kept.variables : {};
  }

  /** Replaces what was kept; without variables nothing is. */
  async keep(spec: AgentSpec, variables: Variables): Promise<void> {
    const kept: Kept = { program: programPrint(spec), variables };
    if (Object.keys(variables).length === 0) await this.storage.delete(keyOf(spec.id));
    else await this.storage.store(keyOf(spec.id), JSON.stringify(kept));
  }

  /** The launch with what is kept for its agent. */
  async addTo(spec: AgentSpec, launch: AgentLaunch): Promise<AgentLaunch> {
    const variables = await this.variablesOf(spec);
    const names = Object.keys(variables);
    if (names.length === 0) return launch;
    return { ...launch, env: { ...launch.env, ...variables }, secretVariables: names };
  }
}

function keyOf(id: AgentId): string {
  return `parley.login:${id}`;
}

function parse(text: string): Kept | undefined {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    // Nobody else writes under this key; what cannot be read is asked for again.
    return undefined;
  }
}
