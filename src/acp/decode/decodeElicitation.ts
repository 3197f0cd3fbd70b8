import type { ElicitationAsk, FormChoice, FormField, TextFormat } from '../../shared/forms/elicitation';
import type { SessionId, ToolCallId } from '../../shared/values/ids';
import { readWebAddress } from '../../shared/text/webAddress';
import {
  asList,
  asNumber,
  asObject,
  asOneOf,
  asString,
  compact,
  isAbsent,
  type JsonObject,
} from '../../shared/values/decodeValue';
import { invalidParams } from '../base/errors';

/** Maximum number of fields. A form with more is rejected with an error. */
const maximumFields = 100;
/** Maximum number of choices of all fields together. */
const maximumChoices = 2000;
/** Maximum length of keys, values, and URLs, in UTF-16 units. Longer ones are rejected. */
const maximumValue = 8000;
/** Maximum lengths of display texts, which are cut because a shorter text still means the same. */
const longest = { message: 10_000, label: 300, description: 2000, pattern: 1000 } as const;

const formats: readonly TextFormat[] = ['email', 'uri', 'date', 'date-time'];
const secretName = /passw(or)?d|passphrase|secret|token|api[-_ ]?key|credential|private[-_ ]?key|\bpin\b/i;

/** The target of an elicitation: a session, or one of Parley's own pending requests. */
export type ElicitationScope =
  | { readonly scope: 'session'; readonly sessionId: SessionId; readonly toolCallId?: ToolCallId }
  | { readonly scope: 'request'; readonly requestId: number | string };

/** An `elicitation/create` (https://agentclientprotocol.com/protocol/elicitation). */
export interface ElicitationParams {
  readonly message: string;
  readonly ask: ElicitationAsk;
  readonly elicitationId?: string;
}

/** The response to an `elicitation/create`. */
export type ElicitationResponse =
  | { readonly action: 'decline' | 'cancel' }
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, string | number | boolean | string[]>> };

/** Reads `sessionId` or `requestId` of an `elicitation/create`. */
export function decodeElicitationScope(params: unknown): ElicitationScope {
  const object = asObject(params) ?? {};
  const { sessionId, requestId } = object;
  if (typeof sessionId === 'string') {
    const toolCallId = asString(object['toolCallId']) as ToolCallId | undefined;
    return compact({ scope: 'session' as const, sessionId: sessionId as SessionId, toolCallId });
  }
  if (typeof requestId === 'number' || typeof requestId === 'string') return { scope: 'request', requestId };
  throw invalidParams('sessionId or requestId is required', { field: 'sessionId' });
}

export function decodeElicitation(params: unknown): ElicitationParams {
  const object = asObject(params) ?? {};
  const { mode } = object;
  if (mode !== 'form' && mode !== 'url') throw invalidParams('mode must be "form" or "url"', { field: 'mode' });
  const message = asString(object['message']);
  if (message === undefined) throw invalidParams('message must be a string', { field: 'message' });
  const shown = shorten(message, longest.message);
  return mode === 'form'
    ? { message: shown, ask: decodeForm(object['requestedSchema']) }
    : { message: shown, ...decodeAddress(object) };
}

/** Reads `elicitationId` of an `elicitation/complete`; undefined if missing. */
export function decodeElicitationId(params: unknown): string | undefined {
  return asString(asObject(params)?.['elicitationId']);
}

function decodeAddress(object: JsonObject): Pick<ElicitationParams, 'ask' | 'elicitationId'> {
  const elicitationId = asString(object['elicitationId']);
  if (elicitationId === undefined) throw invalidParams('elicitationId must be a string', { field: 'elicitationId' });
  const url = asString(object['url']) ?? '';
  const address = url.length > maximumValue ? undefined : readWebAddress(url);
  if (!address) throw invalidParams('url must start with https: or http:', { field: 'url' });
  return { ask: { mode: 'url', address }, elicitationId };
}

function decodeForm(schema: unknown): ElicitationAsk {
  const object = asObject(schema);
  const field = 'requestedSchema';
  if (!object || (!isAbsent(object['type']) && object['type'] !== 'object')) {
    throw invalidParams('requestedSchema must describe an object', { field });
  }
  const properties = Object.entries(asObject(object['properties']) ?? {});
  if (properties.length > maximumFields) {
    throw invalidParams(`requestedSchema must not have more than ${maximumFields} properties`, { field });
  }
  const required = new Set(asList(object['required'], asString));
  const fields = properties.map(([key, property]) => decodeField(key, asObject(property) ?? {}, required.has(key)));
  for (const key of required) {
    if (properties.some(([name]) => name === key)) continue;
    throw invalidParams(`requestedSchema requires ${shorten(key, 100)}, which isn't one of its properties`, { field });
  }
  const choices = fields.reduce((sum, one) => sum + ('choices' in one ? one.choices.length : 0), 0);
  if (choices > maximumChoices) {
    throw invalidParams(`requestedSchema must not have more than ${maximumChoices} choices`, { field });
  }
  return compact({ mode: 'form' as const, title: label(object), description: description(object), fields });
}

