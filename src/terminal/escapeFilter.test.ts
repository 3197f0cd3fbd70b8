import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EscapeFilter } from './escapeFilter';

const record = (text: string) => new EscapeFilter({ queries: 'drop' }).filter(text);
const live = (text: string) => new EscapeFilter({ queries: 'keep' }).filter(text);

const dropped: readonly (readonly [name: string, text: string, rest: string])[] = [
  ['title ended by BEL', 'a\x1b]0;evil\x07b', 'ab'],
  ['title ended by ST', 'a\x1b]2;evil\x1b\\b', 'ab'],
  ['clipboard', 'a\x1b]52;c;ZXZpbA==\x07b', 'ab'],
  ['link keeps its text', '\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['notification', 'a\x1b]9;hello\x07b', 'ab'],
  ['shell integration', 'a\x1b]633;E;rm -rf\x07b', 'ab'],
  ['image', 'a\x1b]1337;File=inline=1:AAAA\x07b', 'ab'],
  ['DCS', 'a\x1bP1$r0m\x1b\\b', 'ab'],
  ['DCS over several lines, BEL is data in it', 'a\x1bPq#0\r\n\x07#1\x1b\\b', 'ab'],
  ['APC', 'a\x1b_Gf=24;AAAA\x1b\\b', 'ab'],
  ['PM', 'a\x1b^x\x1b\\b', 'ab'],
  ['SOS', 'a\x1bXx\x1b\\b', 'ab'],
  ['screen title', 'a\x1bktitle\x1b\\b', 'ab'],
  ['one-character OSC', 'a\x9d0;evil\x9cb', 'ab'],
  ['one-character DCS', 'a\x90x\x9cb', 'ab'],
  ['one-character APC', 'a\x9fx\x1b\\b', 'ab'],
  ['window operation', 'a\x1b[8;1;1t\x1b[21tb', 'ab'],
  ['printing', 'a\x1b[5ib', 'ab'],
  ['title that never ends', 'a\x1b]0;evil\r\nb', 'a\r\nb'],
  ['title cut by another sequence', 'a\x1b]0;ev\x1b[31mb', 'a\x1b[31mb'],
  ['string cut by CAN', 'a\x1bPabc\x18b', 'ab'],
  ['answerback', 'a\x05b', 'ab'],
];

const passed: readonly string[] = [
  'plain\r\ntext\twith ünïcode 😀 \x07\x08',
  '\x1b[31mred\x1b[0m \x1b[38;2;1;2;3mtrue\x1b[m \x1b[4:3mcurly',
  '\x1b[2J\x1b[H\x1b[10;20H\x1b[K\x1b[?25l\x1b[?1049h\x1b[3A\x1b[!p\x1b[2 q',
  '\x1b7\x1b8\x1bM\x1b(B\x1b)0\x1b=\x1b>\x1bc',
];

test('removes sequences with effects beyond the screen and keeps the text', () => {
  for (const [name, text, rest] of dropped) {
    assert.equal(record(text), rest, name);
    assert.equal(live(text), rest, name);
  }
});

test('passes colors, cursor movements, and screen control unchanged', () => {
  for (const text of passed) {
    assert.equal(record(text), text);
    assert.equal(live(text), text);
  }
});

test('passes queries to a live terminal but not to recorded output', () => {
  for (const query of [
    '\x1b[c',
    '\x1b[>c',
    '\x1b[6n',
    '\x1b[?6n',
    '\x1b[5n',
    '\x1b[?25$p',
    '\x1b[>q',
    '\x1b[?u',
    '\x1bZ',
  ]) {
    assert.equal(record(`a${query}b`), 'ab', JSON.stringify(query));
    assert.equal(live(`a${query}b`), `a${query}b`, JSON.stringify(query));
  }
  assert.equal(record('\x1b[?1000h\x1b[?1006h\x1b[?25h'), '\x1b[?25h');
});

test('judges one-character forms like the long control sequences', () => {
  assert.equal(record('\x9b31mred\x9b21t'), '\x1b[31mred');
});

test('gives the same result wherever a sequence is split', () => {
  const all = [...dropped.map(([, text]) => text), ...passed, '\x1b[6n\x1b\x1b[1m'].join('|');
  for (const queries of ['keep', 'drop'] as const) {
    const whole = new EscapeFilter({ queries }).filter(all);
    for (let cut = 0; cut <= all.length; cut += 1) {
      const filter = new EscapeFilter({ queries });
      assert.equal(filter.filter(all.slice(0, cut)) + filter.filter(all.slice(cut)), whole, `cut at ${cut}`);
    }
    const filter = new EscapeFilter({ queries });
    assert.equal(
      all
        .split('')
        .map((unit) => filter.filter(unit))
        .join(''),
      whole,
    );
  }
});

test('control characters inside a sequence pass without ending it', () => {
  assert.equal(record('\x1b[3\n1mx'), '\n\x1b[31mx');
});

test('an unterminated sequence neither grows nor hides later text', () => {
  const filter = new EscapeFilter({ queries: 'drop' });
  const out = filter.filter(`\x1b[${'1;'.repeat(2000)}mend`);
  assert.ok(out.endsWith('mend'));
  assert.ok(out.length < 4000);
});

test('random input never passes a forbidden introducer', () => {
  let seed = 42;
  const next = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % limit;
  };
  const alphabet = [
    '\x1b',
    ']',
    'P',
    '_',
    '^',
    'X',
    'k',
    '[',
    '\\',
    '\x07',
    '\x9b',
    '\x9c',
    '\x9d',
    '\x90',
    ';',
    '5',
    '2',
    't',
    'm',
    '\n',
    'a',
  ];
  for (let round = 0; round < 3000; round += 1) {
    const filter = new EscapeFilter({ queries: 'drop' });
    let out = '';
    for (let count = 0; count < 40; count += 1) out += filter.filter(alphabet[next(alphabet.length)] ?? '');
    assert.doesNotMatch(out, /\x1b[\]P_^Xk]|[\x90\x9b-\x9f]|\x1b\[[\d;]*t/u);
  }
});
