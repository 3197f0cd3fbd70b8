import type * as vscode from 'vscode';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Variables } from '../../agent/login/logins';
import { programFingerprint } from '../../agent/spec/programKey';
import type { AgentId } from '../../shared/values/ids';

/** The values stored for an agent, and the definition they were typed for. See `programFingerprint`. */
interface Kept {
  readonly program: string;
  readonly variables: Variables;
}

export interface LoginSecretsOptions {
  /** Identifies the folders of this window. */
  readonly place: () => string;
  /** Called when an agent starts without values that were typed for another definition of it. */
  readonly onWithheld: (spec: AgentSpec) => void;
}

/** Stores values that the user typed for an agent's environment, in the editor's secret storage. */
export class LoginSecrets {
  private readonly storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  private readonly options: LoginSecretsOptions;

  constructor(storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>, options: LoginSecretsOptions) {
    this.storage = storage;
    this.options = options;
  }

  async variablesOf(spec: AgentSpec): Promise<Variables> {
    const kept = await this.read(spec);
    return kept?.program === this.print(spec) ? kept.variables : {};
  }

  /** Replaces the stored values. An empty set deletes them. */
  async keep(spec: AgentSpec, variables: Variables): Promise<void> {
    const kept: Kept = { program: this.print(spec), variables };
    if (Object.keys(variables).length === 0) await this.storage.delete(keyOf(spec.id));
    else await this.storage.store(keyOf(spec.id), JSON.stringify(kept));
  }

  /** Adds the agent's stored values to the launch. */
  async addTo(spec: AgentSpec, launch: AgentLaunch): Promise<AgentLaunch> {
    const kept = await this.read(spec);
    if (!kept) return launch;
    const { program, variables } = kept;
    if (program !== this.print(spec)) {
      this.options.onWithheld(spec);
      return launch;
    }
    const names = Object.keys(variables);
    return { ...launch, env: { ...launch.env, ...variables }, secretVariables: names };
  }

  private print(spec: AgentSpec): string {
    return programFingerprint(spec, this.options.place());
  }

  private async read(spec: AgentSpec): Promise<Kept | undefined> {
    const text = await this.storage.get(keyOf(spec.id));
    return text === undefined ? undefined : parse(text);
  }
}

function keyOf(id: AgentId): string {
  return `parley.login:${id}`;
}

function parse(text: string): Kept | undefined {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    // Only Parley writes this key. Unreadable values are asked for again.
    return undefined;
  }
}
