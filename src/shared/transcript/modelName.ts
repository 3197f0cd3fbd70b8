import type { ConfigOption, SessionView } from './transcript';

type SelectOption = ConfigOption & { readonly type: 'select' };

/** Returns the option for an agent's models. Undefined if the agent has none. */
export function modelOption(options: readonly ConfigOption[]): SelectOption | undefined {
  const option = options.find(({ category, via }) => category === 'model' || via === 'models');
  return option?.type === 'select' ? option : undefined;
}

/** Returns the name of the model in use, if the agent lets the user select one. */
export function modelName({ configOptions }: SessionView): string | undefined {
  const option = modelOption(configOptions);
  if (!option) return undefined;
  return option.choices.find(({ value }) => value === option.currentValue)?.name ?? option.currentValue;
}

/**
 * Returns the name of the model with this id. Agents select models by a part of their ids, such as `opus`. Of several choices, the selected
 * one counts; without any, the id is the name.
 */
export function nameOfModel({ configOptions }: SessionView, id: string): string {
  const option = modelOption(configOptions);
  const isIt = ({ value }: { readonly value: string }) => {
    const part = value.toLowerCase().replace(/\[.*$/, '');
    return part !== '' && id.toLowerCase().includes(part);
  };
  const fitting = option?.choices.filter(isIt) ?? [];
  return (fitting.find(({ value }) => value === option?.currentValue) ?? fitting[0])?.name ?? id;
}
