import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinServers, parseServers, type ParsedServers } from './serverSpec';

const names = ({ servers }: ParsedServers) => servers.map(({ name, origin }) => `${name} of ${origin}`);

test('reads servers in the formats of users and editors', () => {
  const { servers, skipped } = parseServers(
    {
      plain: { command: ' npx ', args: ['-y', 8080], env: { DEBUG: true, NONE: null } },
      typed: { type: 'stdio', command: 'x', env: [{ name: 'A', value: 'b' }], cwd: '/c' },
      web: { url: 'https://a.example', headers: { Authorization: 'Bearer x' } },
      streaming: { type: 'streamable-http', url: 'https://b.example', headers: [{ name: 'X', value: 'y' }] },
      events: { type: 'sse', url: 'https://c.example' },
      off: { command: 'x', disabled: true },
    },
    'here',
  );
  assert.deepEqual(skipped, []);
  assert.deepEqual(
    servers.map(({ name, transport }) => [name, transport]),
    [
      ['plain', { type: 'stdio', command: 'npx', args: ['-y', '8080'], env: { DEBUG: 'true' } }],
      ['typed', { type: 'stdio', command: 'x', args: [], env: { A: 'b' }, cwd: '/c' }],
      ['web', { type: 'http', url: 'https://a.example', headers: { Authorization: 'Bearer x' } }],
      ['streaming', { type: 'http', url: 'https://b.example', headers: { X: 'y' } }],
      ['events', { type: 'sse', url: 'https://c.example', headers: {} }],
    ],
  );
});

test('skips invalid entries by name with a reason, and accepts no entries', () => {
  const bad = {
    text: 'npx',
    empty: {},
    blank: { command: ' ' },
    args: { command: 'x', args: 'y' },
    env: { command: 'x', env: { A: {} } },
    odd: { type: 'owl', url: 'https://x' },
    bare: { type: 'http' },
    headers: { url: 'https://x', headers: 'y' },
    ' ': { command: 'x' },
    good: { command: 'x' },
  };
  const { servers, skipped } = parseServers(bad, 'here');
  assert.deepEqual(names({ servers, skipped }), ['good of here']);
  assert.deepEqual(
    skipped.map(({ name }) => name),
    ['text', 'empty', 'blank', 'args', 'env', 'odd', 'bare', 'headers', ' '],
  );
  for (const nothing of [undefined, null, [], 'x', 7]) {
    assert.deepEqual(parseServers(nothing, 'here'), { servers: [], skipped: [] });
  }
});

test('the closest server of a name wins; unintended duplicates are reported', () => {
  const settings = parseServers({ a: { command: 'mine' } }, 'settings');
  const near = parseServers({ a: { command: 'x' }, b: { command: 'near' }, c: { command: 'same' } }, 'near');
  const far = parseServers({ a: { command: 'y' }, b: { command: 'far' }, c: { command: 'same' }, d: {} }, 'far');
  const joined = joinServers([settings, near, far]);
  assert.deepEqual(names(joined), ['a of settings', 'b of near', 'c of near']);
  assert.deepEqual(joined.skipped, [
    { name: 'd', reason: 'missing command' },
    { name: 'b (far)', reason: 'near defines another server with this name' },
  ]);
  assert.deepEqual(joinServers([]), { servers: [], skipped: [] });
});
