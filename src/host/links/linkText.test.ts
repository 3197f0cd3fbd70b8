import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { readLink, sessionLink } from './linkText';

/** Why a link is refused. Empty if it isn't. */
const why = (query: string, path = '/new') => {
  const link = readLink(path, query);
  return link.kind === 'refused' ? link.why : '';
};

describe('a link to a new message', () => {
  it('has a text, an agent, and a folder', () => {
    assert.deepEqual(readLink('/new', ''), { kind: 'new', prompt: '' });
    assert.deepEqual(readLink('/new', 'prompt=Fix it\r\nnow &agent=Claude&folder=/w'), {
      kind: 'new',
      prompt: 'Fix it\nnow',
      agent: 'Claude',
      folder: '/w',
    });
  });

  it('keeps characters of its text that the editor has decoded', () => {
    assert.deepEqual(readLink('/new', 'prompt=a & b&c=d 100% %41'), { kind: 'new', prompt: 'a & b&c=d 100% %41' });
  });

  it('is refused if it is huge or hides something', () => {
    assert.match(why(`prompt=${'x'.repeat(8001)}`), /too long: 8001 characters of at most 8000/);
    assert.match(why(`agent=${'x'.repeat(501)}`), /too long/);
    for (const text of ['a\u202Eb', 'a\u200Bb', 'a\u{E0041}', `a${'\n'.repeat(12)}b`, `a${' '.repeat(120)}b`]) {
      assert.match(why(`prompt=${text}`), /hidden text/, JSON.stringify(text));
    }
    assert.match(why('prompt=a&agent=Cl\u200Baude'), /hidden text/);
  });

  it('is refused with parts that are unknown or twice', () => {
    assert.match(why('send=true'), /doesn’t support/);
    assert.match(why('prompt=a&prompt=b'), /“prompt” more than once/);
    assert.match(why('', '/run'), /leads nowhere in Parley: \/run/);
  });
});

describe('a link to a session', () => {
  it('is read as it was copied, with a turn or without', () => {
    const key = 'session-0a1b2c3d:4' as SessionKey;
    for (const turn of [undefined, 12]) {
      const { pathname, search, protocol } = new URL(sessionLink('vscode', key, turn));
      assert.equal(protocol, 'vscode:');
      const expected = { kind: 'session', key, ...(turn !== undefined && { turn }) };
      assert.deepEqual(readLink(decodeURIComponent(pathname), search.slice(1)), expected);
    }
  });

  it('is refused with a path of a file or unknown parts', () => {
    for (const path of ['/session/../../etc', '/session/', '/session/a/b', `/session/${'a'.repeat(101)}`]) {
      assert.match(why('', path), /leads nowhere/, path);
    }
    assert.match(why('turn=-1', '/session/a'), /doesn’t support/);
  });
});
