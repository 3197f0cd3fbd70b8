import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { toolCall } from '../../../test/unit-support/toolCall';
import { commandOf, isQuiet, plainTitle, statusShown, summaryOf, toolLabel } from './toolLabel';

const cwd = '/home/me/harbor';

function call(fields: Partial<ToolCallEntry>): ToolCallEntry {
  return toolCall(fields.title ?? 'x', { title: '', toolKind: 'other', status: 'completed', ...fields });
}

const words = (fields: Partial<ToolCallEntry>) => {
  const { verb, object, folder } = toolLabel(call(fields), cwd);
  return [verb, object, folder].filter(Boolean).join(' | ');
};

test("puts the verb first, then the file's name, then its folder", () => {
  const locations = [{ path: `${cwd}/src/upload/client.ts`, line: 40 }];
  assert.equal(words({ toolKind: 'read', locations }), 'Read | client.ts | src/upload · line 40');
  assert.equal(words({ toolKind: 'edit', locations, status: 'in_progress' }), 'Editing | client.ts | src/upload');
  for (const before of [{}, { oldText: '' }]) {
    const content = [{ type: 'diff', path: `${cwd}/a.ts`, newText: 'x\n', ...before }] as const;
    assert.equal(words({ toolKind: 'edit', content }), 'Created | a.ts');
  }
  assert.equal(words({ toolKind: 'read', locations: [{ path: '/etc/hosts' }] }), 'Read | hosts | /etc');
});

test('shows a command as it will run', () => {
  assert.equal(
    words({ toolKind: 'execute', rawInput: { command: 'npm test' }, status: 'in_progress' }),
    'Running | npm test',
  );
  assert.equal(commandOf(call({ rawInput: { command: ['bash', '-lc', 'a && b'] } })), 'a && b');
  assert.equal(
    commandOf(call({ rawInput: { command: ['git', 'commit', '-m', "it's done"] } })),
    "git commit -m 'it'\\''s done'",
  );
  assert.equal(commandOf(call({ title: '`ls -la`' })), 'ls -la');
  assert.equal(commandOf(call({ title: 'List files' })), undefined);
});

test("falls back to the agent's title", () => {
  assert.equal(words({ title: 'Ask the `oracle`' }), 'Ask the oracle');
  assert.equal(
    words({ toolKind: 'search', title: 'grep', rawInput: { pattern: 'fetch\\(', path: `${cwd}/src` } }),
    'Searched | fetch\\( | src',
  );
});

test('summaries count each file once and omit failed or asked calls', () => {
  const a = call({ title: 'a', toolKind: 'read', locations: [{ path: '/a' }] });
  const b = call({ title: 'b', toolKind: 'read', locations: [{ path: '/a' }] });
  const c = call({ title: 'c', toolKind: 'search' });
  assert.equal(summaryOf([a, b, c]), 'Read 1 file, searched once');
  assert.equal(summaryOf([c, c, c]), 'Searched 3 times');
  assert.equal(isQuiet(a), true);
  assert.equal(isQuiet({ ...a, status: 'failed' }), false);
  assert.equal(isQuiet({ ...a, permission: { state: 'cancelled' } }), false);
});

test('shows an allowed call as running without an update', () => {
  const answered = (kind: 'allow_once' | 'reject_once' | 'unknown') => {
    const option = { optionId: 'o', name: 'Yes', kind };
    return call({ status: 'pending', permission: { state: 'answered', option, by: 'you' } });
  };
  assert.equal(statusShown(answered('allow_once')), 'in_progress');
  assert.equal(statusShown(answered('reject_once')), 'rejected');
  assert.equal(statusShown(answered('unknown')), 'pending');
  assert.equal(statusShown(call({ status: 'pending' })), 'pending');
  assert.equal(statusShown({ ...answered('reject_once'), status: 'failed' }), 'rejected');
  assert.equal(statusShown({ ...answered('reject_once'), status: 'completed' }), 'completed');
  const rejected = { ...answered('reject_once'), status: 'cancelled' } as const;
  assert.equal(words({ ...rejected, toolKind: 'execute', rawInput: { command: 'ls' } }), 'Run | ls');
  assert.equal(words({ ...answered('allow_once'), toolKind: 'execute', rawInput: { command: 'ls' } }), 'Running | ls');
});

test('a title spells out characters that change the order of others', () => {
  assert.equal(plainTitle('Read `a\u202etxt.exe`'), 'Read a\\u{202e}txt.exe');
});

test('a call whose request was cancelled by Stop never ran', () => {
  const fields = {
    toolKind: 'execute',
    rawInput: { command: 'npm test' },
    status: 'failed',
    permission: { state: 'cancelled' },
  } as unknown as Partial<ToolCallEntry>;
  assert.equal(statusShown(call(fields)), 'cancelled');
  assert.equal(words(fields), 'Run | npm test');
});
