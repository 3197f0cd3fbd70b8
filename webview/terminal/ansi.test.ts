import { test } from 'node:test';
import assert from 'node:assert/strict';
import { needsEmulator, paletteColor, parseAnsi } from './ansi';
import { contrastRatio, ensureContrast } from './ansiDom';

const text = (output: string) => parseAnsi(output).map((line) => line.map((run) => run.text).join(''));
const styles = (output: string) => parseAnsi(output).flatMap((line) => line.map((run) => run.style));

test('converts colors and attributes to runs', () => {
  assert.deepEqual(parseAnsi('a\u001b[1;31mb\u001b[0mc'), [
    [
      { text: 'a', style: {} },
      { text: 'b', style: { bold: true, fg: 1 } },
      { text: 'c', style: {} },
    ],
  ]);
  assert.deepEqual(styles('\u001b[38;5;208mx'), [{ fg: paletteColor(208) }]);
  assert.deepEqual(styles('\u001b[48;2;1;2;255mx'), [{ bg: '#0102ff' }]);
  assert.deepEqual(styles('\u001b[92mx\u001b[39my'), [{ fg: 10 }, {}]);
});

test('handles carriage return, erase line, and tab stops', () => {
  assert.deepEqual(text('10 %\r99 %'), ['99 %']);
  assert.deepEqual(text('long line\r\u001b[Kok'), ['ok']);
  assert.deepEqual(text('a\tb'), ['a       b']);
  assert.deepEqual(text('ab\bc'), ['ac']);
});

test('erases a line up to the cursor, however often it is rewritten', () => {
  assert.deepEqual(text('abcdef\b\b\u001b[1K'), ['    ef']);
  assert.deepEqual(text('abcdef\u001b[1K\rxy\u001b[1Kz'), ['  z   ']);
  assert.deepEqual(text('abc\u001b[1K\rxyz\b\u001b[1K'), ['  z']);
  assert.deepEqual(text('abc\u001b[2C\u001b[1Kd'), ['     d']);
  assert.deepEqual(text('ab\rc\u001b[Kd'), ['cd']);
});

test('moving right stops at the last column', () => {
  assert.deepEqual(text('a\u001b[3Cb'), ['a   b']);
  assert.equal(text(`a${'\u001b[1000C'.repeat(50)}b`)[0]?.length, 501);
  assert.equal(text(`${'a'.repeat(600)}\u001b[9Cb`)[0]?.length, 601);
});

test('drops titles, links, the clipboard, and other sequences', () => {
  assert.deepEqual(text('\u001b]0;title\u0007a\u001b]52;c;aGk=\u0007b\u001b]8;;http://x\u001b\\c\u001b]8;;\u001b\\'), [
    'abc',
  ]);
  assert.deepEqual(text('\u001b[?25la\u001b(Bb\u0000c'), ['abc']);
  assert.deepEqual(text('cut off \u001b[3'), ['cut off ']);
});

test('only output that moves the cursor needs an emulator', () => {
  assert.equal(needsEmulator('plain \u001b[31mred\u001b[0m\r\n'), false);
  assert.equal(needsEmulator('up\u001b[1A'), true);
  assert.equal(needsEmulator('\u001b[2Jcleared'), true);
});

test('adjusts an unreadable color until it is readable', () => {
  const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  assert.equal(ensureContrast('#ffffff', '#000000'), '#ffffff');
  for (const [fg, bg] of [
    ['#000080', '#000000'],
    ['#ffff00', '#ffffff'],
    ['#777777', '#808080'],
  ] as const) {
    const better = ensureContrast(fg, bg);
    assert.ok(contrastRatio(channels(better), channels(bg)) >= 4.5, `${fg} on ${bg}: ${better}`);
  }
});
