import * as l10n from '@vscode/l10n';
import type { ConfigChoice, ConfigOption } from '../../shared/transcript/transcript';
import { asList, asObject, asString, compact, type JsonObject } from '../../shared/values/decodeValue';

/** Id of the option that represents the modes of older agents. No agent uses this id. */
export const modesConfigId = '@mode';
/** Id of the option that represents the models of older agents. No agent uses this id. */
export const modelsConfigId = '@model';

/**
 * Reads the complete list of config options (https://agentclientprotocol.com/protocol/session-config-options); skips
 * unknown types and malformed items.
 */
export function decodeConfigOptions(value: unknown): readonly ConfigOption[] | undefined {
  return asList(value, decodeConfigOption);
}

function decodeConfigOption(value: unknown): ConfigOption | undefined {
  const option = asObject(value);
  const configId = asString(option?.['id']) ?? asString(option?.['configId']);
  if (!option || configId === undefined) return undefined;
  const common = {
    configId,
    name: asString(option['name']) ?? configId,
    via: 'configOptions',
    ...texts(option),
  } as const;
  const currentValue = option['currentValue'];
  switch (option['type']) {
    case 'boolean':
      return typeof currentValue === 'boolean' ? { ...common, type: 'boolean', currentValue } : undefined;
    case 'select': {
      if (typeof currentValue !== 'string') return undefined;
      return { ...common, type: 'select', currentValue, choices: decodeChoices(option['options']) };
    }
    default:
      return undefined;
  }
}

function texts(option: JsonObject): { description?: string; category?: string } {
  const description = asString(option['description']);
  const category = asString(option['category']);
  return compact({ description, category });
}

function decodeChoices(value: unknown): readonly ConfigChoice[] {
  const items = asList(value, (item) => {
    const object = asObject(item);
    const grouped = object && asList(object['options'], (inner) => decodeChoice(inner, 'value'));
    if (grouped) {
      const group = asString(object['name']) ?? asString(object['group']) ?? asString(object['groupId']) ?? '';
      return grouped.map((choice) => ({ ...choice, group }));
    }
    const choice = decodeChoice(item, 'value');
    return choice && [choice];
  });
  return (items ?? []).flat();
}

function decodeChoice(value: unknown, idKey: 'value' | 'id' | 'modelId'): ConfigChoice | undefined {
  const choice = asObject(value);
  const id = asString(choice?.[idKey]);
  if (!choice || id === undefined) return undefined;
  const description = asString(choice['description']);
  return { value: id, name: asString(choice['name']) ?? id, ...compact({ description }) };
}

/**
 * Returns `modes` of a response to `session/new`, `load`, or `resume`
 * (https://agentclientprotocol.com/protocol/session-modes) as an option.
 */
export function decodeModes(value: unknown): ConfigOption | undefined {
  const modes = asObject(value);
  const choices = asList(modes?.['availableModes'], (mode) => decodeChoice(mode, 'id'));
  const currentValue = asString(modes?.['currentModeId']);
  if (!choices?.length || currentValue === undefined) return undefined;
  const name = l10n.t('Mode');
  return { configId: modesConfigId, name, category: 'mode', via: 'modes', type: 'select', currentValue, choices };
}

/** Returns `models` as an option. The schema no longer has the field, but agents still send it. */
export function decodeModels(value: unknown): ConfigOption | undefined {
  const models = asObject(value);
  const choices = asList(models?.['availableModels'], (model) => decodeChoice(model, 'modelId'));
  const currentValue = asString(models?.['currentModelId']);
  if (!choices?.length || currentValue === undefined) return undefined;
  const name = l10n.t('Model');
  return { configId: modelsConfigId, name, category: 'model', via: 'models', type: 'select', currentValue, choices };
}

/**
 * Returns all settings in a response to `session/new`, `load`, or `resume`. Keeps modes and models unless a config
 * option covers them, because the permission mode must stay visible even if the agent has other options.
 */
export function decodeSessionSettings(value: unknown): readonly ConfigOption[] {
  const result = asObject(value);
  const older = [decodeModes(result?.['modes']), decodeModels(result?.['models'])].filter((one) => one !== undefined);
  return mergeConfigOptions(older, decodeConfigOptions(result?.['configOptions']) ?? []);
}

/** Returns the agent's complete list of config options, plus the older modes and models that it doesn't cover. */
export function mergeConfigOptions(
  current: readonly ConfigOption[],
  options: readonly ConfigOption[],
): readonly ConfigOption[] {
  return [...options, ...current.filter(({ via }) => via !== 'configOptions').filter((one) => !covers(options, one))];
}

/**
 * Returns whether an option sets the same as older modes or models: same category, or same choices (pi's modes are its
 * thinking levels).
 */
function covers(options: readonly ConfigOption[], older: ConfigOption): boolean {
  return options.some(
    (option) =>
      (option.category ?? option.configId) === older.category ||
      (older.via === 'modes' && valuesOf(option) === valuesOf(older)),
  );
}

function valuesOf(option: ConfigOption): string {
  return option.type === 'select' ? JSON.stringify(option.choices.map(({ value }) => value).sort()) : '';
}
