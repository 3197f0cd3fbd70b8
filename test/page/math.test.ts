import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();
const sample = String.raw`The roots of $ax^2 + bx + c = 0$ cost $5 and $10, and \(x \in \mathbb{R}\) is:

$$
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
$$

- a sum: \[\sum_{i=1}^{n} i = \frac{n(n+1)}{2}\]
- a matrix:
  $$
  \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}
  $$

${'```math'}
\int_0^\infty e^{-x^2} \, dx = \frac{\sqrt{\pi}}{2}
${'```'}
`;

async function show(chat: Chat, text: string): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [agentMessage('a1', text)]));
}

const loaded = (chat: Chat) =>
  chat.page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('typeset')).length,
  );

test('loads the typesetter only if there is a formula', async () => {
  const chat = await browser.open({});
  await show(chat, 'It costs $5 and $10.');
  await chat.page.getByText('It costs $5 and $10.').waitFor();
  assert.equal(await loaded(chat), 0);
  await show(chat, 'It is $x^2$.');
  await chat.page.locator('.pl-math math').waitFor();
  assert.equal(await loaded(chat), 1);
  await chat.close();
});

test('typesets a streamed formula once it is closed', async () => {
  const chat = await browser.open({});
  await show(chat, 'Then $$x = \\frac{1}{2}');
  await chat.page.getByText('$$x = \\frac{1}{2}').waitFor();
  await show(chat, 'Then $$x = \\frac{1}{2}$$.');
  await chat.page.locator('.pl-math.display mfrac').waitFor();
  await chat.close();
});

test("shows a malicious formula's source without links, images, ids, or endless size", async () => {
  const bad = [
    String.raw`\href{javascript:alert(1)}{x}`,
    String.raw`\url{https://evil.example}`,
    String.raw`\includegraphics{https://evil.example/a.png}`,
    String.raw`\htmlId{root}{x}`,
    String.raw`\class{pl-composer}{x}`,
    String.raw`\style{position:fixed}{x}`,
    String.raw`\def\a{\a\a}\a`,
    String.raw`\newcommand{\b}{${'x'.repeat(900)}}${String.raw`\b`.repeat(100)}`,
    '{'.repeat(200) + '}'.repeat(200),
    String.raw`\sqrt`.repeat(300) + 'x',
    String.raw`\frac{1}{`,
    String.raw`\undefinedcommand`,
  ];
  const chat = await browser.open({});
  const rule = String.raw`\rule{9999em}{9999em}`;
  await show(chat, [...bad, rule, 'x'].map((tex) => `$$${tex}$$`).join('\n\n'));
  await chat.page.locator('.pl-math math').last().waitFor();
  const shown = chat.page.locator('.pl-math');
  assert.equal(await shown.locator('a, img, script, [href], [src], [id], [onclick]').count(), 0);
  const drawn = await shown.evaluateAll((all) =>
    all.filter((one) => one.querySelector('math')).map((one) => (one as HTMLElement).dataset['tex'] ?? ''),
  );
  assert.deepEqual(
    drawn
      .filter((tex) => tex !== 'x' && tex !== rule)
      .filter((tex) => !/^\\(?:href|url|class|style|htmlId|include)/.test(tex)),
    [],
  );
  const height = await shown.last().evaluate((one) => one.getBoundingClientRect().top);
  assert.ok(Math.abs(height) < 5000, `the formula reaches ${height} px`);
  assert.equal(await chat.hasHorizontalScroll(), false);
  assert.deepEqual(await chat.violations(), []);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'math',
    widths: [290, 1200],
    reach: async (chat) => {
      await show(chat, sample);
      await chat.page.locator('.pl-math math').nth(4).waitFor();
      await chat.page.locator('.pl-figure .pl-math math').waitFor();
    },
  },
]);
