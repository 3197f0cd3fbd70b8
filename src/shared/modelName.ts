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
