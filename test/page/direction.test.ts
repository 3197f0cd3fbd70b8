import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();
const arabic = 'غيّر `src/retry.ts` ثم شغّل `npm test` من جديد.';
const hebrew = 'הפונקציה `retry()` נכשלת אחרי 3 ניסיונות.';
const answer = `## ملخص التغييرات

${arabic}

- ${hebrew}
- البند الثاني

1. שלב ראשון
2. שלב שני

> اقتباس قصير

| العمود | القيمة |
| --- | --- |
| المهلة | \`timeout\` |

\`\`\`ts
const name = 'שלום'; // تعليق
\`\`\`

An English paragraph with שלום in it.

中文段落，没有空格的长句子也应该在合适的位置换行，标点不应该出现在行首。日本語の文章も同じように折り返されます。
`;

async function show(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(
    sessionA,
    snapshot({ title: 'إصلاح الرفع' }, [
      userMessage('m1', `أصلح retry.ts\nand run the tests`),
      agentMessage('a1', answer),
    ]),
  );
  await chat.page.getByText('البند الثاني').waitFor();
}

/** Returns on which side of its box the text of an element begins: the side from which its first letter is less far. */
const side = (chat: Chat, selector: string) =>
  chat.page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (!text) return 'none';
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      const letter = range.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return letter.left - box.left < box.right - letter.right ? 'left' : 'right';
    });

test("starts texts on their script's side, and code on the left", async () => {
  const chat = await browser.open({});
  await show(chat);
  for (const selector of ['.pl-md h4', '.pl-md p', '.pl-md li', '.pl-md ol > li', '.pl-md blockquote p', '.pl-md th']) {
    assert.equal(await side(chat, selector), 'right', selector);
  }
  assert.equal(await side(chat, '.pl-md p:has-text("English")'), 'left');
  assert.equal(await side(chat, '.pl-code code'), 'left');
  assert.equal(await chat.page.locator('.pl-md ul').evaluate((list) => getComputedStyle(list).direction), 'rtl');
  assert.equal(
    await chat.page
      .locator('.pl-md p code')
      .first()
      .evaluate((code) => getComputedStyle(code).direction),
    'ltr',
  );
  await chat.close();
});

test("gives each line of a message its text's direction", async () => {
  const chat = await browser.open({});
  await show(chat);
  assert.equal(await side(chat, '.pl-user > p'), 'right');
  await chat.message.fill('שלום retry.ts');
  assert.equal(await chat.message.evaluate((field) => getComputedStyle(field).direction), 'rtl');
  await chat.message.fill('Hello');
  assert.equal(await chat.message.evaluate((field) => getComputedStyle(field).direction), 'ltr');
  await chat.close();
});

testLooks(browser, [{ name: 'direction', height: 1000, widths: [290, 1200], reach: show }]);
