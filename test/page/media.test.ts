import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentBlock } from '../../src/shared/transcript/content';
import { useBrowser, type ChatOptions } from './chat';
import { agentMessage, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

const browser = useBrowser();
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAAA8CAIAAAAiz+n/AAAAk0lEQVR42u3QsQkAIBAEQauzOku0A8HACqzhA4XnBy7d4KatfezDGgLQoA00aNAUQIO208cMDTRo0FYROnoYNGjQoEGDBg0aNGjQoEG/gs5yGDRo0KBB54D+2YIGDRp0VugKLWjQoEGDBg0aNGjQoEHngIYFGrQWNGjQsECD1oIGDRoWaNBa0KBBwwINWgsadLn2Aq45HrL+QtFAAAAAAElFTkSuQmCC';
const blob = {
  type: 'resource_blob',
  uri: 'file:///w/out/quarterly%20report.pdf',
  mimeType: 'application/pdf',
  blob: 'AAAA',
} as const;
const image = { type: 'image', mimeType: 'image/png', data: png } as const;
const sound = { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' } as const;
const text = { type: 'resource', uri: 'file:///w/notes.md', text: '# Notes\n\nKept.\n' } as const;
const voice = { ...sound, uri: 'file:///w/my%20voice.wav' };

async function open(options: ChatOptions = {}) {
  const chat = await browser.open(options);
  await chat.showPage(pageWithSession());
  const content: readonly ContentBlock[] = [{ type: 'text', text: 'Here is all of it.' }, blob, image, sound, text];
  const call = toolCall('t1', {
    title: 'Render the chart',
    status: 'completed',
    content: [{ type: 'content', content: { ...image, uri: 'file:///w/chart.png' } }],
  });
  const said = { ...userMessage('m1', 'Listen to this'), content: [{ type: 'text', text: 'Listen to this' }, voice] };
  const answer = { ...agentMessage('a1', ''), content };
  await chat.showSession(sessionA, snapshot({}, [said as never, call, answer as never]));
  await chat.page.getByRole('button', { name: 'Save… Audio' }).waitFor();
  return chat;
}

test('saves media and opens texts, by keyboard, too', async () => {
  const chat = await open();
  await chat.button('Save… quarterly report.pdf').click();
  const saveImage = chat.button('Save… Image');
  await saveImage.focus();
  await saveImage.press('Enter');
  await chat.button('Save… Audio').click();
  assert.deepEqual(
    (await chat.posted('saveContent')).map(({ block }) => block),
    [blob, image, sound],
  );
  await chat.button('Open').click();
  assert.deepEqual(await chat.posted('openText'), [{ type: 'openText', uri: text.uri, text: text.text }]);
  await chat.close();
});

test("plays the user's audio with its name and without a save button", async () => {
  const chat = await open();
  const mine = chat.page.getByRole('article', { name: 'You' });
  assert.equal(await mine.locator('audio').getAttribute('aria-label'), 'my voice.wav');
  assert.equal(await mine.getByRole('button', { name: 'Save…' }).count(), 0);
  await chat.close();
});
