import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, window } from '../../../test/unit-support/vscode';
import type { SessionView } from '../../shared/transcript/transcript';
import { FollowedEditor } from './followedEditor';

test('a file that isn’t there yet counts as not shown', async (t) => {
  const cwd = tempFolder(t);
  editor.reset();
  editor.folders = [cwd];
  Object.assign(window, { createTextEditorDecorationType: () => ({ dispose: () => undefined }) });
  t.after(() => Reflect.deleteProperty(window, 'createTextEditorDecorationType'));
  const followed = new FollowedEditor();
  t.after(() => followed.dispose());
  const view = { cwd, additionalDirectories: [] } as unknown as SessionView;
  const place = { path: join(cwd, 'a.txt') };
  const opened = () => editor.executed.filter(({ id }) => id === 'vscode.open').length;
  assert.deepEqual([await followed.show(place, view), opened()], [false, 0]);
  writeFileSync(place.path, 'a');
  assert.deepEqual([await followed.show(place, view), opened()], [true, 1]);
});
