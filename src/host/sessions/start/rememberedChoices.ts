import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { InitialOption } from '../../../acp/shape/openingSetup';
import type { Preset } from '../../../agent/spec/preset';
import { presetGaps, presetValue } from '../../../agent/spec/presetChoices';
import { fits } from '../../../session/configChanges';
import { entryKinds } from '../../../session/transcript/entryKinds';
import type { Session } from '../../../session/session';
import { Disposable } from '../../../shared/values/disposable';
import type { Event } from '../../../shared/values/event';
import type { AgentId, SessionKey } from '../../../shared/values/ids';
import { readOnlyValue } from '../../../shared/permissions/readOnlyMode';
import type { ConfigOption } from '../../../shared/transcript/transcript';
import { isUnattended } from '../../../shared/permissions/unattended';

/** Where choices are stored across windows, such as a `vscode.Memento`. */
export interface ChoiceMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

type Choices = Readonly<Record<string, string | boolean>>;

/** Maximum number of remembered options. Agents have only a few. */
const maxOptions = 40;
/** How long the first message waits for the agent to apply the remembered options, in milliseconds. */
const patienceMs = 3000;
const patience = (): Promise<void> => delay(patienceMs, undefined, { ref: false });

/**
 * The user's last choices for each agent, such as model and mode. A new session gets them before its first message, if
 * the agent offers the same options, immediately or after another one is set. Never sets a mode in which the agent
 * doesn't ask.
 */
export class RememberedChoices extends Disposable {
  private readonly memory: ChoiceMemory;
  private readonly opened = new WeakSet<Session>();
  /** The options of sessions that start with those of another one. */
  private readonly copied = new WeakMap<Session, Choices>();
  /** The presets that sessions start with. */
  private readonly presets = new WeakMap<Session, Preset>();
  private readonly readers = new WeakSet<Session>();
  /** Resolve to whether a new session has the user's options before its first message must be sent. */
  private readonly applying = new Map<SessionKey, { readonly session: Session; readonly inTime: Promise<boolean> }>();
  private readonly patience: () => Promise<void>;

  constructor(
    pool: { readonly sessions: readonly Session[]; readonly onDidChangeSessions: Event<void> },
    memory: ChoiceMemory,
    waits = patience,
  ) {
    super();
    this.patience = waits;
    this.memory = memory;
    this.register(pool.onDidChangeSessions(() => this.follow(pool.sessions)));
  }

  /** Records the value that the user chose in a session. */
  remember(session: Session, configId: string, value: string | boolean): void {
    const { agentId } = session.transcript.view;
    const others = Object.entries(this.of(agentId)).filter(([id]) => id !== configId);
    const all = [...others, [configId, value] as const].slice(-maxOptions);
    void this.memory.update(keyOf(agentId), Object.fromEntries(all));
  }

  /** Lets a session that isn't open yet start with the options of another session of the same agent. */
  copy(from: Session, to: Session): void {
    const { agentId, configOptions } = from.transcript.view;
    if (to.transcript.view.agentId !== agentId) return;
    const values = configOptions.map(({ configId, currentValue }) => [configId, currentValue] as const);
    this.copied.set(to, { ...this.of(agentId), ...Object.fromEntries(values) });
  }

  /**
   * Lets a session that isn't open yet start with a preset, and with the user's last choices for what the preset doesn't
   * set. A notice in the session says what its agent doesn't offer.
   */
  usePreset(session: Session, preset: Preset): void {
    this.presets.set(session, preset);
  }

  /** Lets a session that isn't open yet start in the mode in which its agent only reads, if it has one. */
  useReadOnly(session: Session): void {
    this.readers.add(session);
  }

  /** Resolves once a new session has the user's options, or when its agent takes too long. Then, the session says so. */
  async applied(key: SessionKey): Promise<void> {
    const applying = this.applying.get(key);
    if (!applying || (await applying.inTime)) return;
    this.applying.delete(key);
    const { session } = applying;
    const { agentName } = session.transcript.view;
    session.addNotice({
      severity: 'warning',
      title: l10n.t('Sent before {0} had your settings', agentName),
      description: l10n.t(
        '{0} takes long to set its mode, model, or other options. They apply once it answers.',
        agentName,
      ),
    });
  }

  private follow(sessions: readonly Session[]): void {
    for (const session of sessions) {
      const { connection } = session.transcript.view;
      if (connection.state !== 'ready' || this.opened.has(session)) continue;
      this.opened.add(session);
      if (isNew(session)) this.apply(session);
    }
  }

  /** Returns the values that a new session gets of these options, without those that they have already. */
  wanted(session: Session, offered: readonly ConfigOption[]): readonly InitialOption[] {
    const choices = this.copied.get(session) ?? this.of(session.transcript.view.agentId);
    const preset = this.presets.get(session);
    return offered.flatMap((option) => {
      const { configId, currentValue } = option;
      const value =
        (this.readers.has(session) ? readOnlyValue(option) : undefined) ??
        (preset && presetValue(preset, option, offered)) ??
        choices[configId];
      const isUseless = value === undefined || value === currentValue || !fits(option, value);
      return isUseless || isUnattended(option, value) ? [] : [{ configId, value }];
    });
  }

  private apply(session: Session): void {
    const { key } = session;
    const applied = this.applyRest(session, new Set()).then(() => this.tellGaps(session));
    const inTime = Promise.race([applied.then(() => true), this.patience().then(() => false)]);
    this.applying.set(key, { session, inTime });
    void applied.finally(() => this.applying.delete(key));
  }

  /**
   * Sets the offered options, and, after each success, those offered since. `tried` lists options that aren't set
   * again.
   */
  private async applyRest(session: Session, tried: Set<string>): Promise<void> {
    const changes = this.wanted(session, session.transcript.view.configOptions).map(async ({ configId, value }) => {
      if (tried.has(configId)) return;
      tried.add(configId);
      if (await session.setConfigOption(configId, value)) await this.applyRest(session, tried);
    });
    await Promise.all(changes);
  }

  private tellGaps(session: Session): void {
    const preset = this.presets.get(session);
    const { connection, configOptions, agentName } = session.transcript.view;
    if (!preset || connection.state !== 'ready') return;
    const gaps = presetGaps(preset, configOptions, agentName);
    if (gaps.length === 0) return;
    const title = l10n.t('The preset “{0}” is only partly used', preset.name);
    session.addNotice({ severity: 'warning', title, description: gaps.join(' ') });
  }

  private of(agentId: AgentId): Choices {
    const stored = this.memory.get(keyOf(agentId));
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored as Record<string, unknown>).filter(
        (entry): entry is [string, string | boolean] => typeof entry[1] === 'string' || typeof entry[1] === 'boolean',
      ),
    );
  }
}

/** Returns true if the agent hasn't responded in the session yet. A continued session keeps its own settings. */
function isNew({ transcript }: Session): boolean {
  return [...transcript.entries.values()].every(
    ({ kind, earlier }) => earlier === true || !entryKinds[kind].isResponse,
  );
}

function keyOf(agentId: AgentId): string {
  return `parley.choices:${agentId}`;
}
