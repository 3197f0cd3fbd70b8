import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subagentWords } from './subagent';

test('a subagent without a name uses the first line of its description', () => {
  const description = '\n  Read the notes.  \nThen say what is in them.';
  assert.deepEqual(subagentWords({ title: '', description }), { title: 'Read the notes.', about: '' });
  assert.deepEqual(subagentWords({ title: '' }), { title: '', about: '' });
});

test("the first line of the description follows the subagent's name", () => {
  const description = 'Read the notes.\nThen say what is in them.';
  assert.deepEqual(subagentWords({ title: 'Kant', description }), { title: 'Kant', about: 'Read the notes.' });
  assert.deepEqual(subagentWords({ title: 'Read the notes.', description }).about, '');
});
