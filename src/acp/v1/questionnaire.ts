import * as l10n from '@vscode/l10n';
import type { PermissionOption } from '../../shared/transcript/transcript';
import { decodeElicitation, type ElicitationResponse } from '../decode/decodeElicitation';
import { asList, asObject, asString, compact, type JsonObject } from '../../shared/values/decodeValue';
import type { PermissionForm } from '../dialect/dialect';
import type { RequestPermissionResponse } from '../schema';
import { permissionAnswer } from '../decode/decodePermissionOptions';

interface Question {
  /** The key of its answer in the response. */
  readonly index: string;
  /** The key of its field in the form. */
  readonly key: string;
  readonly text: string;
  readonly header: string;
  readonly isMultiple: boolean;
  readonly options: readonly { readonly const: string; readonly description?: string }[];
}

/**
 * Reads Qwen's questions. Qwen asks them through `session/request_permission`, marked in `_meta`, and expects the
 * answers beside the outcome; the options alone mean only yes or no. Undefined for any other request.
 */
export function questionnaireOf(toolCall: unknown, options: readonly PermissionOption[]): PermissionForm | undefined {
  const call = asObject(toolCall);
  const meta = asObject(call?.['_meta']);
  const submit = options.find(({ kind }) => kind === 'allow_once');
  if (!submit || meta?.['qwenInteractionKind'] !== 'user_question') return undefined;
  const entries =
    asList(meta['qwenQuestions'], asObject) ?? asList(asObject(call?.['rawInput'])?.['questions'], asObject);
  const questions = (entries ?? []).flatMap((question, index) => decodeQuestion(question, String(index)) ?? []);
  if (questions.length === 0) return undefined;
  const schema = { type: 'object', properties: Object.fromEntries(questions.flatMap(fieldsOf)) };
  const message = asString(call?.['title']) ?? '';
  const params = decodeElicitation({ mode: 'form', message, requestedSchema: schema });
  return { params, answer: (response) => answerOf(response, questions, submit, options) };
}

function decodeQuestion(question: JsonObject, index: string): Question | undefined {
  const text = asString(question['question']);
  if (!text) return undefined;
  const options = asList(question['options'], (value) => {
    const label = asString(asObject(value)?.['label']);
    return label ? compact({ const: label, description: asString(asObject(value)?.['description']) }) : undefined;
  });
  const header = asString(question['header']) ?? '';
  const isMultiple = question['multiSelect'] === true;
  // A numeric key would come first in an object, regardless of its position.
  return { index, key: `question ${index}`, text, header: header || text, isMultiple, options: options ?? [] };
}

/** Returns a field for the choice and a field for other text. */
function fieldsOf({ key, text, header, isMultiple, options }: Question): [string, object][] {
  const words = { title: header, ...(text === header ? {} : { description: text }) };
  if (options.length === 0) return [[key, { ...words, type: 'string' }]];
  const choice = isMultiple ? { type: 'array', items: { anyOf: options } } : { type: 'string', oneOf: options };
  return [
    [key, { ...words, ...choice }],
    [otherKey(key), { type: 'string', title: l10n.t('Other answer') }],
  ];
}

function answerOf(
  { action, ...response }: ElicitationResponse,
  questions: readonly Question[],
  submit: PermissionOption,
  options: readonly PermissionOption[],
): RequestPermissionResponse & { answers?: Record<string, string> } {
  if (action === 'accept') {
    const content = asObject(asObject(response)?.['content']);
    const answers = questions.flatMap(({ index, key }) => {
      const text = [content?.[key], content?.[otherKey(key)]].flat().filter(Boolean).join(', ');
      return text === '' ? [] : [[index, text] as const];
    });
    return { ...permissionAnswer(submit.optionId), answers: Object.fromEntries(answers) };
  }
  const reject = options.find(({ kind }) => kind.startsWith('reject'));
  return permissionAnswer(action === 'decline' ? reject?.optionId : undefined);
}

function otherKey(key: string): string {
  return `${key} other`;
}
