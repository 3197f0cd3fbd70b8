import * as l10n from '@vscode/l10n';
import { ConnectionClosedError, isAuthRequired, readableError } from '../acp/base/errors';
import type { ConfigOption } from '../shared/transcript/transcript';
import type { SessionChannel } from '../acp/shape/sessionChannel';
import type { TranscriptStore } from './transcript/transcriptStore';

/** The user's changes of a session's settings. Each is shown immediately and undone if the agent refuses it. */
export class ConfigChanges {
  private readonly store: TranscriptStore;
  /** The latest unanswered change of each option, and the agent's value before it. */
  private readonly open = new Map<string, { readonly value: string | boolean; before: string | boolean }>();

  private readonly onLoginRequired: () => void;

  constructor(store: TranscriptStore, onLoginRequired: () => void) {
    this.store = store;
    this.onLoginRequired = onLoginRequired;
  }

  /** Resolves when the agent has answered: true if it accepted the value. A failure adds a notice to the transcript. */
  async set(channel: SessionChannel, configId: string, value: string | boolean, turn: number): Promise<boolean> {
    const option = this.find(configId);
    if (!option || !fits(option, value)) return false;
    if (option.currentValue === value) return true;
    const change = { value, before: this.open.get(configId)?.before ?? option.currentValue };
    this.open.set(configId, change);
    this.show(configId, value);
    try {
      const options = await channel.setConfigOption(option, value);
      const newest = this.open.get(configId);
      if (newest === change) this.open.delete(configId);
      else if (newest) newest.before = value;
      if (options) this.store.reduce({ sessionUpdate: 'config_option_update', configOptions: options }, turn);
      // The complete list is older than the user's later changes.
      for (const [id, newer] of this.open) {
        if (options) newer.before = this.find(id)?.currentValue ?? newer.before;
        this.show(id, newer.value);
      }
      return true;
    } catch (error) {
      if (this.open.get(configId) !== change) return false;
      this.open.delete(configId);
      this.show(configId, change.before);
      if (error instanceof ConnectionClosedError) return false;
      if (isAuthRequired(error)) {
        this.onLoginRequired();
        return false;
      }
      const { message, detail } = readableError(error);
      const title = l10n.t('{0} couldn’t change {1}', this.store.view.agentName, option.name);
      this.store.appendNotice('error', title, turn, channel.redact([message, detail].filter(Boolean).join('\n')));
      return false;
    }
  }

  private find(configId: string): ConfigOption | undefined {
    return this.store.view.configOptions.find((option) => option.configId === configId);
  }

  /**
   * An agent may have set a value that it doesn't list (Cline's provider), so a restored value needs only the right
   * type.
   */
  private show(configId: string, value: string | boolean): void {
    const option = this.find(configId);
    if (!option || typeof value !== typeof option.currentValue || option.currentValue === value) return;
    const configOptions = this.store.view.configOptions.map((other) =>
      other === option ? ({ ...option, currentValue: value } as ConfigOption) : other,
    );
    this.store.setView({ configOptions });
  }
}

/** Returns whether an option offers a value. */
export function fits(option: ConfigOption, value: string | boolean): boolean {
  if (option.type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && option.choices.some((choice) => choice.value === value);
}
