import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020';
import { decodeElicitation } from '../../acp/decode/decodeElicitation';
import { problemWords } from '../../../webview/elicitation/fieldProblemWords';
import type { FormField } from './elicitation';
import { checkContent, contentOf, formContent, problemOf, shownAnswers, type FormValue } from './formModel';

function fieldsOf(properties: object, required: readonly string[] = []): readonly FormField[] {
  const requestedSchema = { type: 'object', properties, required };
  const { ask } = decodeElicitation({ mode: 'form', message: '', requestedSchema });
  return ask.mode === 'form' ? ask.fields : [];
}

/** Returns the problem of a value in a field with this property. */
function sentence(property: object, value: FormValue, isRequired = false): string | undefined {
  const problem = problemOf(fieldsOf({ x: property }, isRequired ? ['x'] : [])[0]!, value);
  return problem && problemWords(problem);
}

const sent = (property: object, value: FormValue) => contentOf(fieldsOf({ x: property })[0]!, value);
const [text, integer, number] = [{ type: 'string' }, { type: 'integer' }, { type: 'number' }];
const list = { type: 'string', enum: ['a', 'b'] };
const many = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } };

void describe('a form', () => {
  void it('reports the problem of each field in a sentence', () => {
    assert.equal(sentence(text, '', true), 'This field is required.');
    assert.equal(sentence(text, '   ', true), 'This field is required.');
    assert.equal(sentence({ ...text, minLength: 3 }, 'ab'), 'Use at least 3 characters (currently 2).');
    assert.equal(sentence({ ...text, maxLength: 2 }, '👍👍👍'), 'Use at most 2 characters (currently 3).');
    assert.equal(sentence({ ...text, maxLength: 3 }, '👍👍👍'), undefined);
    assert.match(sentence({ ...text, pattern: '^\\d+$' }, 'x') ?? '', /pattern \^\\d\+\$$/);
    assert.match(sentence({ ...text, format: 'email' }, 'ann') ?? '', /name@example\.com/);
    assert.match(sentence({ ...text, format: 'uri' }, 'example.com') ?? '', /https:/);
    assert.match(sentence({ ...text, format: 'date' }, '2026-02-29') ?? '', /2026-11-30/);
    assert.match(sentence({ ...text, format: 'date-time' }, '2026-11-30 25:00') ?? '', /14:30/);
    assert.equal(sentence(integer, '1.5'), 'Enter a whole number, such as 3');
    assert.equal(sentence(integer, '0x10'), 'Enter a whole number, such as 3');
    assert.equal(sentence(integer, '9007199254740993'), 'Enter a smaller number.');
    assert.equal(sentence(number, '1,5'), 'Enter a number, such as 1.5');
    assert.equal(sentence(number, '1e999'), 'Enter a smaller number.');
    assert.equal(sentence({ ...number, minimum: 0 }, '-0.5'), 'Enter 0 or more.');
    assert.equal(sentence({ ...integer, maximum: 9 }, '10'), 'Enter 9 or less.');
    assert.equal(sentence(list, '', true), 'Select an option.');
    assert.equal(sentence(list, 'zebra'), 'Select one of the options.');
    assert.equal(sentence(many, [], true), 'Select at least 1.');
    assert.equal(sentence({ ...many, minItems: 2 }, ['a']), 'Select at least 2.');
    assert.equal(sentence({ ...many, maxItems: 1 }, ['a', 'b']), 'Select at most 1.');
    assert.equal(sentence({ type: 'boolean' }, false, true), undefined);
  });

  void it('accepts an empty optional field, whatever its limits', () => {
    for (const property of [{ ...text, minLength: 3, format: 'email' }, { ...integer, minimum: 1 }, list]) {
      assert.equal(sentence(property, ''), undefined);
      assert.equal(sent(property, ''), undefined);
    }
    assert.equal(sentence({ ...many, minItems: 2 }, []), undefined);
    assert.equal(sent({ ...many, minItems: 2 }, []), undefined);
  });

  void it("sends numbers as numbers, booleans always, choices in the agent's order", () => {
    assert.equal(sent(integer, ' 42 '), 42);
    assert.equal(sent(number, '+1.50'), 1.5);
    assert.equal(JSON.stringify(sent(integer, '-0')), '0');
    assert.equal(sent({ type: 'boolean' }, false), false);
    assert.deepEqual(sent(many, ['c', 'a']), ['a', 'c']);
    assert.equal(sent(text, ' as typed '), ' as typed ');
    assert.equal(sent({ ...text, format: 'email' }, ' a@b.example '), 'a@b.example');
    assert.equal(sent({ ...text, format: 'date-time' }, '2026-11-30 14:30Z'), '2026-11-30T14:30:00Z');
    assert.equal(sent({ ...text, format: 'date-time' }, '2026-11-30T14:30:10.5+01:00'), '2026-11-30T14:30:10.5+01:00');
    // A time without a zone is in the user's local time.
    const here = new Date(2026, 10, 30, 14, 30).toISOString();
    assert.equal(sent({ ...text, format: 'date-time' }, '2026-11-30 14:30'), here);
  });

  void it('is not blocked by a pattern that is invalid or never ends', () => {
    assert.equal(sentence({ ...text, pattern: '(' }, 'x'), undefined);
    // Invalid with the flag `u`, which other implementations use.
    assert.match(sentence({ ...text, pattern: '^[\\w-.]+$' }, '!') ?? '', /pattern/);
    for (const pattern of ['^(a+)+$', '^((a|b)*)*$', '^(a|aa)+$', '^.*.*.*.*.*.*=$', '^(([a-z])+.)+[A-Z]$']) {
      assert.match(sentence({ ...text, pattern }, `${'a'.repeat(1900)}!`) ?? '', /pattern/, pattern);
    }
    // Backreferences can't run in linear time, so the agent checks these patterns.
    assert.equal(sentence({ ...text, pattern: '^(a+)\\1+$' }, 'b'), undefined);
  });

  void it('is checked again before sending and contains only its own fields', () => {
    const fields = fieldsOf({ n: integer, on: { type: 'boolean' }, all: many }, ['n']);
    const good = [
      ['n', 3],
      ['on', true],
      ['all', ['a']],
    ] as const;
    assert.deepEqual(checkContent(fields, [...good, ['extra', 'x']]), good);
    assert.deepEqual(checkContent(fields, [['n', 3]]), [
      ['n', 3],
      ['on', false],
    ]);
    assert.equal(checkContent(fields, []), undefined);
    assert.equal(checkContent(fields, [['n', 1.5]]), undefined);
    assert.equal(checkContent(fields, [['n', 3], ['all', ['zebra']]]), undefined); // prettier-ignore
  });

  void it('is shown afterwards with titles instead of values and without secrets', () => {
    const properties = {
      kind: { type: 'string', title: 'Kind', oneOf: [{ const: 'm', title: 'Minor' }] },
      all: { ...many, title: 'All' },
      log: { type: 'boolean', title: 'Log' },
      pin: { type: 'string', title: 'Password' },
      note: { type: 'string' },
    };
    const fields = fieldsOf(properties, ['all']);
    const values: Readonly<Record<string, FormValue>> = {
      kind: 'm',
      all: ['a', 'c'],
      pin: 'hunter2',
      note: 'x'.repeat(500),
    };
    const content = formContent(fields, ({ key, initial }) => values[key] ?? initial)!;
    const shown = shownAnswers(fields, content).map(({ label, value }) => `${label}: ${value.slice(0, 20)}`);
    assert.deepEqual(shown, ['Kind: Minor', 'All: a, c', 'Log: no', 'Password: not shown', `note: ${'x'.repeat(20)}`]);
    assert.ok(!JSON.stringify(shownAnswers(fields, content)).includes('hunter2'));
  });

  void it('accepts only valid values and sends them as the user meant', () => {
    const random = randomFrom(20_261_122);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    let accepted = 0;
    for (let round = 0; round < 1500; round++) {
      const { properties, required } = randomSchema(random);
      const fields = fieldsOf(properties, required);
      const values = new Map(fields.map((field) => [field.key, randomValue(random, field)]));
      const content = formContent(fields, ({ key }) => values.get(key)!);
      if (!content) continue;
      accepted++;
      const object = Object.fromEntries(content);
      const validate = ajv.compile({ type: 'object', properties, required, additionalProperties: false });
      assert.ok(validate(object), JSON.stringify({ properties, required, object, errors: validate.errors }));
      assert.deepEqual(checkContent(fields, content), content);
      for (const field of fields) if (field.type === 'boolean') assert.equal(typeof object[field.key], 'boolean');
    }
    assert.ok(accepted > 200, `only ${accepted} were accepted`);
  });
});

