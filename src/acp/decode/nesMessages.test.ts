import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from '@agentclientprotocol/sdk/experimental/nes';
import { decodeNesCapabilities, decodeNesSession, decodeSuggestions, nesClientCapabilities } from './nesMessages';
import { initializeParams } from '../v1/initialize';

const start = { line: 1, character: 2 };
const range = { start, end: { line: 1, character: 5 } };
const edit = { kind: 'edit', id: 'e', uri: 'file:///a', edits: [{ range, newText: 'x' }] };

test('reads which documents and context an agent needs, within limits', () => {
  assert.equal(decodeNesCapabilities({}), undefined);
  assert.equal(decodeNesCapabilities({ nes: null }), undefined);
  const nothing = {
    positionEncoding: 'utf-16',
    didOpen: false,
    didChange: undefined,
    didClose: false,
    didSave: false,
    didFocus: false,
    recentFiles: undefined,
    editHistory: undefined,
    userActions: undefined,
    openFiles: false,
    diagnostics: false,
  };
  assert.deepEqual(decodeNesCapabilities({ nes: {} }), nothing);
  assert.deepEqual(decodeNesCapabilities({ nes: { events: 7, context: { recentFiles: null } } }), nothing);
  const read = decodeNesCapabilities({
    positionEncoding: 'utf-8',
    nes: {
      events: { document: { didOpen: {}, didChange: { syncKind: 'incremental' }, didFocus: {} } },
      context: { recentFiles: { maxCount: 3 }, editHistory: {}, userActions: { maxCount: 1e9 }, diagnostics: {} },
    },
  });
  assert.deepEqual(read, {
    ...nothing,
    positionEncoding: 'utf-8',
    didOpen: true,
    didChange: 'incremental',
    didFocus: true,
    recentFiles: 3,
    editHistory: 10,
    userActions: 50,
    diagnostics: true,
  });
  assert.equal(decodeNesCapabilities({ nes: { events: { document: { didChange: {} } } } })?.didChange, 'full');
});

test('reads every kind of suggestion, with either name of its id', () => {
  const jump = { kind: 'jump', id: 'j', uri: 'file:///a', position: start };
  const rename = { kind: 'rename', id: 'r', uri: 'file:///a', position: start, newName: 'total' };
  const replace = { kind: 'searchAndReplace', id: 's', uri: 'file:///a', search: 'a+', replace: '', isRegex: true };
  const suggestions = [edit, { ...edit, cursorPosition: start }, jump, rename, replace];
  assert.deepEqual(decodeSuggestions({ suggestions }), [edit, { ...edit, cursor: start }, jump, rename, replace]);
  assert.deepEqual(decodeSuggestions({ suggestions: [{ ...jump, id: undefined, suggestionId: 'j' }] }), [jump]);
});

test('skips unreadable suggestions and never applies part of an edit', () => {
  const damaged: unknown[] = [
    null,
    7,
    { ...edit, id: 7 },
    { ...edit, uri: null },
    { ...edit, kind: 'delete' },
    { ...edit, edits: [] },
    { ...edit, edits: {} },
    { ...edit, edits: [...edit.edits, { range, newText: 7 }] },
    { ...edit, edits: [{ newText: 'x' }] },
    { ...edit, edits: [{ range: { start: range.end, end: range.start }, newText: 'x' }] },
    { ...edit, edits: [{ range: { start: { line: -1, character: 0 }, end: start }, newText: 'x' }] },
    { ...edit, edits: [{ range: { start: { line: 0.5, character: 0 }, end: start }, newText: 'x' }] },
    { kind: 'jump', id: 'j', uri: 'file:///a' },
    { kind: 'rename', id: 'r', uri: 'file:///a', position: start, newName: '' },
    { kind: 'searchAndReplace', id: 's', uri: 'file:///a', search: '', replace: 'x' },
  ];
  assert.deepEqual(decodeSuggestions({ suggestions: [...damaged, edit] }), [edit]);
  for (const answer of [undefined, null, {}, { suggestions: null }, []])
    assert.deepEqual(decodeSuggestions(answer), []);
  for (const answer of [null, {}, { sessionId: '' }]) assert.equal(decodeNesSession(answer), undefined);
  assert.equal(decodeNesSession({ sessionId: 's' }), 's');
});

test('advertises suggestions only while enabled, as the SDK defines', () => {
  const keys = (nes?: boolean) =>
    Object.keys(
      initializeParams('1', { fs: true, terminal: true, ...(nes === undefined ? {} : { nes }) }).clientCapabilities ??
        {},
    );
  for (const off of [undefined, false]) assert.ok(!keys(off).some((key) => key in nesClientCapabilities));
  for (const key of Object.keys(nesClientCapabilities)) assert.ok(keys(true).includes(key), key);
  validate.zClientNesCapabilities.parse(nesClientCapabilities.nes);
});
