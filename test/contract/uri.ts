import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import type { Contract } from './contract';

const isWindows = process.platform === 'win32';
const parts = ({ scheme, authority, path, query, fragment }: Uri) => [scheme, authority, path, query, fragment];

/** Addresses of resources: how they are read, written, and changed. */
export const uriContract: Contract = ({ suite, test }) => {
  suite('Uri', () => {
    test('has the five parts of a text', () => {
      assert.deepEqual(parts(Uri.parse('https://User@Example.com:8080/a/b%20c?x=1%202&y#part%203')), [
        'https',
        'User@Example.com:8080',
        '/a/b c',
        'x=1 2&y',
        'part 3',
      ]);
      assert.deepEqual(parts(Uri.parse('mailto:me@example.com')), ['mailto', '', 'me@example.com', '', '']);
      assert.deepEqual(parts(Uri.parse('untitled:Untitled-1')), ['untitled', '', 'Untitled-1', '', '']);
    });

    test('is of a file if the text has no scheme', () => {
      assert.deepEqual(parts(Uri.parse('/a/b')), ['file', '', '/a/b', '', '']);
      assert.deepEqual(parts(Uri.parse('a/b')), ['file', '', '/a/b', '', '']);
      assert.deepEqual(parts(Uri.parse('')), ['file', '', '/', '', '']);
      assert.throws(() => Uri.parse('a/b', true), /Scheme is missing/);
      assert.throws(() => Uri.parse('', true), /Scheme is missing/);
    });

    test('takes a drive for a scheme when it reads a text', () => {
      assert.deepEqual(parts(Uri.parse('C:/a')), ['C', '', '/a', '', '']);
    });

    test('keeps an escape that is none', () => {
      assert.equal(Uri.parse('file:///a%zz/100%25').path, '/a%zz/100%');
      assert.equal(Uri.parse('file:///a%E4b%20c').path, '/a%E4b c');
      assert.equal(Uri.parse('x:/a?q=%').query, 'q=%');
    });

    test('gives a root to paths of files and of the web', () => {
      assert.equal(Uri.parse('http://example.com').path, '/');
      assert.equal(Uri.parse('https://example.com?a').path, '/');
      assert.equal(Uri.parse('vscode://example.com').path, '');
      assert.equal(Uri.from({ scheme: 'file', path: 'a' }).path, '/a');
      assert.equal(Uri.from({ scheme: 'parley', path: 'a' }).path, 'a');
    });

    test('rejects parts that don’t fit together', () => {
      assert.throws(() => Uri.from({ scheme: 'no scheme', path: '/a' }), /illegal characters/);
      assert.throws(() => Uri.from({ scheme: 'x', authority: 'host', path: 'a' }), /must either be empty or begin/);
      assert.throws(() => Uri.from({ scheme: 'x', path: '//a' }), /cannot begin with two slash/);
      assert.throws(() => Uri.parse('x:/a').with({ scheme: 'é' }), /illegal characters/);
      assert.throws(() => Uri.parse('x:////a', true), /cannot begin with two slash/);
    });

    test('writes each part with its escapes', () => {
      const odd = ' !"#$%&\'()*+,;=?@[]`{|}~äß€😀';
      const path =
        '/%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%3B%3D%3F%40%5B%5D%60%7B%7C%7D~%C3%A4%C3%9F%E2%82%AC%F0%9F%98%80';
      assert.equal(Uri.file(`/${odd}`).toString(), `file://${path}`);
      assert.equal(Uri.file('/a:b\\c').path, isWindows ? '/a:b/c' : '/a:b\\c');
      assert.equal(Uri.from({ scheme: 'x', path: '/a:b^c' }).toString(), 'x:/a%3Ab%5Ec');
      const uri = Uri.from({ scheme: 'x', authority: 'Host:80', path: '/p', query: 'a=b&c d', fragment: 'L1,2/3' });
      assert.equal(uri.toString(), 'x://host:80/p?a%3Db%26c%20d#L1%2C2%2F3');
      assert.equal(uri.toString(true), 'x://host:80/p?a=b&c d#L1,2/3');
      assert.equal(Uri.file('/a b#c?d').toString(true), 'file:///a b%23c%3Fd');
    });

    test('reads what it has written', () => {
      for (const path of ['/a b/ü.md', '/100%/x', '/#a?b', '/a%20b', '/a\nb', "/it's [one] (two)*", '/c:/x']) {
        const uri = Uri.file(path);
        assert.deepEqual(parts(Uri.parse(uri.toString())), parts(uri));
        assert.deepEqual(parts(Uri.parse(uri.toString(), true)), parts(uri));
      }
      const whole = Uri.from({ scheme: 'p', authority: 'a', path: '/b c', query: '{"k":"v&w=1#2"}', fragment: 'x y' });
      assert.deepEqual(parts(Uri.parse(whole.toString())), parts(whole));
    });

    test('has the drive of a Windows path in lower case', () => {
      const uri = Uri.from({ scheme: 'file', path: '/C:/Users/me' });
      assert.equal(uri.path, '/C:/Users/me');
      assert.equal(uri.toString(), 'file:///c%3A/Users/me');
      assert.equal(uri.toString(true), 'file:///c:/Users/me');
      assert.equal(uri.fsPath, isWindows ? 'c:\\Users\\me' : 'c:/Users/me');
      assert.equal(Uri.file('C:/Users/me').path, '/C:/Users/me');
    });

    test('has the server of a shared folder as its authority', () => {
      const uri = Uri.file('//Server/share/a');
      assert.deepEqual(parts(uri), ['file', 'Server', '/share/a', '', '']);
      assert.equal(uri.toString(), 'file://server/share/a');
      assert.equal(uri.fsPath, isWindows ? '\\\\Server\\share\\a' : '//Server/share/a');
    });

    test('has a path for the disk', () => {
      const path = isWindows ? 'c:\\a b\\ü#?%20.md' : '/a b/ü#?%20.md';
      assert.equal(Uri.file(path).fsPath, path);
      assert.equal(Uri.parse('parley:/a/b').fsPath, isWindows ? '\\a\\b' : '/a/b');
      assert.equal(Uri.file('').path, '/');
      assert.equal(Uri.file('a/../b').path, '/a/../b');
    });

    test('changes some parts and keeps the others', () => {
      const uri = Uri.parse('x://h/p?q#f');
      assert.deepEqual(parts(uri.with({ path: '/r', fragment: '' })), ['x', 'h', '/r', 'q', '']);
      assert.deepEqual(parts(uri.with({ scheme: 'y', query: 'n' })), ['y', 'h', '/p', 'n', 'f']);
      assert.equal(uri.with({ path: '/p' }), uri);
      assert.equal(uri.with({}), uri);
      assert.ok(uri.with({ path: '/r' }) instanceof Uri);
    });

    test('joins a path with others', () => {
      const uri = Uri.parse('x://h/a/b?q');
      assert.equal(Uri.joinPath(uri, 'c', '..', './d e').toString(), 'x://h/a/b/d%20e?q');
      assert.equal(Uri.joinPath(uri, '/c').path, '/a/b/c');
      assert.equal(Uri.joinPath(uri, '../../../..').path, '/');
      assert.equal(Uri.joinPath(Uri.file('/a'), 'b\\c').path, isWindows ? '/a/b/c' : '/a/b\\c');
      assert.throws(() => Uri.joinPath(Uri.parse('x:'), 'a'), /without path/);
    });

    test('can be stored and read again', () => {
      const uri = Uri.parse('x://h/p?q#f');
      const stored = JSON.parse(JSON.stringify(uri)) as Parameters<typeof Uri.from>[0];
      assert.deepEqual(parts(Uri.from(stored)), parts(uri));
    });
  });
};
