import type { ConfigOption } from './transcript';

const unlimited = /bypass|yolo|danger|full[-_ ]?access|allow[-_ ]?all|auto[-_ ]?approve[-_ ]?all/i;

/** What switches asking off are called: without a word after it that leaves some of the questions. */
const switchesOff =
  /auto[-_ ]?(approve|approval|confirm|allow)s?(?![-_ ]*(read|edit|write|file|safe))|skip[-_ ]?(permission|approval|confirmation)|(without|never|don.?t|no)[-_ ]?(ask|prompt|confirm|approval)/i;

const isOn = /^(on|true|yes|enabled?|always|all|1)$/i;

/**
 * Whether an agent that is set so works without asking. Nothing in the protocol tells, but agents name such settings alike:
 * modes, options of category `permissions`, and switches such as *Allow All* or *Auto-approve*.
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
