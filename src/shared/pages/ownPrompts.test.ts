import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejectedPrompt, reviewPrompt } from '../../host/agentReview/reviewPrompt';
import { conflictMessage } from '../../host/merging/conflictMessage';
import { editedPrompt } from '../../review/hunks/proposal';
import { isBareList, ownPromptIn } from './ownPrompts';

const edited = { path: 'a.ts', agents: 'one\n', mine: 'two\n' };

test('recognizes every message that Parley writes for an agent', () => {
  assert.deepEqual(
    [
      reviewPrompt('Claude', 'Do it', '+a'),
      reviewPrompt('Claude', '', '+a', true),
      rejectedPrompt,
      editedPrompt([edited]),
      editedPrompt([edited, { ...edited, path: 'b.ts' }]),
      conflictMessage([{ path: 'a.ts' }], 'parley/fix'),
    ].map(ownPromptIn),
    ['review', 'review', 'reviewAgain', 'edited', 'edited', 'conflict'],
  );
});

test('takes no message of the user for one', () => {
  for (const text of ['', 'Review the changes.', ' Review the changes that another agent (Claude) made', 'Hello'])
    assert.equal(ownPromptIn(text), undefined, text);
});

test('tells a bare list from an answer with words', () => {
  assert.ok(isBareList('```json\n[{ "path": "a.ts", "line": 1, "text": "Why?" }]\n```'));
  assert.ok(isBareList('[]'));
  for (const text of ['Fine.', 'Look:\n```json\n[]\n```', '```json\n{}\n```', '[1', ''])
    assert.ok(!isBareList(text), text);
});
