import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placedRequest, sourced } from '../../../test/unit-support/ruleAnswers';
import { normalTarget } from '../../shared/limits/hostTarget';
import { asksAlways } from './everything';
import { findRuling } from './findRuling';
import { matchesHost, offeredHosts, parseHostPattern } from './hostPattern';
import { ruleProblem } from './permissionRule';
import { suggestRules } from './suggestRule';

const options = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
] as const;

/** A connection as rules see it. */
function connection(host: string, port = 443) {
  const target = normalTarget({ host, port });
  assert.ok(target);
  return { ...placedRequest({ entry: { toolKind: 'fetch', title: `Connect to ${host}` } }), host: target };
}

function answer(rules: readonly object[], host: string, port?: number): string {
  const ruling = findRuling(sourced(rules), connection(host, port), options);
  return ruling ? (ruling.option?.optionId ?? 'ask') : 'none';
}

test('a rule for a host allows it in every spelling', () => {
  const rules = [{ host: 'Bücher.Example.', answer: 'allow_once' }];
  for (const host of ['bücher.example', 'BÜCHER.EXAMPLE.', 'xn--bcher-kva.example'])
    assert.equal(answer(rules, host), 'allow', host);
  for (const host of ['a.bücher.example', 'bucher.example', 'bücher.example.evil.example', 'xbücher.example'])
    assert.equal(answer(rules, host), 'none', host);
});

test('a port in a rule is the only one that matches', () => {
  const one = [{ host: 'example.com:443', answer: 'allow_once' }];
  assert.deepEqual([answer(one, 'example.com'), answer(one, 'example.com', 22)], ['allow', 'none']);
  const any = [{ host: 'example.com', answer: 'allow_once' }];
  assert.deepEqual([answer(any, 'example.com'), answer(any, 'example.com', 22)], ['allow', 'allow']);
});

test('a wildcard stands for the hosts below, never for the host', () => {
  const rules = [{ host: '*.example.com:443', answer: 'allow_once' }];
  assert.deepEqual([answer(rules, 'a.example.com'), answer(rules, 'a.b.example.com')], ['allow', 'allow']);
  for (const host of ['example.com', 'aexample.com', 'a.example.com.evil.example'])
    assert.equal(answer(rules, host), 'none', host);
  assert.equal(answer(rules, 'a.example.com', 80), 'none');
});

test('a rule for every host allows no address and nothing local', () => {
  const allow = [{ host: '*', answer: 'allow_once' }];
  assert.equal(answer(allow, 'example.com'), 'allow');
  for (const host of ['127.0.0.1', 'localhost', 'x.localhost', '::1', '10.0.0.1', '8.8.8.8', 'nas', 'a.internal', '::'])
    assert.equal(answer(allow, host), 'none', host);
  const reject = [...allow, { host: '*', answer: 'reject_once' }];
  for (const host of ['example.com', '127.0.0.1', '::1']) assert.equal(answer(reject, host), 'reject', host);
});

test('addresses match by value', () => {
  const rules = [{ host: '127.0.0.1:3000', answer: 'allow_once' }];
  assert.equal(answer(rules, '0x7f.1', 3000), 'allow');
  assert.equal(answer(rules, '::ffff:127.0.0.1', 3000), 'allow');
  assert.equal(answer(rules, 'localhost', 3000), 'none');
  assert.equal(answer([{ host: '[::1]:3000', answer: 'allow_once' }], '0:0::1', 3000), 'allow');
  assert.equal(answer([{ host: '::1', answer: 'allow_once' }], '::1', 3000), 'allow');
});

test('rejecting wins over asking, and that over allowing', () => {
  const allow = { host: '*.example.com', answer: 'allow_once' };
  assert.equal(answer([allow, { host: 'a.example.com', answer: 'reject_once' }], 'a.example.com'), 'reject');
  assert.equal(answer([allow, { host: 'a.example.com', answer: 'ask' }], 'a.example.com'), 'ask');
});

test('only a rule for hosts allows a connection, and nothing else', () => {
  for (const rule of [{ kind: 'fetch' }, { agent: '*' }, { title: '*' }, { kind: 'fetch', title: '*' }, {}])
    assert.equal(answer([{ ...rule, answer: 'allow_once' }], 'example.com'), 'none', JSON.stringify(rule));
  const asked = placedRequest({ entry: { toolKind: 'fetch', title: 'Fetch https://example.com/' } });
  const rules = [{ host: '*', answer: 'allow_once' }];
  assert.equal(findRuling(sourced(rules), asked, options), undefined);
  assert.equal(findRuling(sourced([{ host: '*', answer: 'reject_once' }]), asked, options), undefined);
});

test('a rule that rejects loading from the network rejects connections', () => {
  assert.equal(answer([{ kind: 'fetch', answer: 'reject_once' }], 'example.com'), 'reject');
  assert.equal(answer([{ agent: 'Codex', answer: 'ask' }], 'example.com'), 'ask');
  assert.equal(answer([{ command: '*', answer: 'reject_once' }], 'example.com'), 'none');
  assert.equal(answer([{ agent: 'Other', host: '*', answer: 'reject_once' }], 'example.com'), 'none');
});

test('what isn’t a host is no rule', () => {
  for (const host of [
    ...['', 'https://example.com', 'example.com/a', 'a*.example.com', '*.*', '*.127.0.0.1', 'example.com:0'],
    ...['example.com:99999', 'u@example.com', 'a b', '[::1', '**', '*.', 'example.com:https'],
  ])
    assert.match(ruleProblem({ host, answer: 'ask' }) ?? '', /^"host" must be a host/, host);
  assert.match(ruleProblem({ host: 'a.example', kind: 'fetch', answer: 'ask' }) ?? '', /can't be combined with "kind"/);
  assert.equal(ruleProblem({ host: 'a.example', agent: 'Codex', answer: 'ask' }), undefined);
  assert.deepEqual(parseHostPattern('[::1]:80'), { host: '::1', isBelow: false, port: 80 });
});

test('offers the host with its port, then with any', () => {
  const rules = suggestRules(connection('Example.com'), 'allow_once');
  assert.deepEqual(rules, [
    { host: 'example.com:443', answer: 'allow_once' },
    { host: 'example.com', answer: 'allow_once' },
  ]);
  for (const host of ['::1', '127.0.0.1', 'a.example'])
    for (const offered of offeredHosts({ host, port: 80 }))
      assert.ok(matchesHost(offered, { host, port: 80 }, true), offered);
});

test('connections ask even where everything is allowed', () => {
  for (const freedom of ['everything', 'inSandbox'] as const)
    assert.equal(asksAlways(connection('example.com'), freedom), true);
});
