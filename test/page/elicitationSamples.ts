import type { ElicitationAsk, ElicitationState, FormField } from '../../src/shared/forms/elicitation';
import type { EntryId, RequestKey, ToolCallId } from '../../src/shared/values/ids';
import type { ElicitationEntry } from '../../src/shared/transcript/transcript';
import { readWebAddress } from '../../src/shared/text/webAddress';

export function field(key: string, fields: object): FormField {
  return { key, label: key, isRequired: false, ...fields } as FormField;
}

const text = { type: 'text', isSecret: false, initial: '' };
const choice = (value: string, label: string, description?: string) => ({
  value,
  label,
  ...(description === undefined ? {} : { description }),
});

/** The form of the design: one field of each common kind. */
export const release: readonly FormField[] = [
  field('kind', {
    type: 'choice',
    label: 'Kind of release',
    initial: 'minor',
    choices: [choice('patch', 'Patch'), choice('minor', 'Minor'), choice('major', 'Major')],
  }),
  field('version', {
    ...text,
    label: 'Version',
    isRequired: true,
    pattern: '^\\d+\\.\\d+\\.\\d+$',
    initial: '2.8',
    description: 'Three numbers, such as 2.8.0',
  }),
  field('channel', {
    type: 'choice',
    label: 'Channel',
    initial: 'next',
    choices: ['latest', 'next', 'beta', 'canary', 'lts'].map((one) => choice(one, one)),
  }),
  field('log', {
    type: 'boolean',
    label: 'Write the changelog entry',
    initial: true,
    description: 'From the commits since 2.7.3',
  }),
];

/** Every kind of field that there is. */
export const everyField: readonly FormField[] = [
  ...release,
  field('approach', {
    type: 'choice',
    label: 'How to migrate',
    isRequired: true,
    initial: '',
    choices: [
      choice('step', 'Step by step', 'Old and new live side by side for a while; takes longer'),
      choice('once', 'All at once', 'One large change, nothing in between'),
    ],
  }),
  field('checks', {
    type: 'choices',
    label: 'What to check',
    minItems: 1,
    maxItems: 2,
    initial: ['unit'],
    choices: [choice('unit', 'Unit tests'), choice('e2e', 'End to end', 'Slow'), choice('lint', 'Lint')],
  }),
  field('count', { type: 'integer', label: 'Retries', minimum: 0, maximum: 10, isRequired: true, initial: '3' }),
  field('ratio', { type: 'number', label: 'Share of users', minimum: 0, maximum: 1, initial: '' }),
  field('mail', { ...text, label: 'Email', format: 'email' }),
  field('site', { ...text, label: 'Website', format: 'uri' }),
  field('day', { ...text, label: 'Day', format: 'date' }),
  field('at', { ...text, label: 'Time', format: 'date-time' }),
  field('notes', { ...text, label: 'Notes', maxLength: 500 }),
  field('token', { ...text, label: 'Access token', isSecret: true }),
  field('tint', { type: 'unknown', label: 'Tint', kind: 'color', initial: '' }),
];

export function elicitation(id: string, question: ElicitationState, fields: object = {}): ElicitationEntry {
  return {
    id: id as EntryId,
    turn: 1,
    kind: 'elicitation',
    message: 'How should the release be cut?',
    question,
    ...fields,
  };
}

export function asked(id: string, ask: ElicitationAsk, fields: object = {}): ElicitationEntry {
  return elicitation(id, { state: 'asked', request: `request-${id}` as RequestKey, ask }, fields);
}

export const form = (fields: readonly FormField[]) => ({ mode: 'form', fields }) as const;

export function address(url: string): ElicitationAsk {
  const read = readWebAddress(url);
  if (!read) throw new Error(`Not an address: ${url}`);
  return { mode: 'url', address: read };
}

/** What becomes of questions, a line each. */
export const answered: readonly ElicitationEntry[] = [
  elicitation('s1', {
    state: 'submitted',
    answers: [
      { label: 'Kind of release', value: 'Minor' },
      { label: 'Version', value: '2.8.0' },
      { label: 'Access token', value: 'not shown' },
    ],
  }),
  elicitation('s2', { state: 'submitted', answers: [] }, { message: 'Shall we go on?' }),
  elicitation('s3', { state: 'opened', host: 'login.example.com', isDone: false }, { message: 'Log in' }),
  elicitation('s4', { state: 'opened', host: 'login.example.com', isDone: true }, { message: 'Log in' }),
  elicitation('s5', { state: 'declined' }, { about: 'call-t1' as ToolCallId }),
  elicitation('s6', { state: 'dismissed' }),
  elicitation('s7', { state: 'withdrawn' }),
  elicitation('s8', { state: 'completed' }),
];
