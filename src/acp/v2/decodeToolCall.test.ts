import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeToolCall } from './decodeToolCall';
import { toolCallSubject } from './permission';

const call = (fields: object) => decodeToolCall({ toolCallId: 'c', ...fields });
const text = { type: 'content', content: { type: 'text', text: 'x' } };

void describe('a tool call of version 2', () => {
  void it('keeps absent and malformed fields, and clears those that are null', () => {
    assert.equal(decodeToolCall({ title: 'x' }), undefined);
    assert.deepEqual(call({})?.fields, {});
    assert.deepEqual(call({ content: 7, title: 7 })?.fields, {});
    const cleared = call({ title: null, kind: null, status: null, content: null, locations: null, capabilities: null });
    assert.deepEqual(cleared?.fields, {
      title: '',
      toolKind: 'other',
      status: 'pending',
      content: [],
      locations: [],
      canCancel: false,
    });
  });

  void it('reads an unknown status as running and an unknown kind as other', () => {
    assert.deepEqual(call({ status: 'resting', kind: 'dance' })?.fields, { status: 'in_progress', toolKind: 'other' });
  });

  void it('shows a plan of the raw input without other content', () => {
    const plan = (fields: object) =>
      call({ kind: 'switch_mode', rawInput: { plan: '1. Go' }, ...fields })?.fields.content;
    assert.deepEqual(plan({}), [{ type: 'content', content: { type: 'text', text: '1. Go' } }]);
    assert.deepEqual(plan({ content: [] }), [{ type: 'content', content: { type: 'text', text: '1. Go' } }]);
    assert.deepEqual(plan({ content: [text] }), [text]);
    assert.equal(plan({ kind: 'edit' }), undefined);
    assert.equal(plan({ rawInput: {} }), undefined);
  });
});

void describe('a request about a tool call of version 2', () => {
  const strange = (fields: object) => toolCallSubject({ toolCallId: 'c', ...fields }).strangeParts;
  const diff = { type: 'diff', changes: [{ operation: 'create', path: '/a' }] };

  void it('names the parts that are not understood', () => {
    assert.deepEqual(
      strange({ title: 'x', kind: null, content: [text, diff], locations: [{ path: '/a', line: 1 }] }),
      [],
    );
    assert.deepEqual(strange({ command: 'ls', extra: null }), [{ command: 'ls' }]);
    assert.deepEqual(strange({ content: [7, text] }), [7]);
    assert.deepEqual(strange({ content: 'odd' }), ['odd']);
    assert.deepEqual(strange({ locations: [{ path: '/a', command: 'x' }] }), [{ path: '/a', command: 'x' }]);
    for (const odd of [
      { ...diff, run: 'x' },
      { ...diff, changes: [{ operation: 'create', path: '/a', run: 'x' }] },
    ])
      assert.deepEqual(strange({ content: [odd] }), [odd]);
  });

  void it('knows the kind, an unknown kind, and the MCP tool', () => {
    const subject = (fields: object) => toolCallSubject({ toolCallId: 'c', ...fields });
    assert.equal(subject({}).kind, undefined);
    assert.equal(subject({ kind: 'edit' }).kind, 'edit');
    assert.equal(subject({ kind: 'dance' }).kind, 'unknown');
    assert.equal('mcp' in subject({}), false);
    assert.deepEqual(subject({ name: 'mcp__github__create_issue' }).mcp, { server: 'github', tool: 'create_issue' });
  });
});
