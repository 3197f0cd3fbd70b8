import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId, RequestKey, ToolCallId } from '../../../src/shared/values/ids';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { ownLines, requestQuestion } from './requestQuestion';

function toolCallOf(toolKind: ToolCallEntry['toolKind'], ...paths: string[]): ToolCallEntry {
  return {
    id: 'x' as EntryId,
    turn: 1,
    kind: 'tool_call',
    toolCallId: 'c' as ToolCallId,
    title: '',
    toolKind,
    status: 'pending',
    content: [],
    locations: paths.map((path) => ({ path })),
    startedAt: 0,
    permission: { state: 'asked', request: 'r' as RequestKey, options: [] },
  };
}

function questionAbout(toolKind: ToolCallEntry['toolKind'], ...paths: string[]): string {
  return requestQuestion(toolCallOf(toolKind, ...paths), { agentName: 'Claude', cwd: '/w' });
}

test('names the only file of a request', () => {
  assert.equal(questionAbout('read', '/w/src/retry.ts'), 'Let Claude read retry.ts?');
  assert.equal(questionAbout('edit', '/w/src/retry.ts'), 'Let Claude edit retry.ts?');
  assert.equal(questionAbout('move', '/w/src/retry.ts'), 'Let Claude move retry.ts?');
  assert.equal(questionAbout('delete', '/w/src/retry.ts'), 'Let Claude delete retry.ts?');
});

test('names no file where there are none or several', () => {
  assert.equal(questionAbout('read'), 'Let Claude read this?');
  assert.equal(questionAbout('edit'), 'Let Claude edit this file?');
  assert.equal(questionAbout('move', '/w/a.ts', '/w/b.ts'), 'Let Claude move this file?');
  assert.equal(questionAbout('delete'), 'Let Claude delete this?');
});

test('asks for the approval of a plan, and otherwise for the mode', () => {
  const call = toolCallOf('switch_mode');
  const asker = { agentName: 'Claude', cwd: '/w' };
  assert.equal(requestQuestion(call, asker), 'Let Claude switch modes?');
  const permission = { state: 'asked', request: 'r' as RequestKey, options: [], takesEdit: true } as const;
  assert.equal(requestQuestion({ ...call, permission }, asker), 'Approve Claude’s plan?');
});

test('mentions that a file is outside the workspace', () => {
  assert.equal(questionAbout('read', '/other/a.ts'), 'Let Claude read a.ts outside this workspace?');
  assert.equal(questionAbout('edit', '/other/a.ts'), 'Let Claude edit a.ts outside this workspace?');
});

test('says of a new file that it is created', () => {
  const created = (path: string, oldText?: string) =>
    requestQuestion(
      {
        ...toolCallOf('edit', path),
        content: [{ type: 'diff', path, newText: 'x\n', ...(oldText !== undefined && { oldText }) }],
      },
      { agentName: 'Claude', cwd: '/w' },
    );
  assert.equal(created('/w/src/new.ts'), 'Let Claude create new.ts?');
  assert.equal(created('/other/new.ts'), 'Let Claude create new.ts outside this workspace?');
  assert.equal(created('/w/src/old.ts', 'before\n'), 'Let Claude edit old.ts?');
});

test('shows invisible characters in a file name', () => {
  assert.doesNotMatch(questionAbout('edit', '/w/a\u202ets.exe'), /\u202e/);
});

test('shows a request’s title unless it equals the call’s line', () => {
  const lines = (title: string, more: Partial<ToolCallEntry>) =>
    ownLines(
      {
        id: 'x' as EntryId,
        turn: 1,
        kind: 'tool_call',
        toolCallId: 'c' as ToolCallId,
        title,
        toolKind: 'other',
        status: 'pending',
        content: [],
        locations: [],
        startedAt: 0,
        permission: { state: 'asked', request: 'r' as RequestKey, options: [], words: { title } },
        ...more,
      },
      '/w',
    );
  const command = { toolKind: 'execute', rawInput: { command: 'make all' } } as const;
  assert.deepEqual(lines('Build it?', command), ['Build it?']);
  assert.deepEqual(lines('make all', command), []);
  assert.deepEqual(lines('May I?', { toolKind: 'edit', locations: [{ path: '/w/a.ts' }] }), ['May I?']);
  assert.deepEqual(lines('Go online?', {}), []);
});

test('asks about the editor’s tools in a sentence, showing any command', () => {
  const ask = (fields: Partial<ToolCallEntry>) =>
    requestQuestion({ ...toolCallOf('other'), ...fields }, { agentName: 'Claude', cwd: '/w' });
  const rename = { title: 'mcp__editor__renameSymbol', rawInput: { symbol: 'retry', newName: 'again' } };
  assert.equal(ask(rename), 'Let Claude rename retry?');
  assert.equal(ask({ title: 'mcp__editor__getSelection', rawInput: {} }), 'Let Claude read the selection?');
  const codex = {
    title: 'mcp.editor.hover',
    toolKind: 'execute',
    rawInput: { server: 'editor', tool: 'hover' },
  } as const;
  assert.equal(ask(codex), 'Let Claude look up a type?');
  const spoof = { title: 'mcp__editor__hover', toolKind: 'execute', rawInput: { command: 'rm -rf /' } } as const;
  assert.equal(ask(spoof), 'Let Claude run this command?');
  assert.equal(ask({ title: 'mcp__other__tool' }), 'Let Claude use this tool?');
});
