import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { secretVariablesOf } from '../../acp/base/redactText';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { AgentId } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import type { AgentInputs } from '../agents/agentInputs';
import type { Log } from '../log/log';
import type { Settings } from '../settings/settings';
import { showError, showInformation } from '../ui/notifications';

/** The key of the agents that the user doesn't want to be asked about. */
const declinedKey = 'parley.plainKeys.declined';

export interface PlainKeysNeeds {
  readonly settings: Pick<Settings, 'agentWithEnv' | 'setAgentEnv'>;
  readonly inputs: Pick<AgentInputs, 'keep'>;
  readonly memory: vscode.Memento;
  readonly log: Pick<Log, 'warn'>;
}

/** Offers to move keys that are plain text in the user's settings to the secret storage. VS Code syncs settings between machines. */
export class PlainKeys {
  private readonly needs: PlainKeysNeeds;
  private readonly asked = new Set<AgentId>();

  constructor(needs: PlainKeysNeeds) {
    this.needs = needs;
  }

  /** Asks once per window, unless the user has declined for this agent. Never rejects. */
  async offer(spec: AgentSpec): Promise<void> {
    const names = plainKeysOf(spec);
    const { memory, log } = this.needs;
    const declined = memory.get<readonly string[]>(declinedKey, []);
    if (names.length === 0 || this.asked.has(spec.id) || declined.includes(spec.name)) return;
    this.asked.add(spec.id);
    const move = l10n.t('Move');
    const never = l10n.t('Don’t Ask Again');
    const words = l10n.t(
      'The settings of {0} have a key in plain text: {1}. Move it to VS Code’s secret storage? It isn’t synced to other machines from there, so keep a copy.',
      spec.name,
      names.join(', '),
    );
    try {
      const answer = await showInformation(words, move, never);
      if (answer === never) await memory.update(declinedKey, [...declined, spec.name]);
      if (answer === move) await this.move(spec, names);
    } catch (error) {
      log.warn(`Keys of ${spec.name}: ${messageOf(error)}`);
      void showError(
        l10n.t('Couldn’t move the key of {0}: {1}. It’s still in your settings.', spec.name, messageOf(error)),
      );
    }
  }

  /** Stores the values before the settings change: a failure in between loses nothing. */
  private async move({ name, env }: AgentSpec, names: readonly string[]): Promise<void> {
    const { settings, inputs } = this.needs;
    const changes = Object.fromEntries(names.map((key) => [key, `\${input:${key}}`]));
    const next = settings.agentWithEnv(name, changes);
    // Somebody has changed the settings in the meantime.
    if (!next) return;
    for (const key of names) await inputs.keep(next, key, env[key] ?? '');
    await settings.setAgentEnv(name, changes);
  }
}

/** Returns the variables of a user's agent whose values look like keys. */
function plainKeysOf({ source, isOfWorkspace, url, env }: AgentSpec): readonly string[] {
  if (source !== 'settings' || isOfWorkspace === true || url !== undefined) return [];
  return secretVariablesOf(env).filter((name) => env[name]?.includes('${') === false);
}
