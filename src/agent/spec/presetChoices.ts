import * as l10n from '@vscode/l10n';
import { fits } from '../../session/configChanges';
import { modelOption } from '../../shared/transcript/modelName';
import { modeOption } from '../../shared/permissions/modes';
import type { ConfigOption } from '../../shared/transcript/transcript';
import { isUnattended } from '../../shared/permissions/unattended';
import type { Preset } from './preset';

type Choices = Pick<Preset, 'model' | 'mode' | 'options'>;

/**
 * Returns the value that a preset has for an option, as the option's own value: a choice may also be given by its name.
 * Undefined if the preset has none. The value may be one that the option doesn't offer.
 */
export function presetValue(
  preset: Choices,
  option: ConfigOption,
  all: readonly ConfigOption[],
): string | boolean | undefined {
  const { configId } = option;
  const own = Object.hasOwn(preset.options, configId) ? preset.options[configId] : undefined;
  const given =
    (option === modelOption(all) ? preset.model : undefined) ??
    (option === modeOption(all) ? preset.mode : undefined) ??
    own;
  if (given === undefined || option.type === 'boolean' || fits(option, given)) return given;
  return option.choices.find(({ name }) => name === given)?.value ?? given;
}

/** Returns a sentence for each choice of a preset that a session didn't get, in the order of the preset. */
export function presetGaps(preset: Choices, all: readonly ConfigOption[], agentName: string): readonly string[] {
  const { model, mode, options } = preset;
  const gaps: string[] = [];
  const note = (option: ConfigOption | undefined, missing: string) => {
    const value = option && presetValue(preset, option, all);
    if (!option || value === undefined || !fits(option, value)) gaps.push(missing);
    else if (value !== option.currentValue && isUnattended(option, value))
      gaps.push(unattended(option, value, agentName));
  };
  if (model !== undefined) note(modelOption(all), l10n.t('The model “{0}” isn’t available.', model));
  if (mode !== undefined) note(modeOption(all), l10n.t('The mode “{0}” isn’t available.', mode));
  for (const [configId, value] of Object.entries(options)) {
    const option = all.find((one) => one.configId === configId);
    note(
      option,
      option
        ? l10n.t('The option “{0}” doesn’t have the value “{1}”.', option.name, String(value))
        : l10n.t('The option “{0}” isn’t available.', configId),
    );
  }
  return gaps;
}

/** What a session has chosen at present, for a preset. Choices in which its agent doesn't ask are left out and listed. */
export function choicesOf(all: readonly ConfigOption[]): {
  readonly choices: Choices;
  readonly omitted: readonly string[];
} {
  const [model, mode] = [modelOption(all), modeOption(all)];
  const asks = (option: ConfigOption | undefined) => option && !isUnattended(option, option.currentValue);
  const others = all.filter((option) => option !== model && option !== mode && asks(option));
  const omitted = all.filter((option) => !asks(option));
  return {
    choices: {
      ...(model && asks(model) ? { model: model.currentValue } : {}),
      ...(mode && asks(mode) ? { mode: mode.currentValue } : {}),
      options: Object.fromEntries(others.map(({ configId, currentValue }) => [configId, currentValue])),
    },
    omitted: omitted.map((option) => shownValue(option, option.currentValue)),
  };
}

function unattended(option: ConfigOption, value: string | boolean, agentName: string): string {
  const shown = shownValue(option, value);
  return l10n.t(
    '“{0}” isn’t set, because {1} doesn’t ask for permission in it. Select it in the session.',
    shown,
    agentName,
  );
}

function shownValue(option: ConfigOption, value: string | boolean): string {
  if (option.type === 'boolean') return option.name;
  return option.choices.find((choice) => choice.value === value)?.name ?? String(value);
}
