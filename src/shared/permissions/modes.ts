import type { ConfigOption } from '../transcript/transcript';
import { isUnattended } from './unattended';

/** A mode to switch to: the option's id, and the value to set. */
export interface ModeChange {
  readonly configId: string;
  readonly value: string;
}

type SelectOption = ConfigOption & { readonly type: 'select' };

/** Returns the option for an agent's modes. Undefined if the agent has none. */
export function modeOption(options: readonly ConfigOption[]): SelectOption | undefined {
  return options.find((option): option is SelectOption => {
    return option.type === 'select' && (option.category ?? option.configId) === 'mode';
  });
}

/**
 * Returns the mode after the current one, in the agent's order. After the last one comes the first. Modes in which the
 * agent works without asking are skipped, because a key is pressed by accident more easily than such a mode is chosen
 * from a list. Undefined if there is no other mode.
 */
export function nextMode(options: readonly ConfigOption[]): ModeChange | undefined {
  const option = modeOption(options);
  if (!option) return undefined;
  const at = option.choices.findIndex(({ value }) => value === option.currentValue);
  const after = [...option.choices.slice(at + 1), ...option.choices.slice(0, Math.max(0, at))];
  const next = after.find(({ value }) => !isUnattended(option, value));
  return next && { configId: option.configId, value: next.value };
}
