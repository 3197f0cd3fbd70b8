import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editorToolWords } from './editorToolWords';

const place = { path: 'a.ts', line: 3, symbol: 'total' };
const text = (words: string) => [{ type: 'content', content: { type: 'text', text: words } }] as const;

void describe('the words for calls of the editor tools', () => {
  void it('cover the names that each agent uses', () => {
    const words = { verb: 'Looked up references of', object: 'total' };
    const calls = {
      claude: { title: 'mcp__editor__findReferences', rawInput: place },
      codex: {
        title: 'mcp.editor.findReferences',
        rawInput: { server: 'editor', tool: 'findReferences', arguments: place },
      },
      olderCodex: { title: 'Tool: editor/findReferences', rawInput: { invocation: { arguments: place } } },
      opencode: { title: 'editor_findReferences', rawInput: place },
      copilot: { title: 'editor-findReferences', rawInput: place },
      copilotAfterItsRequest: { title: 'findReferences', rawInput: place },
      qwen: { title: JSON.stringify(place), name: 'mcp__editor__findReferences' },
      qwenThroughAnotherTool: {
        title: 'tool_call',
        rawInput: { name: 'mcp__editor__findReferences', arguments: place },
      },
    };
    for (const [agent, call] of Object.entries(calls)) assert.deepEqual(editorToolWords(call, true), words, agent);
    // Gemini doesn't show what it sends.
    const gemini = { title: 'findReferences (editor MCP Server)' };
    assert.deepEqual(editorToolWords(gemini, true), { verb: 'Looked up references', object: '' });
    assert.deepEqual(editorToolWords(gemini, false), { verb: 'Looking up references', object: '' });
    const titled = { title: 'Problems', name: 'mcp__editor__getDiagnostics', rawInput: {} };
    assert.deepEqual(editorToolWords(titled, false), { verb: 'Checking problems', object: '' });
  });

  void it("count a call's results wherever the result contains the number", () => {
    const call = { title: 'mcp__editor__findReferences', rawInput: place };
    const verb = (more: object) => editorToolWords({ ...call, ...more }, true)?.verb;
    const lines = 'a.ts:3: total(1);\nb.ts:14: total(2);';
    assert.equal(verb({ content: text(lines) }), 'Looked up 2 references of');
    assert.equal(
      verb({ content: text(`${lines}\n… 12 more. Call again with offset 2.`) }),
      'Looked up 14 references of',
    );
    assert.equal(verb({ content: text('{"total":1,"places":[]}') }), 'Looked up 1 reference of');
    assert.equal(verb({ rawOutput: { structuredContent: { total: 14 } } }), 'Looked up 14 references of');
    assert.equal(verb({ rawOutput: { result: { structuredContent: { total: 14 } } } }), 'Looked up 14 references of');
    assert.equal(verb({ content: text('“total” isn’t in line 3.') }), 'Looked up references of');
    const problems = { title: 'mcp__editor__getDiagnostics', rawInput: { path: 'a.ts' } };
    assert.deepEqual(editorToolWords({ ...problems, content: text('No problems.') }, true), {
      verb: 'Found no problems in',
      object: 'a.ts',
    });
    const one = text("a.ts:3:7 error: Type 'string' is not assignable to type 'number'. [ts 2322]");
    assert.equal(editorToolWords({ ...problems, content: one }, true)?.verb, 'Found 1 problem in');
    assert.equal(editorToolWords({ ...problems, content: one }, false)?.verb, 'Checking problems in');
  });

  void it('exclude other tools', () => {
    for (const title of ['mcp__other__hover', 'mcp__editor__constructor', 'mcp__editor__unknown', 'hover', 'Edit']) {
      assert.equal(editorToolWords({ title }, true), undefined);
    }
    const other = { title: 'mcp.lab.echo', rawInput: { server: 'lab', tool: 'findReferences' } };
    assert.equal(editorToolWords(other, true), undefined);
  });
});
