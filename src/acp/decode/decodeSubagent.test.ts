import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSubagent } from './decodeSubagent';

const fieldsOf = (fields: object) =>
  decodeSubagent({ sessionUpdate: 'subagent_update', sessionId: 'c', ...fields })?.fields;

test('requires only the session id in a subagent update', () => {
  assert.deepEqual(decodeSubagent({ sessionUpdate: 'subagent_update', sessionId: 'c' }), {
    sessionUpdate: 'subagent_update',
    sessionId: 'c',
    fields: {},
  });
  for (const odd of [undefined, null, 7, [], {}, { sessionUpdate: 'subagent_update' }]) {
    assert.equal(decodeSubagent(odd), undefined);
  }
  assert.equal(decodeSubagent({ sessionUpdate: 'subagent_update', sessionId: '' }), undefined);
  assert.equal(decodeSubagent({ sessionUpdate: 'subagent_update', sessionId: 7 }), undefined);
  assert.equal(decodeSubagent({ sessionUpdate: 'plan', sessionId: 'c' }), undefined);
});

test('keeps missing and invalid fields unchanged; null clears', () => {
  assert.deepEqual(fieldsOf({ title: 7, description: {}, capabilities: 'all', state: 'idle', cwd: 'src' }), {});
  assert.deepEqual(fieldsOf({ title: null, description: null, capabilities: null, state: null, cwd: null }), {
    title: '',
    description: '',
    canCancel: false,
    state: { state: 'unknown' },
    cwd: '',
  });
  const full = { title: 'T', description: 'D', capabilities: { cancel: {} }, state: { state: 'running' }, cwd: '/a' };
  assert.deepEqual(fieldsOf(full), {
    title: 'T',
    description: 'D',
    canCancel: true,
    state: { state: 'running' },
    cwd: '/a',
  });
});

test('a subagent can be stopped only if its capabilities allow it', () => {
  assert.deepEqual(
    [{}, { cancel: null }, { cancel: {} }, { cancel: true }].map(
      (capabilities) => fieldsOf({ capabilities })?.canCancel,
    ),
    [false, false, true, true],
  );
});

test('maps unknown states to unknown, never idle, and keeps the original outcome', () => {
  const state = (value: unknown) => fieldsOf({ state: value })?.state;
  assert.deepEqual(state({ state: 'dreaming', stopReason: 'end_turn' }), { state: 'unknown' });
  assert.deepEqual(state({}), { state: 'unknown' });
  assert.deepEqual(state({ state: 'idle' }), { state: 'idle' });
  assert.deepEqual(state({ state: 'idle', stopReason: 'tired' }), { state: 'idle', stopReason: 'tired' });
  assert.deepEqual(state({ state: 'idle', stopReason: 'error', error: { code: 1, message: 'No.' } }), {
    state: 'idle',
    stopReason: 'error',
    error: 'No.',
  });
  assert.deepEqual(state({ state: 'idle', stopReason: 7, error: 'No.' }), { state: 'idle' });
});
