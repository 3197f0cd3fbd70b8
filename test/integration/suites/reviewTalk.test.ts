import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, scratchFolder } from '../filesSupport';
import { until } from '../poll';
import { changes, eight, newAgent } from '../reviewSupport';

const hover = async (path: string, line: number) => {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    vscode.Uri.file(path),
    new vscode.Position(line, 0),
  );
  return found.flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value));
};

suite('a change can be talked about', () => {
  test('hovering a changed line tells who wrote it, and leads to its place in the chat', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    const call = { toolCallId: 'c1', title: 'Shout *two*', kind: 'edit', locations: [{ path }] };
    await agent.turn(
      { tell: { sessionUpdate: 'tool_call', status: 'in_progress', ...call } },
      { write: path, text: eight.replace('two', 'TWO') },
      { tell: { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' } },
    );
    await changes(path, 1);
    const [text = ''] = await hover(path, 1);
    assert.match(text, /Told wrote this in turn 1/);
    assert.match(text, /Shout \\\*two\\\*/, 'an agent’s words are no markdown');
    assert.match(text, /command:parley\.review\.showOrigin\?/);
    assert.deepEqual(await hover(path, 4), []);
  });

  test('a comment goes to the agent that made the change, with its lines and its diff', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    await agent.turn({ fs: path, text: eight.replace('two', 'TWO') });
    const [change] = await changes(path, 1);
    assert.ok(change);
    await vscode.commands.executeCommand('parley.review.comment', ...change.args);
    const heard = `${path}.heard`;
    const comment = JSON.stringify([{ hear: heard }]);
    const thread = {
      uri: vscode.Uri.file(path),
      range: new vscode.Range(1, 0, 1, 0),
      dispose: () => undefined,
    };
    await vscode.commands.executeCommand('parley.review.sendComment', { thread, text: comment });
    const isThere = () => stat(heard).then(Boolean, () => false);
    await until(isThere);
    assert.match(
      await onDisk(heard),
      /This is about your change in .*a\.txt, line 2:\n\n```diff\n@@ -2,1 \+2,1 @@\n-two\n\+TWO\n```$/,
    );
  });
});
