// What grows without a limit must not take more than linear time, whatever it contains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineCutter } from '../../src/acp/wire/lineCutter';
import { redactText } from '../../src/acp/base/redactText';
import { fitCode } from '../../src/host/codeBlocks/placement';
import { namedCode } from '../../src/host/codeBlocks/namedFile';
import { lineOfSnippet } from '../../src/review/lines/snippetPlace';
import { pathMentions, wholePathMention } from '../../src/shared/text/pathMentions';
import { OutputBuffer } from '../../src/terminal/outputBuffer';
import { MarkdownSplitter } from '../../webview/markdown/markdownSplit';
import { parseAnsi } from '../../webview/terminal/ansi';
import { assertLinear } from '../unit-support/growth';

test('terminal output with escape sequences takes linear time', () => {
  const size = 500_000;
  for (const unit of [
    '\u001b[1K',
    'a\u001b[1K',
    '\u001b[999C',
    'a\u001b[999Cb',
    '\u001b[999Cb\n',
    '\ra\u001b[999C\u001b[1K',
    '\b\u001b[1Ka',
    '\u001b[K',
    '\t',
    '\u001b]',
    '\u001b[1;',
    '\u001bP',
    '\u001b[1m',
    '\u001b[2K',
    '\ra\u001b[K',
  ]) {
    for (const before of ['', 'x'.repeat(80_000)]) {
      const work = (length: number) => parseAnsi(before + unit.repeat(length / unit.length));
      assertLinear(work, size, JSON.stringify(unit));
    }
  }
});

test('redacting a line of a megabyte, whatever it contains takes linear time', () => {
  const units = [
    'a',
    'a_',
    'a-',
    '-',
    'x-',
    'x-x',
    'X-Auth: ',
    'cookie:',
    '"cookie:"',
    'eyJ',
    'eyJaaaaa.',
    'eyJaaaaa.a.',
    'eyJ-',
  ];
  const more = [
    'token',
    'password',
    'password=',
    'https://a',
    'https://',
    'Basic aaaaaaaa ',
    'bearer ',
    'bearer a',
    'sk-',
    'glpat-',
    'SG.',
  ];
  const keys = [
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    '-----END ',
    '"',
    '\\',
    ' ',
    '\n',
    'a\n',
    'cookie:"a\n',
    'npm_a',
    'A0',
    '-u ',
    '-u a',
    '-u a:',
    'mysql ',
    'mysql -p',
    'a_',
    '_pass',
    'pass=',
    'sig=',
    '&sig=',
    'machine a ',
    'login a\n',
    '"auth":"',
    'redis-cli ',
    'https://hooks.slack.com/services/',
    'accountkey=',
    'pwd=',
  ];
  for (const unit of [...units, ...more, ...keys]) {
    const work = (length: number) => redactText(`PRIVATE KEY ${unit.repeat(Math.ceil(length / unit.length))}`);
    assertLinear(work, 1_000_000, JSON.stringify(unit));
  }
});

test('redacting long words of any kind takes linear time', () => {
  for (const unit of ['a', 'a_', 'a-', 'token', '_', 'x=', 'http://', 'bearer ', 'aB3+/'])
    assertLinear((count) => redactText(unit.repeat(count)), 60_000, unit);
});

test('finding paths in a hostile text takes linear time', () => {
  for (const part of ['a.a/', 'a:1', '#L1-', './', ':1:1-1 ', '\\\\a ', '..', 'a.b ', '\u202e']) {
    assertLinear((length) => pathMentions(part.repeat(length)), 100_000, part);
    assertLinear((length) => wholePathMention(part.repeat(length)), 100_000, part);
  }
});

test('finding a snippet in a file of equal lines takes linear time', () => {
  assertLinear((length) => {
    assert.equal(lineOfSnippet('x\n'.repeat(length), { oldText: 'x', newText: 'y' }, { hasHappened: false }), 0);
  }, 500_000);
});

test('placing code in a file of equal lines takes linear time', () => {
  assertLinear((length) => fitCode(Array<string>(length).fill('}'), ['}', 'a', '}']), 100_000);
});

test('reads a malicious code block info or first line in linear time', () => {
  for (const part of ['title=', 'a:', '/* ', '{file="', '#', 'x/']) {
    assertLinear((length) => namedCode({ info: part.repeat(length), text: part.repeat(length) }), 50_000, part);
  }
});

test('appends a million small chunks over the limit in linear time', () => {
  assertLinear((pieces) => {
    const buffer = new OutputBuffer(100_000);
    for (let count = 0; count < pieces; count += 1) buffer.append('né');
    assert.equal(Buffer.byteLength(buffer.read()), 99_999);
  }, 1_000_000);
});

test('Markdown with endless blank lines and definitions takes linear time', () => {
  for (const start of [
    '',
    'a\n',
    '- a\n',
    '> a\n',
    '# a\n',
    '    a\n',
    '[a]: b\n',
    '| a |\n| - |\n',
    '***\n',
    '- ```\n',
  ]) {
    for (const unit of ['\n', ' \n', '[a]: b\n', '[a]:\n', `${'\n'.repeat(9000)} a\n`]) {
      const splitter = new MarkdownSplitter();
      const started = process.cpuUsage();
      let longest = 0;
      const text = start + unit.repeat(320_000 / unit.length);
      for (let at = 0; at < text.length; at += 4096) {
        splitter.push(text.slice(at, at + 4096));
        longest = Math.max(longest, splitter.tail.source.length);
      }
      splitter.end();
      const ms = process.cpuUsage(started).user / 1000;
      assert.ok(longest <= 40_000, `${JSON.stringify(start + unit.slice(0, 9))} keeps ${longest}`);
      assert.ok(ms < 3000, `${JSON.stringify(start + unit.slice(0, 9))} took ${Math.round(ms)} ms`);
    }
  }
});

test('cuts a line of 20 MB in chunks in linear time', () => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  // Joining again for each chunk would copy 3 GB.
  assertLinear((count) => {
    const bytes: number[] = [];
    const cutter = new LineCutter({
      limit: 32 * 1024 * 1024,
      onLine: (_line, length) => bytes.push(length),
      onTooLong: () => assert.fail('no line is too long'),
    });
    for (let chunks = 0; chunks < count; chunks += 1) cutter.push(chunk);
    cutter.push(Buffer.from('\n'));
    assert.deepEqual(bytes, [count * chunk.length]);
  }, 320);
});
