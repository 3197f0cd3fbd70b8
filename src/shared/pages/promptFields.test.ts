import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promptFields } from './promptFields';

test('finds every place of a field', () => {
  assert.deepEqual(promptFields('Merge {{ branch }} into {{base}}, then delete {{branch}}.'), [
    {
      name: 'branch',
      ranges: [
        [6, 18],
        [46, 56],
      ],
    },
    { name: 'base', ranges: [[24, 32]] },
  ]);
});

test('takes nothing else for a field', () => {
  for (const text of ['{{}}', '{{ }}', '{a}', '{{a', '{{a\nb}}', `{{${'x'.repeat(61)}}}`, '{ {a} }'])
    assert.deepEqual(promptFields(text), [], text);
  assert.deepEqual(
    promptFields('{{{a}}}').map(({ name }) => name),
    ['a'],
  );
});
