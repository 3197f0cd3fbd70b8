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
