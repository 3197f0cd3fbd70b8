import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { AgentNotes } from '../../../session/turn/agentNotes';
import { undoLast } from './takeBack';

beforeEach(() => editor.reset());

const lines = ['one', 'two', 'three', 'four', 'five', ''];

test('an agent is told what the user undid, unless it is back', async (context) => {
  const window = reviewFolder(context, { 'a.txt': lines.join('\n'), 'gone.txt': 'gone\n' }).open();
  const [session, other] = [window.session(), window.session('Other')];
  await window.begin(session);
  writeFileSync(window.path('a.txt'), ['ONE', 'two', 'three', 'four', ''].join('\n'));
  writeFileSync(window.path('new.txt'), 'new\n');
  rmSync(window.path('gone.txt'));
  await window.end(session);
  await window.undoAll();
  const told = () => [...session.told.values()].filter((note) => note !== undefined).sort();
  assert.deepEqual(told(), [
    'a.txt: line 1, `ONE`; what you removed at line 5',
    'gone.txt, which you removed, is back',
    'new.txt, which you created, is removed',
  ]);
  assert.deepEqual([...other.told.values()].filter(Boolean), []);
  await undoLast(window.review.log, window.review.disk);
  assert.deepEqual(told(), []);
});

test('the next message has each file that was undone, once', () => {
  const notes = new AgentNotes();
  notes.setUndone('a', 'a.txt: line 1');
  notes.setUndone('b', 'b.txt: line 2');
  notes.setUndone('a', 'a.txt: line 3');
  notes.setUndone('b', undefined);
  notes.add('Unix sockets are blocked.');
  const { attachments = [] } = notes.addTo({ text: 'go', attachments: [] });
  assert.deepEqual(
    attachments.map(({ name }) => name),
    ['What the sandbox blocked', 'What you undid'],
  );
  const [, undone] = attachments;
  assert.match(undone?.type === 'resource' ? undone.text : '', /Don't make them again [^]*\n- a\.txt: line 3\n$/);
  assert.deepEqual(notes.addTo({ text: 'next' }), { text: 'next' });
});
