import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { decodeElicitation, decodeElicitationScope } from './decodeElicitation';
import { ResponseError } from '../base/errors';

const form = (properties: unknown, more: object = {}) =>
  decodeElicitation({ mode: 'form', message: 'Go?', requestedSchema: { type: 'object', properties, ...more } });
const fields = (properties: unknown, more: object = {}) => {
  const { ask } = form(properties, more);
  return ask.mode === 'form' ? ask.fields : [];
};
const field = (property: object, key = 'x') => fields({ [key]: property })[0]!;
const refused = (work: () => unknown) =>
  assert.throws(work, (error) => error instanceof ResponseError && error.code === -32602);
const schema = { type: 'object', properties: {} };

void describe('an elicitation', () => {
  void it('requires a session, a tool call, or a request as target', () => {
    assert.deepEqual(decodeElicitationScope({ sessionId: 's', toolCallId: 'c' }), {
      scope: 'session',
      sessionId: 's',
      toolCallId: 'c',
    });
    assert.deepEqual(decodeElicitationScope({ sessionId: 's', toolCallId: null }), {
      scope: 'session',
      sessionId: 's',
    });
    assert.deepEqual(decodeElicitationScope({ requestId: 0 }), { scope: 'request', requestId: 0 });
    assert.deepEqual(decodeElicitationScope({ requestId: 'r' }), { scope: 'request', requestId: 'r' });
    refused(() => decodeElicitationScope({}));
    refused(() => decodeElicitationScope({ requestId: null }));
  });

  void it('requires a known mode with its fields', () => {
    assert.deepEqual(form({}).ask, { mode: 'form', fields: [] });
    refused(() => decodeElicitation({ mode: 'telepathy', message: 'Think', requestedSchema: schema }));
    refused(() => decodeElicitation({ message: 'Go?', requestedSchema: schema }));
    refused(() => decodeElicitation({ mode: 'form', requestedSchema: schema }));
    refused(() => decodeElicitation({ mode: 'form', message: 'Go?' }));
    refused(() => decodeElicitation({ mode: 'form', message: 'Go?', requestedSchema: { type: 'array' } }));
    refused(() => form({}, { required: ['nowhere'] }));
    const url = { mode: 'url', message: 'Go?', elicitationId: 'e', url: 'https://example.com/a?b=%2F' };
    const { ask, elicitationId } = decodeElicitation(url);
    assert.equal(elicitationId, 'e');
    assert.equal(ask.mode === 'url' && ask.address.href, 'https://example.com/a?b=%2F');
    refused(() => decodeElicitation({ ...url, elicitationId: undefined }));
    for (const bad of [
      'command:workbench.action.quit',
      'file:///etc/hosts',
      'javascript:alert(1)',
      'x',
      '',
      7,
      'https://',
    ]) {
      refused(() => decodeElicitation({ ...url, url: bad }));
    }
  });

  void it('reads every property type of the protocol', () => {
    const text = {
      title: 'T',
      description: 'D',
      minLength: 1,
      maxLength: 9,
      pattern: '^a',
      format: 'email',
      default: 'a',
    };
    assert.deepEqual(fields({ x: { type: 'string', ...text } }, { required: ['x'] }), [
      {
        key: 'x',
        label: 'T',
        description: 'D',
        isRequired: true,
        type: 'text',
        isSecret: false,
        initial: 'a',
        minLength: 1,
        maxLength: 9,
        pattern: '^a',
        format: 'email',
      },
    ]);
    assert.deepEqual(field({ type: 'string', enum: ['a', 'b', 'a', 7, ''], enumNames: ['A'], default: 'b' }), {
      key: 'x',
      label: 'x',
      isRequired: false,
      type: 'choice',
      initial: 'b',
      choices: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'b' },
      ],
    });
    const oneOf = [{ const: 'a', title: 'A', description: 'first' }, { const: 7 }, null, { const: 'b' }];
    const choices = [
      { value: 'a', label: 'A', description: 'first' },
      { value: 'b', label: 'b' },
    ];
    const single = field({ type: 'string', oneOf, default: 'zebra' });
    assert.deepEqual(single.type === 'choice' && [single.choices, single.initial], [choices, '']);
    for (const items of [{ anyOf: oneOf }, { oneOf }, { type: 'string', anyOf: oneOf }]) {
      const many = field({ type: 'array', items, minItems: 1, maxItems: 2, default: ['b', 'zebra'] });
      assert.deepEqual(many, {
        key: 'x',
        label: 'x',
        isRequired: false,
        type: 'choices',
        choices,
        minItems: 1,
        maxItems: 2,
        initial: ['b'],
      });
    }
    const number = field({ type: 'number', minimum: -1.5, maximum: 1e3, default: 0 });
    assert.deepEqual(number, { ...base, type: 'number', minimum: -1.5, maximum: 1000, initial: '0' });
    assert.deepEqual(field({ type: 'integer', default: 3 }), { ...base, type: 'integer', initial: '3' });
    assert.deepEqual(field({ type: 'integer', default: 3.5 }), { ...base, type: 'integer', initial: '' });
    assert.deepEqual(field({ type: 'boolean', default: true }), { ...base, type: 'boolean', initial: true });
    assert.deepEqual(field({ type: 'boolean' }), { ...base, type: 'boolean', initial: false });
  });

  void it('does not treat an unknown type as a known one', () => {
    const unknown = (kind: string) => ({ ...base, type: 'unknown', kind, initial: '' });
    assert.deepEqual(field({ type: 'color', default: '#fff' }), unknown('color'));
    assert.deepEqual(field({ type: 'object', properties: {} }), unknown('object'));
    assert.deepEqual(field({ type: 'array', items: { type: 'number' } }), unknown('array'));
    assert.deepEqual(field({ type: 'array' }), unknown('array'));
    assert.deepEqual(fields({ x: null }), [unknown('')]);
  });

  void it('treats malformed optional fields as absent', () => {
    const wrong = {
      minLength: -1,
      maxLength: 1.5,
      pattern: 7,
      format: 'colour',
      default: 7,
      title: ' ',
      description: null,
    };
    assert.deepEqual(field({ type: 'string', ...wrong }), { ...base, type: 'text', isSecret: false, initial: '' });
    assert.deepEqual(field({ type: 'string', enum: [] }), { ...base, type: 'text', isSecret: false, initial: '' });
  });

  void it('detects secrets by name and by mark, and drops their values', () => {
    const isSecret = (property: object, key?: string) => {
      const found = field({ type: 'string', default: 'hunter2', ...property }, key);
      return found.type === 'text' && found.isSecret && found.initial === '';
    };
    assert.ok(isSecret({}, 'password') && isSecret({}, 'apiKey') && isSecret({ title: 'Access token' }));
    assert.ok(isSecret({ _meta: { codex: { isSecret: true } } }));
    assert.ok(
      !isSecret({}) && !isSecret({ _meta: { codex: { isSecret: false } } }) && !isSecret({ title: 'Shipping' }),
    );
  });

  void it('keeps keys that are special in JavaScript', () => {
    const properties: unknown = JSON.parse('{"__proto__":{"type":"boolean"},"constructor":{"type":"integer"}}');
    assert.deepEqual(
      fields(properties, { required: ['__proto__'] }).map(({ key, type }) => [key, type]),
      [
        ['__proto__', 'boolean'],
        ['constructor', 'integer'],
      ],
    );
  });

  void it('cuts long texts and rejects too many fields or choices', () => {
    const many = (count: number) => Array.from({ length: count }, (_one, at) => `k${at}`);
    const map = (count: number) => Object.fromEntries(many(count).map((key) => [key, { type: 'boolean' }]));
    assert.equal(fields(map(100)).length, 100);
    refused(() => fields(map(101)));
    refused(() => field({ type: 'string', enum: many(2001) }));
    refused(() => field({ type: 'string', enum: ['x'.repeat(9000)] }));
    refused(() => field({ type: 'boolean' }, 'k'.repeat(9000)));
    const long = 'x'.repeat(1_000_000);
    const { message, ask } = decodeElicitation({
      mode: 'form',
      message: long,
      requestedSchema: { properties: { a: { type: 'string', title: long, description: long, pattern: long } } },
    });
    assert.ok(message.length < 11_000 && JSON.stringify(ask).length < 4000);
    refused(() =>
      decodeElicitation({ mode: 'url', message: '', elicitationId: 'e', url: `https://example.com/${long}` }),
    );
  });
});

const base = { key: 'x', label: 'x', isRequired: false };
