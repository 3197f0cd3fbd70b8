import * as l10n from '@vscode/l10n';
import type { ContentValue, FormContent, FormField, ShownAnswer, TextFormat } from './elicitation';
import { completeTime, hasFormat } from './formatChecks';
import { linearPattern } from '../text/linearPattern';

/** The value of a field during input. Numbers are still the typed text. */
export type FormValue = string | boolean | readonly string[];

/** Maximum length of texts to check against a pattern. */
const patternLimit = 2000;
/** Maximum length of an answer shown in the transcript. */
const shownLimit = 120;

/** The problem of a value; the page has the message for it. */
export type FieldProblem =
  | { readonly what: 'missing' | 'notChosen' | 'notOffered' | 'notWhole' | 'notNumber' | 'tooLarge' }
  | { readonly what: 'minLength' | 'maxLength'; readonly limit: number; readonly length: number }
  | { readonly what: 'minimum' | 'maximum' | 'minItems' | 'maxItems'; readonly limit: number }
  | { readonly what: 'format'; readonly format: TextFormat }
  | { readonly what: 'pattern'; readonly pattern: string };

/** Returns the problem of a value; undefined if it is valid. */
export function problemOf(field: FormField, value: FormValue): FieldProblem | undefined {
  switch (field.type) {
    case 'boolean':
      return undefined;
    case 'choice':
      if (value === '') return field.isRequired ? { what: 'notChosen' } : undefined;
      return field.choices.some((choice) => choice.value === value) ? undefined : { what: 'notOffered' };
    case 'choices':
      return choicesProblem(field, typeof value === 'object' ? value : []);
    case 'number':
    case 'integer':
      return numberProblem(field, textOf(value).trim());
    case 'text':
      return textProblem(field, textOf(value));
    case 'unknown':
      return field.isRequired && textOf(value).trim() === '' ? { what: 'missing' } : undefined;
  }
}

/** Returns the content to send for a valid value; undefined if the field is omitted. */
export function contentOf(field: FormField, value: FormValue): ContentValue | undefined {
  switch (field.type) {
    case 'boolean':
      return value === true;
    case 'choices': {
      const chosen = typeof value === 'object' ? value : [];
      const inOrder = field.choices.flatMap((choice) => (chosen.includes(choice.value) ? [choice.value] : []));
      return inOrder.length === 0 && !field.isRequired ? undefined : inOrder;
    }
    case 'number':
    case 'integer': {
      const text = textOf(value).trim();
      // Turns `-0` into 0.
      return text === '' ? undefined : Number(text) + 0;
    }
    case 'choice':
    case 'unknown':
    case 'text': {
      const text = field.type === 'text' ? wholeText(field, textOf(value)) : textOf(value);
      return text === '' ? undefined : text;
    }
  }
}

/** Returns a whole form's content to send; undefined if a value has a problem. */
export function formContent(
  fields: readonly FormField[],
  valueOf: (field: FormField) => FormValue,
): FormContent | undefined {
  const content: [string, ContentValue][] = [];
  for (const field of fields) {
    const value = valueOf(field);
    if (problemOf(field, value) !== undefined) return undefined;
    const sent = contentOf(field, value);
    if (sent !== undefined) content.push([field.key, sent]);
  }
  return content;
}

/** Validates a page's content against the form; keeps only the form's own fields. Undefined if it is invalid. */
export function checkContent(fields: readonly FormField[], content: FormContent): FormContent | undefined {
  const given = new Map(content);
  return formContent(fields, (field) => {
    const value = given.get(field.key);
    if (typeof value === 'number') return String(value);
    return value ?? (field.type === 'boolean' ? false : '');
  });
}

/** Returns a submitted form for display, without secrets. */
export function shownAnswers(fields: readonly FormField[], content: FormContent): readonly ShownAnswer[] {
  const given = new Map(content);
  return fields.flatMap((field) => {
    const value = given.get(field.key);
    return value === undefined ? [] : [{ label: field.label, value: shorten(shownValue(field, value)) }];
  });
}

function shownValue(field: FormField, value: ContentValue): string {
  if (field.type === 'text' && field.isSecret) return l10n.t('not shown');
  if (typeof value === 'boolean') return value ? l10n.t('yes') : l10n.t('no');
  if (field.type !== 'choice' && field.type !== 'choices') return String(value);
  const chosen = typeof value === 'object' ? value : [String(value)];
  const labels = chosen.map((one) => field.choices.find((choice) => choice.value === one)?.label ?? one);
  return labels.length === 0 ? l10n.t('none') : labels.join(', ');
}

function shorten(text: string): string {
  return text.length > shownLimit ? `${text.slice(0, shownLimit)}…` : text;
}

function textOf(value: FormValue): string {
  return typeof value === 'string' ? value : '';
}

/** Surrounding spaces in a URL or a date are mistakes; in other texts they may be intended. */
function wholeText(field: FormField & { readonly type: 'text' }, text: string): string {
  if (field.format === undefined) return text;
  return field.format === 'date-time' ? completeTime(text.trim()) : text.trim();
}

function textProblem(field: FormField & { readonly type: 'text' }, typed: string): FieldProblem | undefined {
  const text = wholeText(field, typed);
  if (text === '' || (field.isRequired && text.trim() === '')) {
    return field.isRequired ? { what: 'missing' } : undefined;
  }
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  const length = Array.from(text).length;
  if (length < minLength) return { what: 'minLength', limit: minLength, length };
  if (length > maxLength) return { what: 'maxLength', limit: maxLength, length };
  if (field.format !== undefined && !hasFormat(field.format, text)) return { what: 'format', format: field.format };
  if (field.pattern !== undefined && !matches(field.pattern, text)) {
    return { what: 'pattern', pattern: field.pattern };
  }
  return undefined;
}

function numberProblem(
  field: FormField & { readonly type: 'number' | 'integer' },
  text: string,
): FieldProblem | undefined {
  if (text === '') return field.isRequired ? { what: 'missing' } : undefined;
  const value = Number(text);
  if (field.type === 'integer') {
    if (!/^[+-]?\d+$/.test(text)) return { what: 'notWhole' };
    if (!Number.isSafeInteger(value)) return { what: 'tooLarge' };
  } else {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return { what: 'notNumber' };
    if (!Number.isFinite(value)) return { what: 'tooLarge' };
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
  if (value < minimum) return { what: 'minimum', limit: minimum };
  if (value > maximum) return { what: 'maximum', limit: maximum };
  return undefined;
}

function choicesProblem(
  field: FormField & { readonly type: 'choices' },
  chosen: readonly string[],
): FieldProblem | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  const count = new Set(chosen).size;
  if (chosen.some((value) => !field.choices.some((choice) => choice.value === value))) {
    return { what: 'notOffered' };
  }
  if (count === 0) return field.isRequired ? { what: 'minItems', limit: Math.max(1, minItems) } : undefined;
  if (count < minItems) return { what: 'minItems', limit: minItems };
  if (count > maxItems) return { what: 'maxItems', limit: maxItems };
  return undefined;
}

/**
 * Returns whether the text matches. An unusable pattern accepts every text, because the agent checks its own patterns.
 */
function matches(pattern: string, text: string): boolean {
  return text.length > patternLimit || linearPattern(pattern)?.test(text) !== false;
}
