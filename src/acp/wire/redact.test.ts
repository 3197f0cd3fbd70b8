import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor } from './redact';

const none = createRedactor([]);

function redacted(value: unknown, secrets: readonly string[] = []): unknown {
  return createRedactor(secrets).redact(value);
}

test('hides a secret anywhere and leaves the live message unchanged', () => {
  const message = {
    method: 'session/update',
    params: { update: { content: { text: 'the key is hunter2!, said he' }, rawInput: { list: ['x', 'hunter2!'] } } },
  };
  const before = structuredClone(message);
  assert.deepEqual(redacted(message, ['hunter2!']), {
    method: 'session/update',
    params: {
      update: { content: { text: 'the key is [redacted], said he' }, rawInput: { list: ['x', '[redacted]'] } },
    },
  });
  assert.deepEqual(message, before);
});

test('finds secrets inside JSON, inside URLs, and with shared prefixes', () => {
  const secret = 'a"b/c d+ü\\';
  const redactor = createRedactor([secret, 'prefix-one', 'prefix-one-two']);
  for (const text of [secret, JSON.stringify({ key: secret }), `https://x/?q=${encodeURIComponent(secret)}`]) {
    const result = redactor.redactText(text);
    assert.match(result, /\[redacted\]/, text);
    assert.doesNotMatch(result, /d\+ü|b\/c|%22b/, text);
  }
  assert.equal(redactor.redactText('prefix-one-two'), '[redacted]');
});

test('leaves values too short or too plain to be secrets visible', () => {
  const redactor = createRedactor(['', 'a', 'abc', 'true', 'node', '8080', 'dev1', 'pass1', '123456']);
  assert.equal(redactor.redactText('a true node on 8080 abc'), 'a true node on 8080 abc');
  assert.equal(redactor.redactText('dev1 pass1 123456'), '[redacted] [redacted] [redacted]');
});

test('environments and headers keep their names and lose their values', () => {
  const servers = [
    {
      name: 'lab',
      command: '/bin/lab',
      env: [{ name: 'KEY', value: 'v' }],
      args: ['--verbose', '--api-key', 'v', '--port', '1'],
    },
    {
      type: 'http',
      name: 'web',
      url: 'https://x',
      headers: [{ name: 'Authorization', value: 'v', _meta: { a: 'v' } }],
    },
    { env: { A: 'v', B: 'v' }, headers: { 'X-Key': 'v' } },
  ];
  assert.deepEqual(redacted({ method: 'session/new', params: { mcpServers: servers } }), {
    method: 'session/new',
    params: {
      mcpServers: [
        {
          name: 'lab',
          command: '/bin/lab',
          env: [{ name: 'KEY', value: '[redacted]' }],
          args: ['--verbose', '--api-key', '[redacted]', '--port', '1'],
        },
        {
          type: 'http',
          name: 'web',
          url: 'https://x',
          headers: [{ name: 'Authorization', value: '[redacted]', _meta: { a: '[redacted]' } }],
        },
        { env: { A: '[redacted]', B: '[redacted]' }, headers: { 'X-Key': '[redacted]' } },
      ],
    },
  });
});

test('hides values under secret names but not token counts', () => {
  assert.deepEqual(
    redacted({
      apiKey: 'v',
      'api-key': 'v',
      accessToken: { value: 'v', expires: 5 },
      password: 1234,
      clientSecret: ['v'],
      Authorization: 'v',
      usage: { totalTokens: 12, tokens: { input: 3 }, token_count: { output_tokens: 4 } },
      token: null,
      pair: { name: 'X-Api-Key', value: 'v' },
      stopReason: 'max_tokens',
    }),
    {
      apiKey: '[redacted]',
      'api-key': '[redacted]',
      accessToken: { value: '[redacted]', expires: 5 },
      password: '[redacted]',
      clientSecret: ['[redacted]'],
      Authorization: '[redacted]',
      usage: { totalTokens: 12, tokens: { input: 3 }, token_count: { output_tokens: 4 } },
      token: null,
      pair: { name: 'X-Api-Key', value: '[redacted]' },
      stopReason: 'max_tokens',
    },
  );
});

