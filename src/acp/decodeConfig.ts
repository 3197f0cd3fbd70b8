import * as l10n from '@vscode/l10n';
import type { ConfigChoice, ConfigOption } from '../shared/transcript';
import { asList, asObject, asString, type JsonObject } from './decodeValue';

/** Id of the option that the modes of older agents are raised to; no agent uses it. */
export const modesConfigId = '@mode';
/** Id of the option that the models of older agents are raised to; no agent uses it. */
export const modelsConfigId = '@model';

/** The complete list of config options (https://agentclientprotocol.com/protocol/session-config-options); unknown types and malformed items are left out. */
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
  return { ...(description === undefined ? {} : { description }), ...(category === undefined ? {} : { category }) };
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
  return { value: id, name: asString(choice['name']) ?? id, ...(description === undefined ? {} : { description }) };
}

/** `modes` of an answer to `session/new`, `load` or `resume` (https://agentclientprotocol.com/protocol/session-modes), as an option. */
export function decodeModes(value: unknown): ConfigOption | undefined {
  const modes = asObject(value);
  const choices = asList(modes?.['availableModes'], (mode) => decodeChoice(mode, 'id'));
  const currentValue = asString(modes?.['currentModeId']);
  if (!choices?.length || currentValue === undefined) return undefined;
  const name = l10n.t('Mode');
  return { configId: modesConfigId, name, category: 'mode', via: 'modes', type: 'select', currentValue, choices };
}

/** `models`, which left the schema but not the field, as an option. */
export function decodeModels(value: unknown): ConfigOption | undefined {
  const models = asObject(value);
  const choices = asList(models?.['availableModels'], (model) => decodeChoice(model, 'modelId'));
  const currentValue = asString(models?.['currentModelId']);
  if (!choices?.length || currentValue === undefined) return undefined;
  const name = l10n.t('Model');
  return { configId: modelsConfigId, name, category: 'model', via: 'models', type: 'select', currentValue, choices };
}

/**
 * All settings an answer to `session/new`, `load` or `resume` offers. Config options beat modes, and a config option of
 * category `model` beats models.
 */
export function decodeSessionSettings(value: unknown): readonly ConfigOption[] {
  const result = asObject(value);
  const options = decodeConfigOptions(result?.['configOptions']);
  const modes = options?.length ? undefined : decodeModes(result?.['modes']);
  const models = hasModel(options ?? []) ? undefined : decodeModels(result?.['models']);
  return [...(options ?? []), ...(modes ? [modes] : []), ...(models ? [models] : [])];
}

/** What remains of raised modes and models when the agent sends its complete list of config options. */
export function mergeConfigOptions(
  current: readonly ConfigOption[],
  options: readonly ConfigOption[],
): readonly ConfigOption[] {
  const kept = current.filter(
    ({ via }) => (via === 'modes' && options.length === 0) || (via === 'models' && !hasModel(options)),
  );
  return [...options, ...kept];
}

function hasModel(options: readonly ConfigOption[]): boolean {
  return options.some(({ category }) => category === 'model');
}
