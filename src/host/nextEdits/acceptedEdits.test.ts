import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from 'vscode';
import { editor } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/values/event';
import { acceptedCommand, AcceptedEdits } from './acceptedEdits';

test('an accepted suggestion is told, and what follows is asked for', async (t) => {
  editor.reset();
  const told: string[] = [];
  const away = new Emitter<void>();
  const accepted = new AcceptedEdits((key, id) => told.push(`${key} ${id}`), away.event);
  t.after(() => accepted.dispose());
  const asked = () => editor.executed.filter(({ id }) => id === 'editor.action.inlineSuggest.trigger').length;
  await commands.executeCommand(acceptedCommand, '1', 'suggestion');
  assert.deepEqual([told, asked()], [['1 suggestion'], 1]);
  away.fire();
  assert.deepEqual([told.length, asked()], [1, 2]);
});
