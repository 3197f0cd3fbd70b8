import type { ConfigOption } from './transcript';

const unlimited = /bypass|yolo|danger|full[-_ ]?access|allow[-_ ]?all|auto[-_ ]?approve[-_ ]?all/i;

/** Names of switches that turn off all requests, without a following word that limits them to some. */
const switchesOff =
  /auto[-_ ]?(approve|approval|confirm|allow)s?(?![-_ ]*(read|edit|write|file|safe))|skip[-_ ]?(permission|approval|confirmation)|(without|never|don.?t|no)[-_ ]?(ask|prompt|confirm|approval)/i;

const isOn = /^(on|true|yes|enabled?|always|all|1)$/i;

/**
 * Returns whether an agent works without asking under this setting. The protocol doesn't say so, but agents use similar
 * names: modes, options of category `permissions`, and switches such as *Allow All* or *Auto-approve*.
 */
export function isUnattended(option: ConfigOption, value: string | boolean): boolean {
  const isSwitch = [option.configId, option.name].some((text) => unlimited.test(text) || switchesOff.test(text));
  if (option.type === 'boolean') return isSwitch && value === true;
  const texts = [String(value), option.choices.find((choice) => choice.value === value)?.name ?? ''];
  if (isSwitch && texts.some((text) => isOn.test(text))) return true;
  const kind = option.category ?? option.configId;
  if (kind === 'mode') return texts.some((text) => unlimited.test(text));
  return kind === 'permissions' && texts.some((text) => unlimited.test(text) || switchesOff.test(text));
}
