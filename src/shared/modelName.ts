import type { SessionView } from './transcript';

/** Returns the name of the model in use, if the agent lets the user select one. */
export function modelName({ configOptions }: SessionView): string | undefined {
  const option = configOptions.find(({ category, via }) => category === 'model' || via === 'models');
  if (option?.type !== 'select') return undefined;
  return option.choices.find(({ value }) => value === option.currentValue)?.name ?? option.currentValue;
}
