import { modeOption, type ModeChange } from './modes';
import type { ConfigOption } from '../transcript/transcript';
import { isUnattended } from './unattended';

/**
 * Modes in which an agent reads and changes nothing, by their ids, the best ones first: Codex has `read-only`, Claude, Gemini, Qwen,
 * opencode, and Cline have `plan`, Kilo and Cursor have `ask`, and Copilot has the protocol's URL of `plan`.
 */
const known: readonly RegExp[] = [
  /(^|[-_/#])read[-_ ]?only$/i,
  /(^|[-_/#])review(er)?$/i,
  /(^|[-_/#])plan$/i,
  /(^|[-_/#])ask$/i,
  /(^|[-_/#])architect$/i,
  /(^|[-_/#])chat$/i,
];

/** Descriptions of such modes in agents that aren't known. */
const saysSo =
  /read[- ]only|(without|no|never|(does|do|can)(n.t| ?not)) (making |make |any |file )*(chang|edit|writ|modif)/i;

/** Returns the mode in which an agent only reads. Undefined if it has none, or is in it already. */
export function readOnlyMode(options: readonly ConfigOption[]): ModeChange | undefined {
  const option = modeOption(options);
  const value = option && readOnlyValue(option);
  return value === undefined || value === option?.currentValue
    ? undefined
    : { configId: option?.configId ?? '', value };
}

/** Returns the value of an option for modes in which the agent only reads. */
export function readOnlyValue(option: ConfigOption): string | undefined {
  if (option.type !== 'select' || modeOption([option]) === undefined) return undefined;
  const choices = option.choices.filter(({ value }) => !isUnattended(option, value));
  for (const pattern of known) {
    const found =
      choices.find(({ value }) => pattern.test(value)) ?? choices.find(({ name }) => pattern.test(name.trim()));
    if (found) return found.value;
  }
  return choices.find(({ description = '' }) => saysSo.test(description))?.value;
}
