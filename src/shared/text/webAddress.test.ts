import { it } from 'node:test';
import assert from 'node:assert/strict';
import { readWebAddress } from './webAddress';

const warnings = (text: string) => readWebAddress(text)?.warnings;

void it('shows an ordinary URL unchanged and without a warning', () => {
  assert.deepEqual(readWebAddress('https://login.example.com:8443/a?next=http%3A%2F%2Flocalhost#x'), {
    href: 'https://login.example.com:8443/a?next=http%3A%2F%2Flocalhost#x',
    host: 'login.example.com:8443',
    warnings: [],
  });
});

void it('warns of unencrypted URLs, except on this machine', () => {
  assert.deepEqual(warnings('http://example.com/'), ['notEncrypted']);
  assert.deepEqual(warnings('http://localhost.example.com/'), ['notEncrypted']);
  for (const host of ['localhost:80', 'app.localhost', '127.0.0.1:1455', '127.8.8.8', '[::1]:3000']) {
    assert.deepEqual(warnings(`http://${host}/`), []);
  }
});

void it('spells out look-alike hosts and warns of them', () => {
  // The first letter is Cyrillic.
  const address = readWebAddress('https://\u0430pple.com/login')!;
  assert.equal(address.host, 'xn--pple-43d.com');
  assert.equal(address.href, 'https://xn--pple-43d.com/login');
  assert.deepEqual(address.warnings, ['lookalike']);
  assert.deepEqual(warnings('https://www.xn--pple-43d.com/'), ['lookalike']);
  assert.deepEqual(warnings('https://google.com@evil.example/'), ['credentials']);
  assert.deepEqual(warnings('https://203.0.113.7/'), ['number']);
  // The same number in another notation.
  assert.equal(readWebAddress('http://3405803783/')?.host, '203.0.113.7');
  assert.deepEqual(warnings('http://0x7f000001/'), []);
  assert.deepEqual(warnings('https://[2001:db8::1]/'), ['number']);
});

void it('removes bidirectional characters', () => {
  assert.equal(readWebAddress('https://example.com/\u202Egpj.exe')?.href, 'https://example.com/%E2%80%AEgpj.exe');
});

void it('rejects URLs that are not web addresses', () => {
  for (const text of [
    'ftp://a/',
    'vscode://a/b',
    'mailto:a@b.c',
    'data:text/html,x',
    '//example.com',
    'example.com',
    '',
  ]) {
    assert.equal(readWebAddress(text), undefined);
  }
});
