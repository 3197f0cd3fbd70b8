import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import { EditorSurroundings } from './surroundings';

const surroundings = new EditorSurroundings();
after(() => surroundings.dispose());

test('suggests edits only for files in a workspace folder', () => {
  editor.folders = ['/ws'];
  assert.ok(surroundings.served('file:///ws/src/a.ts'));
  for (const uri of [
    'file:///ws/../../etc/x',
    'file:///ws/../etc/x',
    'file:///ws/src/../../etc/x',
    'file:///ws/%2e%2e/etc/x',
    'file:///ws/%2E%2E%2Fetc/x',
    'file:///ws/..%5Cetc/x',
    'file:///ws/./a.ts',
    'file:///etc/x',
    'file:///ws/.env',
    'untitled:/ws/a.ts',
    'not a uri',
  ]) {
    assert.equal(surroundings.served(uri), undefined, uri);
  }
});
