import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownIt } from './markdownIt';
import { mathAt } from './mathRules';

/** Returns the formulas in a text. */
function formulas(text: string): string[] {
  const unescaped = (html: string) => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return [...markdownIt.render(text).matchAll(/<code class="math">(.*?)<\/code>/gs)].map(([, one = '']) =>
    unescaped(one),
  );
}

test('recognizes four kinds of delimiters', () => {
  assert.deepEqual(formulas('The root $\\sqrt{x}$ of \\(x\\), see $$x^2$$ and \\[y\\].'), [
    '$\\sqrt{x}$',
    '\\(x\\)',
    '$$x^2$$',
    '\\[y\\]',
  ]);
  assert.deepEqual(formulas('$n$ items, $5$ of them, $2n + 1$ or $3x$, $\\$5$'), [
    '$n$',
    '$5$',
    '$2n + 1$',
    '$3x$',
    '$\\$5$',
  ]);
  assert.deepEqual(formulas('中文$x$中文'), ['$x$']);
  assert.deepEqual(formulas('$a < b & c$'), ['$a < b & c$']);
});

test('ignores prices, shell variables, and code', () => {
  for (const text of [
    'It costs $5 and $10.',
    'It costs $5 or 10$ at most.',
    'From US$5 to US$6, $1M–$2M, $10k-$20k',
    'Set $HOME and $PATH, or $HOME/$USER, then `$a + $b`.',
    '$this->foo($bar) and $a = $b;',
    '\\$x$ and $ x $ and $$ and $',
    '```\n$x$\n$$\ny\n$$\n```',
    '    $$x$$',
    'a $5 bill (x$)',
    '[not closed \\( and \\[',
  ]) {
    assert.deepEqual(formulas(text), [], text);
  }
});

test('shells, make, JavaScript, and regular expressions are text', () => {
  for (const text of [
    'Put it in ${A}/${B}.',
    'Run $(pwd)/x and $(ls), or $(CC):$(LD).',
    'Pass "$@" on, then "$1" and "$@".',
    'kill $$ && echo $$',
    'kill $$; echo $$',
    'make says $$PATH:$$HOME',
    'see \\[1\\] and \\[2, 3\\]',
    'grep "\\(foo\\|bar\\)"',
    'sed s/\\(.*\\)/x/ and \\([a-z]*\\)',
    '- \\[x\\] done',
    '\\[text\\](a.md) and \\[not yet\\]',
    'costs $5 in `a$b` and $c',
    '$("#a"),$("#b")',
    '$el.find($x) or $?/$#',
    'a \\( in `code \\)`',
  ]) {
    assert.deepEqual(formulas(text), [], text);
  }
});

test('a formula on separate lines may resemble lists, tables, or headings', () => {
  const source = '$$\na = b\n+ c\n- d\n---\n# e\n| f |\n$$';
  assert.deepEqual(formulas(`Before\n${source}\nAfter`), [source]);
  assert.deepEqual(formulas('\\[\nx\n\\]'), ['\\[\nx\n\\]']);
  assert.deepEqual(formulas('$$\\begin{aligned}\n- x\n\\end{aligned}$$'), [
    '$$\\begin{aligned}\n- x\n\\end{aligned}$$',
  ]);
  assert.deepEqual(formulas('1. one\n   $$\n   - x\n   $$\n2. two'), ['$$\n- x\n$$']);
  assert.deepEqual(formulas('> $$\n> x\n> $$'), ['$$\nx\n$$']);
});

test('ends a formula at a blank line and keeps others as paragraphs', () => {
  assert.deepEqual(formulas('$$\nx\n\ny\n$$'), []);
  assert.equal(markdownIt.render('$$\n*x*\n\ny'), '<p>$$\n<em>x</em></p>\n<p>y</p>\n');
  assert.equal(markdownIt.render('$$ is a lot\n- y'), '<p>$$ is a lot</p>\n<ul>\n<li>y</li>\n</ul>\n');
});

test('shows an overlong formula as text', () => {
  assert.equal(mathAt(`$${'x+'.repeat(2500)}x$`, 0), undefined);
  assert.deepEqual(formulas(`$$\n${`${'x+'.repeat(500)}\n`.repeat(6)}$$`), []);
});

test('handles many delimiters in linear time', () => {
  const started = process.cpuUsage();
  for (const delimiter of ['$', '$$', '\\(', '\\[', '$x ', '$$\n']) markdownIt.render(delimiter.repeat(4000));
  // The processor’s time, whatever else the machine does.
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});
