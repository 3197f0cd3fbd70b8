import type { AgentId } from '../values/ids';

/** An agent that the user can start. */
export interface ListedAgent {
  readonly id: AgentId;
  readonly name: string;
  /** How it is started, or who makes it, on one line. */
  readonly detail: string;
  /** Whether it comes with Parley, was added from the list of agents, or is in the user's or the workspace's settings. */
  readonly source: 'builtin' | 'added' | 'settings' | 'workspace';
  /** New sessions start with it. */
  readonly isDefault: boolean;
  readonly isRunning: boolean;
  /** Whether it is known to take other model providers, as far as it has said so. */
  readonly takesProviders: boolean;
}

/** Messages from the extension host to the tab of agents. */
export type ToAgentsTab = { readonly type: 'agents'; readonly agents: readonly ListedAgent[] };

/** Messages from the tab of agents to the extension host. */
export type FromAgentsTab =
  /** Shows the list of agents, and updates of those that were added. */
  | { readonly type: 'addAgent' }
  | { readonly type: 'startAgent'; readonly id: AgentId }
  /** Makes new sessions start with it. */
  | { readonly type: 'useAgent'; readonly id: AgentId }
  | { readonly type: 'logInAgent'; readonly id: AgentId }
  | { readonly type: 'openProviders'; readonly id: AgentId }
  | { readonly type: 'openTools'; readonly id: AgentId }
  | { readonly type: 'openAgentSettings' };

/** A preset of the user or the workspace. */
export interface ListedPreset {
  readonly name: string;
  /** Its agent and choices, on one line. */
  readonly detail: string;
  readonly isDefault: boolean;
  /** It can be started, and is changed in the workspace's settings. */
  readonly isOfWorkspace: boolean;
}

/** Messages from the extension host to the tab of presets. */
export type ToPresetsTab = {
  readonly type: 'presets';
  readonly presets: readonly ListedPreset[];
  /** The preset that was deleted last. */
  readonly deleted?: string;
};

/** Messages from the tab of presets to the extension host. Presets are named, because the settings can change at any time. */
export type FromPresetsTab =
  | { readonly type: 'startPreset'; readonly name: string }
  | { readonly type: 'usePreset'; readonly name: string; readonly isDefault: boolean }
  | { readonly type: 'renamePreset'; readonly name: string }
  | { readonly type: 'deletePreset'; readonly name: string }
  | { readonly type: 'undoDeletePreset' }
  | { readonly type: 'openPresetSettings' };

/** A part of the setup. Without a state, it's still being checked. */
export interface ListedPart {
  readonly name: string;
  readonly state?: 'ok' | 'note' | 'problem' | 'skipped';
  /** The state and a few words, on one line. */
  readonly summary: string;
  readonly detail: string;
  /** The label of what fixes it. */
  readonly fix?: string;
}

/** Everything in the tab of the setup. */
export interface SetupShown {
  /** Nothing is checked before the user asks for it. */
  readonly state: 'unchecked' | 'checking' | 'checked';
  readonly parts: readonly ListedPart[];
  /** An agent keeps the check waiting. */
  readonly canStopWaiting: boolean;
}

/** Messages from the extension host to the tab of the setup. */
export type ToSetupTab = { readonly type: 'setup'; readonly shown: SetupShown };

/** Messages from the tab of the setup to the extension host. */
export type FromSetupTab =
  | { readonly type: 'checkSetup' }
  | { readonly type: 'stopWaiting' }
  /** Does what fixes a part. */
  | { readonly type: 'fixSetup'; readonly name: string; readonly fix: string }
  | { readonly type: 'showSetupText' }
  | { readonly type: 'saveSupportBundle' };
