import assert from 'node:assert/strict';
import { test } from 'node:test';
import { natureOf, normalHost, normalTarget, targetName } from './hostTarget';

test('every spelling of a host becomes the same', () => {
  for (const [written, host] of [
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['аррӏе.com', 'xn--80ak6aa92e.com'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['example。com', 'example.com'],
    ['127.1', '127.0.0.1'],
    ['0x7f.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['a_b.example', 'a_b.example'],
  ] as const)
    assert.equal(normalHost(written), host, written);
});

test('what isn’t a host is none', () => {
  for (const written of [
    ...['', '.', 'a..b', '..', 'a b', 'a\nb', 'a\u0000.example', 'a/b', 'u@a.example', 'a.example:80', 'a%2eb'],
    ...['a?b', 'a#b', 'a\\b', '[a.example]', '[::1', '::1%eth0', ':::', '1.2.3.4.5', '256.1.1.1', '*.example.com'],
    ...['-a.example', `${'a'.repeat(64)}.example`, `${'a.'.repeat(127)}example`, 'a.example\u202e', 'a\u200b\u202e.b'],
  ])
    assert.equal(normalHost(written), undefined, JSON.stringify(written));
  for (const port of [0, -1, 65_536, 1.5, NaN]) assert.equal(normalTarget({ host: 'a.example', port }), undefined);
});

test('says what is special about a host', () => {
  for (const [nature, hosts] of [
    ['thisComputer', ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::']],
    ['localNetwork', ['10.0.0.1', '192.168.1.1', '172.16.0.1', '172.31.9.9', '169.254.169.254', '100.64.0.1']],
    ['localNetwork', ['fe80::1', 'fd00::1', 'printer', 'nas.local', 'db.internal']],
    ['address', ['93.184.216.34', '172.32.0.1', '100.128.0.1', '2001:db8::1']],
    ['otherAlphabet', ['xn--80ak6aa92e.com', 'a.xn--bcher-kva.example']],
    ['name', ['example.com', '10.example.com', 'localhost.example.com', 'xn.example.com']],
  ] as const)
    for (const host of hosts) assert.equal(natureOf(host), nature, host);
});

test('writes an IPv6 address in brackets before its port', () => {
  assert.equal(targetName({ host: '::1', port: 80 }), '[::1]:80');
  assert.equal(targetName({ host: 'example.com', port: 443 }), 'example.com:443');
});