test("redacts secrets in a terminal's bytes and leaves other bytes alone", () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const shown = (update: object) => {
    const message = redacted({ method: 'session/update', params: { sessionId: 's', update } });
    return (message as { params: { update: { data?: string; output?: { data: string } } } }).params.update;
  };
  const chunk = (data: string) => shown({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data }).data;
  const token = `ghp_${'a1B2'.repeat(9)}`;
  assert.ok(
    !Buffer.from(chunk(base64(`key ${token} end`))!, 'base64')
      .toString()
      .includes(token),
  );
  const broken = Buffer.from([0xe2, 0x82]).toString('base64');
  assert.equal(chunk(broken), broken);
  const whole = shown({ sessionUpdate: 'terminal_update', terminalId: 't', output: { data: base64(token) } });
  assert.ok(!Buffer.from(whole.output!.data, 'base64').toString().includes(token));
});

test('hides provider settings, login data, and form responses', () => {
  assert.deepEqual(
    redacted({
      method: 'providers/set',
      params: { providerId: 'p', apiType: 'openai', baseUrl: 'https://u:p@h', headers: { a: 'v' } },
    }),
    {
      method: 'providers/set',
      params: { providerId: 'p', apiType: 'openai', baseUrl: '[redacted]', headers: { a: '[redacted]' } },
    },
  );
  assert.deepEqual(redacted({ method: 'authenticate', params: { methodId: 'm', _meta: { any: { thing: 'v' } } } }), {
    method: 'authenticate',
    params: { methodId: 'm', _meta: { any: { thing: '[redacted]' } } },
  });
  assert.deepEqual(redacted({ method: 'authenticate', params: { methodId: 'm' } }), {
    method: 'authenticate',
    params: { methodId: 'm' },
  });
  assert.deepEqual(redacted({ method: 'auth/login', params: { methodId: 'm', _meta: { any: { thing: 'v' } } } }), {
    method: 'auth/login',
    params: { methodId: 'm', _meta: { any: { thing: '[redacted]' } } },
  });
  assert.deepEqual(redacted({ id: 1, result: { action: 'accept', content: { pin: 7, name: 'n' } } }), {
    id: 1,
    result: { action: 'accept', content: { pin: '[redacted]', name: '[redacted]' } },
  });
});

test('hides keys and credentials in text and keeps the surrounding text', () => {
  const cases: [string, string][] = [
    ['Authorization: Bearer abc.def-123 sent\nnext', 'Authorization: Bearer [redacted]\nnext'],
    ['a Bearer abc.def-123 sent', 'a Bearer [redacted] sent'],
    ['header Basic dXNlcjpwYXNz== sent', 'header Basic [redacted] sent'],
    ['clone https://user:pa55@host/x now', 'clone https://[redacted]@host/x now'],
    ['ANTHROPIC_API_KEY=abcdef-123 node x', 'ANTHROPIC_API_KEY=[redacted] node x'],
    ['run --token=abcdef123 --port 1', 'run --token=[redacted] --port 1'],
    ['{"password": "correct horse"}', '{"password": [redacted]}'],
    ["secret='correct horse' and {apiKey: abcdef}", 'secret=[redacted] and {apiKey: [redacted]}'],
    ['key sk-ant-api03-abcdefgh and ghp_0123456789abcdefghij', 'key [redacted] and [redacted]'],
    ['basic knowledge, a bearer of news, tokens: 12', 'basic knowledge, a bearer of news, tokens: 12'],
    ['https://host:8080/path and git@host:x/y.git', 'https://host:8080/path and git@host:x/y.git'],
  ];
  for (const [text, expected] of cases) assert.equal(none.redactText(text), expected);
});

test('handles lists, missing values, and endless nesting', () => {
  assert.equal(redacted(null), null);
  assert.equal(redacted('text'), 'text');
  assert.deepEqual(redacted([1, 'abcdef', null], ['abcdef']), [1, '[redacted]', null]);
  let nested: unknown = 'secret value';
  for (let depth = 0; depth < 10_000; depth++) nested = { nested };
  assert.doesNotMatch(JSON.stringify(redacted(nested)), /secret value/);
  const own = JSON.parse('{"__proto__":{"polluted":"yes"}}') as unknown;
  assert.equal(JSON.stringify(redacted(own)), '{"__proto__":{"polluted":"yes"}}');
});
