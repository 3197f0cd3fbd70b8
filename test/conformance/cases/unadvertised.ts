import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Params } from '../agent';
import { until } from '../case';
import { instructedAgentName } from '../connections';
import { row } from '../row';

/** What every agent has to understand, as far as Parley says it of its own accord. */
const baseline = ['initialize', 'session/new', 'session/prompt', 'session/cancel'];

row('N10', 'never uses unadvertised features, whatever the user has and does', async (t) => {
  const folder = await t.folder();
  for (const name of ['notes.md', 'dot.png', 'sound.wav']) await writeFile(join(folder, name), 'x');
  const folders = (wanted: number) => until(() => vscode.workspace.workspaceFolders?.length === wanted);
  vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(folder), name: 'second' });
  await folders(2);
  try {
    await t.set('parley.mcpServers', {
      web: { type: 'http', url: 'https://mcp.example/web' },
      events: { type: 'sse', url: 'https://mcp.example/events' },
    });
    const minimal = { initialize: () => ({ protocolVersion: 1 }) };
    const first = await t.open(minimal);
    for (const name of ['notes.md', 'dot.png', 'sound.wav']) {
      await vscode.commands.executeCommand('parley.addToChat', vscode.Uri.file(join(folder, name)));
      await t.page.sees({ role: 'button', name: `Remove ${name}` });
    }
    await t.page.send('Look at these');
    const { prompt } = (await first.call('session/prompt'))['params'] as { prompt: readonly Params[] };
    assert.deepEqual(
      prompt.map(({ type }) => type),
      ['text', 'resource_link', 'resource_link'],
    );
    await t.turn(first, async () => {
      await t.cancel();
      await first.call('session/cancel');
      return 'cancelled';
    });
    // All that a user can ask of a session.
    const renamed = vscode.commands.executeCommand('parley.renameSession');
    await t.editor.enters('Session name', 'Another name');
    await renamed;
    await vscode.commands.executeCommand('parley.forkSession');
    await vscode.commands.executeCommand('parley.logout');
    await vscode.commands.executeCommand('parley.openSession');
    await t.editor.filters('Another name');
    await t.editor.lists('Another name');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    const next = t.nextAgent(minimal);
    first.act({ exit: 1 });
    await t.page.click({ role: 'button', name: 'Restart and continue' });
    const second = await next;
    await second.call('session/new');
    await t.turn(second, ({ say }) => say('anew'));
    const noticed = t.editor.closesNextNotice();
    await t.delete();
    await noticed;
    const instructed = await t.start(minimal, { agent: instructedAgentName });
    await instructed.call('session/new');
    await instructed.catchUp();
    await t.close();
    for (const agent of [first, second, instructed]) {
      await agent.ended;
      const strange = agent.calls.filter((method) => !baseline.includes(String(method)));
      assert.deepEqual(strange, []);
      const { params } = agent.heard.find(({ method }) => method === 'session/new')!;
      assert.deepEqual(params, { cwd: t.workspace, mcpServers: [] });
    }
  } finally {
    vscode.workspace.updateWorkspaceFolders(1, 1);
    await folders(1);
  }
});
