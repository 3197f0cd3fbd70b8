import type { ConfigOption } from '../transcript/transcript';

const unlimited = /bypass|yolo|danger|full[-_ ]?access|allow[-_ ]?all|auto[-_ ]?approve[-_ ]?all/i;

/** Modes in which an agent never asks, whatever it does instead. */
const neverAsks = /(never|don.?t|no)[-_ ]?(ask|prompt|confirm|approval)|auto[-_ ]?pilot/i;

/** Descriptions of such modes, unless they limit this to some actions. */
const saysSo =
  /without (asking|prompting|confirmation|approval|permission)|(never|does(n.t| not)) (ask|prompt)s?\b|(approve|accept|allow)s? (all|every|tool calls)/i;
const limitsIt = /\b(edits?|writes?|reads?|files?|safe|asks|unless|except|required|requires)\b/i;

/** Names of switches that turn off all requests, without a following word that limits them to some. */
const switchesOff =
  /auto[-_ ]?(approve|approval|confirm|allow)s?(?![-_ ]*(read|edit|write|file|safe))|skip[-_ ]?(permission|approval|confirmation)|(without|never|don.?t|no)[-_ ]?(ask|prompt|confirm|approval)/i;

const isOn = /^(on|true|yes|enabled?|always|all|1)$/i;

/**
 * Returns whether an agent works without asking under this setting. The protocol doesn't say so, but agents use similar
 * names and descriptions: modes, options of category `permissions`, and switches such as *Allow All* or *Auto-approve*.
 */
export function isUnattended(option: ConfigOption, value: string | boolean): boolean {
  const isSwitch = [option.configId, option.name].some((text) => unlimited.test(text) || switchesOff.test(text));
  if (option.type === 'boolean') return isSwitch && value === true;
  const texts = [String(value), option.choices.find((choice) => choice.value === value)?.name ?? ''];
  if (isSwitch && texts.some((text) => isOn.test(text))) return true;
  const kind = option.category ?? option.configId;
  if (kind === 'mode') {
    const description = option.choices.find((choice) => choice.value === value)?.description ?? '';
    if (saysSo.test(description) && !limitsIt.test(description)) return true;
    return texts.some((text) => unlimited.test(text) || neverAsks.test(text));
  }
  return kind === 'permissions' && texts.some((text) => unlimited.test(text) || switchesOff.test(text));
}
