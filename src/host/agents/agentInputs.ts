import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { programFingerprint } from '../../agent/spec/programKey';
import { isExposed } from '../../agent/remote/remoteTarget';
import { inputsOf } from '../../agent/remote/remoteInputs';
import { askText } from '../ui/quickInput';

const prefix = 'parley.agentInput:';

/**
 * Values that the user entered for `${input:NAME}` in the settings of an agent. Asks once, then stores the value
 * in the editor's secret storage, bound to the agent's exact definition, so that another URL doesn't get it.
 */
export class AgentInputs {
  private readonly secrets: vscode.SecretStorage;
  private readonly place: () => string;
  private asking: Promise<unknown> = Promise.resolve();

  /** `place` identifies the folders of this window. */
  constructor(secrets: vscode.SecretStorage, place: () => string) {
    this.secrets = secrets;
    this.place = place;
  }

  /** Returns the value, or undefined if the user enters none. */
  get(spec: AgentSpec, name: string): Promise<string | undefined> {
    const key = this.keyOf(spec, name);
    return this.inTurn(async () => {
      // Without a system keychain, nothing is stored.
      const stored = await Promise.resolve(this.secrets.get(key)).catch(() => undefined);
      return stored ?? this.ask(spec, name);
    });
  }

  /** Asks for all values again; keeps the old ones and resolves to false if the user enters none. */
  renew(spec: AgentSpec, signal: AbortSignal): Promise<boolean> {
    return this.inTurn(async () => {
      for (const name of inputsOf(spec)) if ((await this.ask(spec, name, signal)) === undefined) return false;
      return true;
    });
  }

  /** Stores a value that is known already. Rejects if it can't be stored. */
  async keep(spec: AgentSpec, name: string, value: string): Promise<void> {
    const key = this.keyOf(spec, name);
    await this.secrets.store(key, value);
    if ((await this.secrets.get(key)) !== value) throw new Error(l10n.t('VS Code’s secret storage isn’t available'));
  }

  /** Forgets the values of an agent. */
  async forget(spec: AgentSpec): Promise<void> {
    for (const name of inputsOf(spec)) await this.secrets.delete(this.keyOf(spec, name));
  }

  private async ask(spec: AgentSpec, name: string, signal?: AbortSignal): Promise<string | undefined> {
    const cancellation = new vscode.CancellationTokenSource();
    const cancel = () => cancellation.cancel();
    if (signal?.aborted === true) return undefined;
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const box = {
        title: l10n.t('Agent {0}', spec.name),
        prompt: isExposed(spec.url ?? '')
          ? l10n.t(
              'Enter the value of “{0}”. The connection isn’t encrypted, so others on the network can read it.',
              name,
            )
          : l10n.t('Enter the value of “{0}”. It’s stored in VS Code’s secret storage.', name),
        password: true,
        ignoreFocusOut: true,
      };
      const value = await askText(box, cancellation.token);
      if (value === undefined || value === '') return undefined;
      await Promise.resolve(this.secrets.store(this.keyOf(spec, name), value)).catch(() => undefined);
      return value;
    } finally {
      signal?.removeEventListener('abort', cancel);
      cancellation.dispose();
    }
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const answer = this.asking.then(task);
    this.asking = answer.catch(() => undefined);
    return answer;
  }

  private keyOf(spec: AgentSpec, name: string): string {
    const definition = JSON.stringify([spec.id, name, programFingerprint(spec, this.place())]);
    return prefix + createHash('sha256').update(definition).digest('hex').slice(0, 40);
  }
}
