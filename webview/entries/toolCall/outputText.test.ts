import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTraffic, TrafficPlayer } from '../../../test/unit-support/playTraffic';
import { toolCall } from '../../../test/unit-support/toolCall';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { outputText, withoutFence } from './outputText';

/** Returns the output of a call with this text. */
function output(text: string, fields: Partial<ToolCallEntry> = {}) {
  const item = { type: 'content', content: { type: 'text', text } } as const;
  const entry = { ...toolCall('c'), toolKind: 'execute', status: 'completed', content: [item], ...fields } as const;
  return outputText(entry, item);
}

test('shows text of commands, reads, and searches as output, others as Markdown', () => {
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

test("text before a call runs or after a rejection isn't output", () => {
  const option = { optionId: 'no', name: 'Reject', kind: 'reject_once' } as const;
  assert.equal(output('Print hello', { status: 'pending' }), undefined);
  assert.equal(
    output('Rejected', { status: 'failed', permission: { state: 'answered', by: 'you', option } }),
    undefined,
  );
  assert.notEqual(output('line 1\n', { status: 'in_progress' }), undefined);
  assert.notEqual(output('oops', { status: 'failed' }), undefined);
});

test('shows results of a web search as Markdown', () => {
  const found = '- [Retries](https://example.com/retries)';
  assert.equal(output(found, { toolKind: 'search' }), undefined);
  assert.equal(output(found, { toolKind: 'read' })?.text, found);
  assert.equal(output(`\`\`\`\n${found}\n\`\`\``, { toolKind: 'search' })?.text, found);
});

test('removes a fence around the whole output and keeps others', () => {
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

/** The first line of each output in a recording of a real agent, with the title of its call. */
async function recorded(name: string): Promise<readonly string[]> {
  const lines = readTraffic(readFileSync(join('test/fixtures/traffic', `${name}.ndjson`), 'utf8'));
  const { test: played } = await new TrafficPlayer(name).play(lines);
  return played.all('tool_call').flatMap((entry) =>
    entry.content.flatMap((item) => {
      const shown = outputText(entry, item);
      return shown ? [`${entry.toolKind}: ${shown.text.split('\n')[0] ?? ''}`] : [];
    }),
  );
}

test('shows recorded output as text, with and without a fence', async () => {
  const found = await Promise.all(['claude', 'opencode', 'copilot'].map(recorded));
  for (const outputs of found) assert.ok(outputs.length > 0);
  const all = found.flat();
  assert.ok(all.includes('read: 1\t# Notes'), all.join(' | '));
  assert.ok(all.includes('read: # Notes'));
  assert.ok(all.includes('execute: hello'));
  assert.deepEqual(
    all.filter((line) => line.includes('```')),
    [],
  );
});
