import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Params, ScriptedAgent } from '../agent';
import { until, type Case } from '../case';
import { agentName } from '../connections';
import { row } from '../row';

const initialize = (sessionCapabilities: object, loadSession = false) => ({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession, sessionCapabilities } }),
});

async function sent(agent: ScriptedAgent, method: string, count = 1): Promise<Params> {
  return (await agent.call(method, count))['params'] as Params;
}

async function foldersSent(agent: ScriptedAgent, method: string): Promise<unknown> {
  return (await sent(agent, method))['additionalDirectories'];
}

/** Ticks or unticks these folders for new sessions. */
async function tick(t: Case, ...names: readonly string[]): Promise<void> {
  const done = vscode.commands.executeCommand('parley.chooseFolders');
  for (const name of names) await t.editor.picks(name);
  await t.editor.accepts();
  await done;
}

/** The user takes a folder out and adds one from elsewhere: new sessions get that, and stay with it. */
async function chosen(t: Case, second: string): Promise<void> {
  const far = await realpath(await mkdtemp(join(tmpdir(), 'parley-far-')));
  try {
    const path = join(far, 'a.txt');
    await writeFile(path, 'far away\n');
    const can = initialize({ additionalDirectories: {}, resume: {} });
    const before = await t.open(can);
    const choosing = vscode.commands.executeCommand('parley.chooseFolders');
    await t.editor.picks(basename(second));
    const dialog = t.editor.choosesNextFolder(far);
    await t.editor.presses('Add Folder…');
    await dialog;
    await t.editor.lists(basename(far));
    // What is ticked is not given up when the focus goes elsewhere.
    await t.page.click({ role: 'textbox', name: 'Message' });
    await t.editor.lists(basename(far));
    await t.editor.accepts();
    await choosing;
    // One that is open goes on with what it has, and may not read there.
    await t.turn(before, async () => {
      const asked = before.ask('fs/read_text_file', { sessionId: 's1', path });
      await t.page.answer('Read', 'Reject');
      assert.ok((await before.answer(asked))['error']);
    });
    await t.close();
    const agent = await t.open(can);
    assert.deepEqual(await foldersSent(agent, 'session/new'), [far]);
    await t.turn(agent, async ({ say }) => {
      assert.equal((await agent.result('fs/read_text_file', { path }))['content'], 'far away\n');
      say('read');
    });
    await tick(t, basename(far));
    const next = t.nextAgent({ ...can, 'session/resume': () => ({}) });
    agent.act({ exit: 1 });
    await t.page.startsAgain();
    assert.deepEqual(await foldersSent(await next, 'session/resume'), [far]);
    await t.close();
    await tick(t, basename(far));
    // An agent that takes none is not told, and the user is.
    const plain = await t.open(initialize({}));
    assert.deepEqual(await sent(plain, 'session/new'), { cwd: t.workspace, mcpServers: [] });
    await t.page.sees({ role: 'article', name: 'Notice', hasText: '1 folder was skipped' });
    await t.close();
    await tick(t, basename(second), basename(far));
  } finally {
    await rm(far, { recursive: true, force: true });
  }
  const after = await t.open(initialize({ additionalDirectories: {} }));
  assert.deepEqual(await foldersSent(after, 'session/new'), [second]);
  await t.close();
}

/** A session of the agent's own goes on with the folders that the agent tells. */
async function listed(t: Case, second: string): Promise<void> {
  const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'parley-listed-')));
  try {
    const told = { sessionId: 'told-of-folders', cwd: t.workspace, title: 'Opened long ago' };
    const agent = await t.open({
      ...initialize({ additionalDirectories: {}, list: {} }, true),
      'session/list': () => ({ sessions: [{ ...told, additionalDirectories: [elsewhere, 7, second] }] }),
      'session/load': () => ({}),
    });
    await t.reopen();
    await t.editor.filters('Opened long ago');
    await t.editor.picks('Opened long ago');
    assert.deepEqual(await foldersSent(agent, 'session/load'), [elsewhere, second]);
    await agent.catchUp();
    // That the agent says so is no leave of the user's.
    await writeFile(join(elsewhere, 'a.txt'), 'far away\n');
    await t.turn(agent, async () => {
      const asked = agent.ask('fs/read_text_file', { sessionId: told.sessionId, path: join(elsewhere, 'a.txt') });
      await t.page.answer('Read', 'Reject');
      assert.ok((await agent.answer(asked))['error']);
    });
    await t.close();
    await t.close();
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
}

row(
  'S09',
  'sends all additional folders each time and one session folder',
  async (t) => {
    const second = await t.folder();
    const folders = (wanted: number) => until(() => vscode.workspace.workspaceFolders?.length === wanted);
    vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(second), name: 'second' });
    await folders(2);
    try {
      const both = { cwd: t.workspace, mcpServers: [], additionalDirectories: [second] };
      for (const [method, can] of [
        ['session/resume', initialize({ additionalDirectories: {}, resume: {} })],
        ['session/load', initialize({ additionalDirectories: {} }, true)],
      ] as const) {
        const agent = await t.open(can);
        assert.deepEqual(await sent(agent, 'session/new'), both);
        await t.turn(agent, ({ say }) => say('before the end'));
        const next = t.nextAgent({ ...can, [method]: () => ({}) });
        agent.act({ exit: 1 });
        await t.page.startsAgain();
        assert.deepEqual(await sent(await next, method), { ...both, sessionId: 's1' });
        await t.close();
      }
      const asked = t.startFromPalette(initialize({ additionalDirectories: {} }));
      await t.editor.picks(agentName);
      await t.editor.picks('second');
      const other = await asked;
      assert.deepEqual(await sent(other, 'session/new'), {
        ...both,
        cwd: second,
        additionalDirectories: [t.workspace],
      });
      await t.close();
      const plain = await t.open(initialize({}));
      assert.deepEqual(await sent(plain, 'session/new'), { cwd: t.workspace, mcpServers: [] });
      await t.close();
      await chosen(t, second);
      await listed(t, second);
    } finally {
      vscode.workspace.updateWorkspaceFolders(1, 1);
      await folders(1);
    }
  },
  120_000,
);
