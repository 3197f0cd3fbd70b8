import type { ConfigOption } from './transcript';

const unlimited = /bypass|yolo|danger|full[-_ ]?access|allow[-_ ]?all|auto[-_ ]?approve[-_ ]?all/i;

/** Whether an agent that is set so works without asking. Agents name such modes alike, and nothing else tells. */
export function isUnattended(option: ConfigOption, value: string | boolean): boolean {
  if (option.type !== 'select' || (option.category ?? option.configId) !== 'mode') return false;
  const name = option.choices.find((choice) => choice.value === value)?.name ?? '';
  return unlimited.test(String(value)) || unlimited.test(name);
}