/** A reproducible sequence of random numbers. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof randomFrom>;
const words = [
  '',
  'a',
  'ab',
  'abc',
  ' ',
  '12',
  '-3',
  '4.5',
  '1e3',
  'x@y.example',
  '👍👍',
  '9007199254740993',
  'zebra',
  '+7',
];
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!;

function randomSchema(random: Random): { properties: Record<string, object>; required: string[] } {
  const bound = () => (random(2) === 0 ? undefined : random(6) - 1);
  const make: readonly (() => object)[] = [
    () => ({ type: 'string', minLength: Math.max(0, random(4) - 1), maxLength: 1 + random(5) }),
    () => ({ type: 'string', pattern: pick(random, ['^a', '\\d', '^.{2}$', '^[a-c]*$']) }),
    () => ({ type: 'string', default: pick(random, words) }),
    () => ({ type: 'string', enum: ['a', 'ab', 'zebra'].slice(random(2)) }),
    () => ({ type: 'string', enum: ['a', 'b', 'c', 'd', 'e', '12'] }),
    () => ({ type: 'integer', minimum: bound(), maximum: bound() }),
    () => ({ type: 'number', minimum: bound(), maximum: bound() }),
    () => ({ type: 'boolean', default: random(2) === 0 }),
    () => ({
      type: 'array',
      items: { type: 'string', enum: ['a', 'b', 'c'] },
      minItems: random(3),
      maxItems: 1 + random(3),
    }),
    () => ({ type: 'array', items: { anyOf: ['a', 'ab'].map((value) => ({ const: value, title: value })) } }),
  ];
  const properties: Record<string, object> = {};
  for (let count = 1 + random(3); count > 0; count--) {
    // Absent, as in JSON.
    properties[`p${count}`] = JSON.parse(JSON.stringify(pick(random, make)())) as object;
  }
  return { properties, required: Object.keys(properties).filter(() => random(2) === 0) };
}

function randomValue(random: Random, field: FormField): FormValue {
  if (random(4) === 0) return field.initial;
  if (field.type === 'boolean') return random(2) === 0;
  if (field.type === 'choices') return ['c', 'b', 'a', 'ab', 'zebra'].filter(() => random(3) === 0);
  return pick(random, words);
}
