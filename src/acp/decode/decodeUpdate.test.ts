import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePlainUpdate } from './decodeUpdate';

test('suggested prompts are texts and links, and others are left out', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const link = { type: 'resource_link', name: 'a.ts', uri: 'file:///w/a.ts' };
  const read = (...prompts: unknown[]) =>
    decodePlainUpdate({
      sessionUpdate: 'prompt_suggestions_update',
      suggestions: prompts.map((prompt) => ({ prompt })),
    });
  assert.deepEqual(
    read(
      [text('Run the tests')],
      [text('Look at '), link],
      [],
      [text(' \n')],
      'Run',
      [text('This: '), { type: 'image', mimeType: 'image/png', data: 'AA==' }],
      [text('That: '), { type: 'hologram' }],
    ),
    {
      sessionUpdate: 'prompt_suggestions_update',
      suggestions: ['Run the tests', 'Look at [a.ts](file:///w/a.ts)'],
    },
  );
  assert.deepEqual(read(), { sessionUpdate: 'prompt_suggestions_update', suggestions: [] });
  assert.equal(decodePlainUpdate({ sessionUpdate: 'prompt_suggestions_update' }), undefined);
});

test('says why Codex tries its model again, and nothing about other errors', () => {
  const retryOf = (error: object) =>
    (
      decodePlainUpdate({ sessionUpdate: 'session_info_update', _meta: { codex: { error } } }) as {
        readonly retry?: string;
      }
    ).retry;
  const network = { message: 'Reconnecting… waiting for network', additionalDetails: 'timed out' };
  assert.equal(retryOf({ ...network, willRetry: true }), 'Reconnecting… waiting for network: timed out');
  assert.equal(retryOf({ message: 'Reconnecting…', additionalDetails: null, willRetry: true }), 'Reconnecting…');
  assert.equal(retryOf({ ...network, willRetry: false }), undefined);
  assert.equal(retryOf({ willRetry: true }), undefined);
});