function decodeField(key: string, property: JsonObject, isRequired: boolean): FormField {
  const field = 'requestedSchema';
  if (key.length > maximumValue) throw invalidParams('The key of a property is too long', { field });
  const type = asString(property['type']) ?? '';
  const base = compact({ key, label: label(property) ?? key, description: description(property), isRequired });
  switch (type) {
    case 'string':
      return decodeText(base, property);
    case 'number':
    case 'integer':
      return compact({ ...base, type, ...decodeNumber(type, property) });
    case 'boolean':
      return { ...base, type, initial: property['default'] === true };
    case 'array': {
      const items = asObject(property['items']) ?? {};
      const isText = isAbsent(items['type']) || items['type'] === 'string';
      const choices = isText ? decodeChoices(items['anyOf'] ?? items['oneOf'], items) : undefined;
      if (!choices) break;
      const initial = (asList(property['default'], asString) ?? []).filter((one) => isOffered(choices, one));
      const [minItems, maxItems] = [count(property['minItems']), count(property['maxItems'])];
      return compact({ ...base, type: 'choices' as const, choices, minItems, maxItems, initial });
    }
  }
  return { ...base, type: 'unknown', kind: shorten(type, 100), initial: '' };
}

type Base = Pick<FormField, 'key' | 'label' | 'isRequired'>;

function decodeText(base: Base, property: JsonObject): FormField {
  const choices = decodeChoices(property['oneOf'] ?? property['anyOf'], property);
  const given = asString(property['default']) ?? '';
  if (choices) return { ...base, type: 'choice', choices, initial: isOffered(choices, given) ? given : '' };
  const isSecret = isMarkedSecret(property) || secretName.test(`${base.key} ${base.label}`);
  const pattern = asString(property['pattern']);
  return compact({
    ...base,
    type: 'text' as const,
    minLength: count(property['minLength']),
    maxLength: count(property['maxLength']),
    pattern: pattern === undefined || pattern.length > longest.pattern ? undefined : pattern,
    format: asOneOf(property['format'], formats),
    isSecret,
    // The agent already has this secret, so don't prefill it.
    initial: isSecret ? '' : given,
  });
}

function decodeNumber(type: 'number' | 'integer', property: JsonObject) {
  const fits = (value: unknown) => {
    const number = asNumber(value);
    return number === undefined || (type === 'integer' && !Number.isSafeInteger(number)) ? undefined : number;
  };
  const given = fits(property['default']);
  return {
    minimum: asNumber(property['minimum']),
    maximum: asNumber(property['maximum']),
    initial: given === undefined ? '' : String(given),
  };
}

/** Reads choices with titles (`titled`), or `enum`, whose titles older agents put into `enumNames`. */
function decodeChoices(titled: unknown, { enum: plain, enumNames }: JsonObject): readonly FormChoice[] | undefined {
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  const found =
    asList(titled, decodeChoice) ??
    asList(plain, asString)?.map((value, at) => ({
      value,
      label: shorten(asString(names[at]) || value, longest.label),
    }));
  const choices = new Map<string, FormChoice>();
  for (const choice of found ?? []) {
    if (choice.value.length > maximumValue) throw invalidParams('A choice is too long', { field: 'requestedSchema' });
    // An empty value would mean the same as no value.
    if (choice.value !== '' && !choices.has(choice.value)) choices.set(choice.value, choice);
  }
  return choices.size === 0 ? undefined : [...choices.values()];
}

function decodeChoice(item: unknown): FormChoice | undefined {
  const option = asObject(item);
  const value = asString(option?.['const']);
  if (!option || value === undefined) return undefined;
  return compact({ value, label: label(option) ?? shorten(value, longest.label), description: description(option) });
}

function isOffered(choices: readonly FormChoice[], value: string): boolean {
  return choices.some((choice) => choice.value === value);
}

/** Codex marks secrets in `_meta`, under its own name. */
function isMarkedSecret(property: JsonObject): boolean {
  if (property['format'] === 'password' || property['writeOnly'] === true) return true;
  return Object.values(asObject(property['_meta']) ?? {}).some((meta) => asObject(meta)?.['isSecret'] === true);
}

function label(object: JsonObject): string | undefined {
  const title = asString(object['title'])?.trim();
  return title ? shorten(title, longest.label) : undefined;
}

function description(object: JsonObject): string | undefined {
  const text = asString(object['description'])?.trim();
  return text ? shorten(text, longest.description) : undefined;
}

function count(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined || number < 0 || !Number.isInteger(number) ? undefined : number;
}

function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
