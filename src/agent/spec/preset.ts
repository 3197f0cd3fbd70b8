import * as l10n from '@vscode/l10n';
import { isRecord } from '../../shared/values/isRecord';
import { toSandboxMode, type SandboxMode } from '../../shared/limits/sandboxMode';

/** How a session starts: with an agent and some of its options, under a name of the user's. */
export interface Preset {
  readonly name: string;
  /** The agent's name in `parley.agents`, or its id. */
  readonly agent: string;
  readonly model?: string;
  readonly mode?: string;
  /** The values of other options, by the agent's ids for them. */
  readonly options: Readonly<Record<string, string | boolean>>;
  /** Sessions work in a new worktree. */
  readonly usesWorktree?: true;
  /** What the agent is held to. */
  readonly sandbox?: SandboxMode;
  /** A new session gets it if the user chooses nothing. */
  readonly isDefault: boolean;
  /** The workspace defines it, and the user agreed to that. */
  readonly isOfWorkspace: boolean;
}

/** The result of `parsePresets`: the valid presets in order, and one sentence per skipped entry. */
export interface ParsedPresets {
  readonly presets: readonly Preset[];
  readonly problems: readonly string[];
}

/**
 * Reads the values of `parley.presets`, the user's before the workspace's, which are an addition. Of two with the same
 * name, the first counts, so a workspace can't change what the user's own preset does. Only the first default one is
 * the default. Unknown keys are ignored.
 */
export function parsePresets(value: { readonly user: unknown; readonly workspace: unknown }): ParsedPresets {
  const presets: Preset[] = [];
  const problems: string[] = [];
  for (const isOfWorkspace of [false, true]) {
    const entries = (isOfWorkspace ? value.workspace : value.user) ?? [];
    if (!Array.isArray(entries)) problems.push(notAList());
    for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
      const parsed = parsePreset(entry, isOfWorkspace);
      const why = typeof parsed === 'string' ? parsed : isTaken(presets, parsed.name);
      if (why !== undefined) {
        problems.push(l10n.t('Skipped preset {0} in parley.presets: {1}.', placeOf(entry, index), why));
      } else if (typeof parsed !== 'string') {
        presets.push({ ...parsed, isDefault: parsed.isDefault && !presets.some(({ isDefault }) => isDefault) });
      }
    }
  }
  return { presets, problems };
}

/** The sentence about a value of `parley.presets` that can't be read. */
export function notAList(): string {
  return l10n.t('parley.presets must be a list of presets, each with a name and an agent.');
}

/** Returns the name of an entry of `parley.presets`, also of an invalid one. */
export function presetName(entry: unknown): string | undefined {
  const name = isRecord(entry) ? entry['name'] : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}

/** Returns the preset, or the reason why the entry is invalid, worded to follow a colon. */
function parsePreset(entry: unknown, isOfWorkspace: boolean): Preset | string {
  if (!isRecord(entry)) return l10n.t('must be an object with a name and an agent');
  const name = presetName(entry);
  if (name === undefined) return l10n.t('missing name');
  const { agent, model, mode, options = {} } = entry;
  if (typeof agent !== 'string' || agent.trim() === '') return l10n.t('“agent” must be the name of an agent');
  if (model !== undefined && typeof model !== 'string') return l10n.t('“model” must be text');
  if (mode !== undefined && typeof mode !== 'string') return l10n.t('“mode” must be text');
  if (!isOptions(options)) return l10n.t('“options” must be an object whose values are text, true, or false');
  const sandbox = toSandboxMode(entry['sandbox']);
  if (sandbox === undefined && entry['sandbox'] !== undefined) {
    return l10n.t('“sandbox” must be "off", "files", "filesAndNetwork", or "ownCopy"');
  }
  return {
    name,
    agent: agent.trim(),
    ...(model === undefined || model === '' ? {} : { model }),
    ...(mode === undefined || mode === '' ? {} : { mode }),
    options,
    ...(entry['worktree'] === true ? { usesWorktree: true } : {}),
    ...(sandbox ? { sandbox } : {}),
    isDefault: entry['default'] === true,
    isOfWorkspace,
  };
}

function isOptions(value: unknown): value is Preset['options'] {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string' || typeof one === 'boolean');
}

function isTaken(presets: readonly Preset[], name: string): string | undefined {
  return presets.some((preset) => preset.name === name) ? l10n.t('another one has this name') : undefined;
}

function placeOf(entry: unknown, index: number): string {
  const name = presetName(entry);
  return name === undefined ? String(index + 1) : `“${name}”`;
}
