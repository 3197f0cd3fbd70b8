import { test } from 'node:test';
import assert from 'node:assert/strict';
import { toolCall } from '../../test/unit-support/toolCall';
import type { ToolCallEntry } from '../../src/shared/transcript';
import { outputText, withoutFence } from './outputText';

/** Returns the output of a call with this text. */
function output(text: string, fields: Partial<ToolCallEntry> = {}) {
  const item = { type: 'content', content: { type: 'text', text } } as const;
  const entry = { ...toolCall('c'), toolKind: 'execute', status: 'completed', content: [item], ...fields } as const;
  return outputText(entry, item);
}

test('text in a command, a read, or a search is output; other text is Markdown', () => {
  const kinds = ['execute', 'read', 'search', 'edit', 'think', 'fetch', 'other'] as const;
  assert.deepEqual(
    kinds.map((toolKind) => output('# Notes', { toolKind })),
    [
      { text: '# Notes', keeps: 'end' },
      { text: '# Notes', keeps: 'start' },
      { text: '# Notes', keeps: 'start' },
      ...[undefined, undefined, undefined, undefined],
    ],
  );
});

test('what an agent says about a call before it runs, or after a rejection, is not output', () => {
  const option = { optionId: 'no', name: 'Reject', kind: 'reject_once' } as const;
  assert.equal(output('Print hello', { status: 'pending' }), undefined);
  assert.equal(
    output('Rejected', { status: 'failed', permission: { state: 'answered', by: 'you', option } }),
    undefined,
  );
  assert.notEqual(output('line 1\n', { status: 'in_progress' }), undefined);
  assert.notEqual(output('oops', { status: 'failed' }), undefined);
});

test('the results of a web search are Markdown', () => {
  const found = '- [Retries](https://example.com/retries)';
  assert.equal(output(found, { toolKind: 'search' }), undefined);
  assert.equal(output(found, { toolKind: 'read' })?.text, found);
  assert.equal(output(`\`\`\`\n${found}\n\`\`\``, { toolKind: 'search' })?.text, found);
});

test('a fence around the whole output is removed, as Claude sends it; other fences stay', () => {
  const cases: readonly (readonly [text: string, shown?: string])[] = [
    ['```console\nhello\n```', 'hello'],
    ['```\n1\t# Notes\n2\t\n```', '1\t# Notes\n2\t'],
    ['````\n```ts\nx\n```\n````\n', '```ts\nx\n```'],
    ['~~~\na\n~~~', 'a'],
    ['```\n```', ''],
    ['Output:\n```\na\n```'],
    ['```\na\n```\nand\n```\nb\n```'],
    ['```\nnever closed'],
    ['plain'],
  ];
  for (const [text, shown = text] of cases) assert.equal(withoutFence(text), shown, JSON.stringify(text));
});
