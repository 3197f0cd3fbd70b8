import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { toolCall } from '../../../test/unit-support/toolCall';
import { placeOf } from './agentPlace';

const cwd = '/w';
const at = (path: string, line?: number) => ({ path, ...(line !== undefined && { line }) });
const diff = (path: string, line?: number, oldText = 'a\nb\nc\n', newText = 'a\nB\nc\n') =>
  ({ type: 'diff', path, oldText, newText, ...(line !== undefined && { line }) }) as const;

test('a change is where its first different line is', () => {
  const edit = { toolKind: 'edit', locations: [at('/w/a.ts', 40)] } as const;
  assert.deepEqual(placeOf(toolCall('t', { ...edit, content: [diff('/w/a.ts', 38)] }), cwd), at('/w/a.ts', 39));
  // The line isn't known yet, or wasn't found.
  assert.deepEqual(placeOf(toolCall('t', { ...edit, content: [diff('/w/a.ts')] }), cwd), at('/w/a.ts', 40));
  assert.deepEqual(placeOf(toolCall('t', { toolKind: 'edit', content: [diff('/w/a.ts', 0)] }), cwd), at('/w/a.ts'));
  const created = { type: 'diff', path: '/w/new.ts', newText: 'a\n' } as const;
  assert.deepEqual(placeOf(toolCall('t', { toolKind: 'edit', content: [created] }), cwd), at('/w/new.ts', 1));
});

test('a call without changes is at its last location with a line', () => {
  const read = { toolKind: 'read', locations: [at('/w/a.ts', 3), at('/w/b.ts', 7), at('/w/c.ts')] } as const;
  assert.deepEqual(placeOf(toolCall('t', read), cwd), at('/w/b.ts', 7));
  const relative = { toolKind: 'read', locations: [at('src/a.ts')] } as const;
  assert.deepEqual(placeOf(toolCall('t', relative), cwd), at(join(cwd, 'src/a.ts')));
});

test('searches, deletions, and calls without files have no place', () => {
  const locations = [at('/w/a.ts', 3)];
  for (const toolKind of ['search', 'delete', 'think', 'fetch'] as const) {
    assert.equal(placeOf(toolCall('t', { toolKind, locations }), cwd), undefined);
  }
  assert.equal(placeOf(toolCall('t'), cwd), undefined);
  const asks = { question: 'Use it?', text: '' };
  assert.equal(placeOf(toolCall('t', { toolKind: 'read', locations, asks }), cwd), undefined);
});
