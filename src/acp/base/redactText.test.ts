import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor } from '../wire/redact';
import { redactText, secretVariablesOf } from './redactText';

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl-_x';
const pem = (kind: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\nMIIEvQ+/ab\nAgEA==\n-----END ${kind}PRIVATE KEY-----`;
const long = (prefix: string) => `${prefix}${'aB3'.repeat(13)}`;

test('hides whole header values, to the closing quote or line end', () => {
  const cases: [string, string][] = [
    ['> Authorization: Basic dXNlcjpwYXNz', '> Authorization: Basic [redacted]'],
    ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [redacted]'],
    ['proxy-authorization: opaque', 'proxy-authorization: [redacted]'],
    ['Authorization: Digest username="u", response="r"\r\nHost: h', 'Authorization: Digest [redacted]\r\nHost: h'],
    ['Cookie: session=abc; other=def\nHost: h', 'Cookie: [redacted]\nHost: h'],
    ['Set-Cookie: session=abc; Path=/', 'Set-Cookie: [redacted]'],
    ['X-Auth: a b', 'X-Auth: [redacted]'],
    ['x-goog-api-key: short', 'x-goog-api-key: [redacted]'],
    [
      'curl -H "Cookie: a=b; c=d" -H \'X-Auth: e\' https://h',
      'curl -H "Cookie: [redacted]" -H \'X-Auth: [redacted]\' https://h',
    ],
    ['{"Authorization":"Basic abc","a":1}', '{"Authorization":"Basic [redacted]","a":1}'],
    ['{\\"cookie\\": \\"a=b\\", \\"a\\": 1}', '{\\"cookie\\": \\"[redacted]\\", \\"a\\": 1}'],
    ['passphrase: correct horse', 'passphrase: [redacted]'],
  ];
  for (const [text, expected] of cases) assert.equal(redactText(text), expected);
  assert.deepEqual(createRedactor([]).redact({ args: ['--header', 'Authorization: Bearer abcdefghijklmnop'] }), {
    args: ['--header', 'Authorization: Bearer [redacted]'],
  });
});

test('hides keys, tokens, and passwords by their form or their prefix', () => {
  const cases: [string, string][] = [
    [`jwt ${token} end`, 'jwt [redacted] end'],
    [`a\n${pem('RSA ')}\nb ${pem('')} c`, 'a\n[redacted]\nb [redacted] c'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz', '[redacted]'],
    ['sent Basic dXNlcjpwYXNz on', 'sent Basic [redacted] on'],
    ['sent bearer abcdefghijklmnop on', 'sent bearer [redacted] on'],
    ['PRIVATE_KEY=abcdef x', 'PRIVATE_KEY=[redacted] x'],
    ['tool --password=abc12 --port 1', 'tool --password=[redacted] --port 1'],
    ['fetch https://0123456789abcdef@host/x', 'fetch https://[redacted]@host/x'],
  ];
  for (const [text, expected] of cases) assert.equal(redactText(text), expected);
  const prefixes = [
    'glpat-',
    'npm_',
    'hf_',
    'sk_live_',
    'xoxb-',
    'pypi-',
    'gsk_',
    'xai-',
    'ghs_',
    'ya29.',
    'dckr_pat_',
  ];
  for (const prefix of prefixes) assert.equal(redactText(`a ${long(prefix)} b`), 'a [redacted] b', prefix);
});

test("hides secrets in commands, connection strings, and programs' files", () => {
  const cases: [string, string][] = [
    ['curl -u me:s3cret https://h', 'curl -u me:[redacted] https://h'],
    ["curl --user='me:s3 cret' https://h", "curl --user='me:[redacted]' https://h"],
    ['curl -ume:s3cret -x p --proxy-user me:pw', 'curl -ume:[redacted] -x p --proxy-user me:[redacted]'],
    ['{"command":"curl -u \\"me:s3cret\\" https://h"}', '{"command":"curl -u \\"me:[redacted]\\" https://h"}'],
    ['mysql -h db -u root -ps3cret app', 'mysql -h db -u root -p[redacted] app'],
    ["mysqldump -p's3 cret' app", 'mysqldump -p[redacted] app'],
    [
      'sshpass -p s3cret ssh host; redis-cli -h x -a pw get k',
      'sshpass -p [redacted] ssh host; redis-cli -h x -a [redacted] get k',
    ],
    [
      'DB_PASS=s3cret SMTP-PASS: "a b" PASS=x npm start',
      'DB_PASS=[redacted] SMTP-PASS: [redacted] PASS=[redacted] npm start',
    ],
    ['DB_PASSWORD=s3cret MYSQL_PWD=abc', 'DB_PASSWORD=[redacted] MYSQL_PWD=[redacted]'],
    ['AccountName=a;AccountKey=abc+/12==;End', 'AccountName=a;AccountKey=[redacted];End'],
    ['https://a.blob.example/c?sv=1&sig=ab%2Fcd%3D&se=2', 'https://a.blob.example/c?sv=1&sig=[redacted]&se=2'],
    ['machine h login me password s3cret', 'machine h login me password [redacted]'],
    ['machine h\n  login me\n  password s3cret', 'machine h\n  login me\n  password [redacted]'],
    ['{"auths":{"h":{"auth":"bWU6czNjcmV0"}}}', '{"auths":{"h":{"auth":"[redacted]"}}}'],
    ['https://hooks.slack.com/services/T0/B0/abc', 'https://hooks.slack.com/services/[redacted]'],
    ['https://discord.com/api/webhooks/123/ab-c', 'https://discord.com/api/webhooks/[redacted]'],
    ['https://me.webhook.office.com/webhookb2/a@b/x', 'https://me.webhook.office.com/[redacted]'],
    ['git clone https://me:s3cret@host/x', 'git clone https://[redacted]@host/x'],
    ['curl -H "Authorization: token abc" https://h', 'curl -H "Authorization: token [redacted]" https://h'],
  ];
  for (const [text, expected] of cases) assert.equal(redactText(text), expected);
  assert.deepEqual(createRedactor([]).redact({ args: ['-u', 'me:pw', '-u', '1000:1000'], auth: 'bWU6cHc=' }), {
    args: ['-u', 'me:[redacted]', '-u', '1000:1000'],
    auth: '[redacted]',
  });
  for (const text of [
    'docker run -u 1000:1000 x, git push -u origin main, pass: 12, # pass 5, a pass through',
    'mysql --port 3306 -p app, mkdir -p a/b, cp -a x y, significant=5, PWD=/home/me, OLDPWD=/tmp',
    'the password is long, login as me, machine learning, ?design=a&sign=b',
  ]) {
    assert.equal(redactText(text), text);
  }
});

test('leaves hashes, ids, paths, prose, and code visible', () => {
  for (const text of [
    'commit 3d6b1b0f2a9c4e5d6f708192a3b4c5d6e7f80912 and a3294ca',
    '123e4567-e89b-12d3-a456-426614174000',
    '/home/user/.config/tokens/readme.md and C:\\Users\\me\\secrets.txt',
    'file:///home/user/cookie.ts and https://host/@scope/package?x=a@b',
    'ssh://git@host/x and https://git@host/x',
    'basic JavaScript, Basic authentication and a bearer of responsibility',
    'npm_config_registry and npm_lifecycle_event_with_a_long_name_of_its_own',
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    'x-author: somebody, the author of x-keyboard and eyJ',
    'task-runner-of-the-day sketch-book max_tokens: 12',
    'sha512-9NET910DNaIPngYnLLPeg+Ogzqsi9uM4mSboU5y6p8S5DzMTVEsJZrawi+BoDNUVBa2DhJqQYUFvMDfgU062LQ==',
  ]) {
    assert.equal(redactText(text), text);
  }
});

test('hides lists and maps of headers and variables under all names', () => {
  assert.deepEqual(
    createRedactor([]).redact({
      requestHeaders: { 'X-A': 'v' },
      envVars: [{ name: 'A', value: 'v' }],
      env_variables: { A: 'v' },
      list: [{ name: 'X-Auth', value: 'v' }],
      args: ['--private-key', 'v'],
    }),
    {
      requestHeaders: { 'X-A': '[redacted]' },
      envVars: [{ name: 'A', value: '[redacted]' }],
      env_variables: { A: '[redacted]' },
      list: [{ name: 'X-Auth', value: '[redacted]' }],
      args: ['--private-key', '[redacted]'],
    },
  );
});

test('treats variables as secret by name, unless the value is obviously harmless', () => {
  const env = {
    MY_TOKEN: 'abc-1234',
    NPM_TOKEN_FILE: '/home/u/.npm',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/u/key.json',
  };
  const plain = { TOKENIZERS_PARALLELISM: 'false', MAX_OUTPUT_TOKENS: '640000', PATH: '/bin', KEY: 'value-1234' };
  assert.deepEqual(secretVariablesOf({ ...env, ...plain, AWS_SECRET_ACCESS_KEY: '/abcd+efgh1' }), [
    'MY_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
  ]);
});
