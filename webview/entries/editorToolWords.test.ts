import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editorToolWords } from './editorToolWords';

void describe('the words for calls of the editor tools', () => {
  void it('recognize how each agent names them', () => {
    const rawInput = { path: 'a.ts', symbol: 'total' };
    for (const title of [
      'mcp__editor__findReferences',
      'mcp.editor.findReferences',
      'findReferences (editor MCP Server)',
      'editor_findReferences',
    ]) {
      const words = { verb: 'Looked up references of', object: 'total' };
      assert.deepEqual(editorToolWords({ title, rawInput }, true), words);
    }
    const titled = { title: 'References', name: 'mcp__editor__getDiagnostics', rawInput: {} };
    assert.deepEqual(editorToolWords(titled, false), { verb: 'Checking problems in', object: 'the editor' });
  });

  void it('leave other tools as they are', () => {
    for (const title of ['mcp__other__hover', 'mcp__editor__constructor', 'mcp__editor__unknown', 'hover', 'Edit']) {
      assert.equal(editorToolWords({ title }, true), undefined);
    }
  });
});
