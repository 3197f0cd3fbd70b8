import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PermissionOption } from '../../../src/shared/transcript/transcript';
import { answerOf, chordOf } from './answerKey';

const option = (kind: PermissionOption['kind']): PermissionOption => ({ optionId: kind, name: kind, kind });
const key = (name: string, held: Partial<KeyboardEvent> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test('chooses an option that counts once before one that counts always', () => {
  const options = (['allow_always', 'allow_once', 'reject_always', 'reject_once'] as const).map(option);
  assert.equal(answerOf(options, 'allow')?.kind, 'allow_once');
  assert.equal(answerOf(options, 'reject')?.kind, 'reject_once');
  assert.equal(answerOf([option('reject_always')], 'reject')?.kind, 'reject_always');
  assert.equal(answerOf([option('unknown'), option('reject_once')], 'allow'), undefined);
});

test('reads the keys of each system, without other modifiers', () => {
  assert.equal(chordOf(key('Enter', { ctrlKey: true }), false), 'allow');
  assert.equal(chordOf(key('Backspace', { ctrlKey: true }), false), 'reject');
  assert.equal(chordOf(key('Enter', { metaKey: true }), true), 'allow');
  assert.equal(chordOf(key('Backspace', { metaKey: true }), true), 'reject');
  assert.equal(chordOf(key('Enter', { ctrlKey: true }), true), undefined);
  assert.equal(chordOf(key('Enter', { metaKey: true }), false), undefined);
  assert.equal(chordOf(key('Enter', { ctrlKey: true, shiftKey: true }), false), undefined);
  assert.equal(chordOf(key('Enter'), false), undefined);
});
