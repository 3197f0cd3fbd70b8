import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentPool } from '../../../src/agent/pool/agentPool';
import type { WorkspaceBaseline } from '../../../src/baseline/workspaceBaseline';
import { WatchedTurns } from '../../../src/host/review/recording/watchedTurns';
import { Emitter } from '../../../src/shared/values/event';
import { suite, test } from '../api';
import { file, onDisk, scratchFolder } from '../filesSupport';
import { bytes, undoneTo, until } from '../reviewFiles';
import { base, changes, eight, newAgent, undo } from '../reviewSupport';

const shouted = eight.replace('two', 'TWO').replace('six', 'SIX');

/** Simulates what the user does in the Explorer. */
async function inExplorer(act: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  act(edit);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

suite("the user's moves and deletions in the editor", () => {
  test('move pending changes along with a renamed folder', async (context) => {
    const folder = await scratchFolder(context);
    const old = await file(folder, 'src/deep/a.txt', eight);
    const now = join(folder, 'lib', 'deep', 'a.txt');
    await (await newAgent(context)).turn({ write: old, text: shouted });
    await changes(old, 2);
    await inExplorer((edit) =>
      edit.renameFile(vscode.Uri.file(join(folder, 'src')), vscode.Uri.file(join(folder, 'lib'))),
    );
    const [first] = await changes(now, 2);
    assert.ok(first);
    assert.equal(await base(now), eight);
    assert.equal(await base(old), '', 'the old name has nothing to review');
    await undo(first);
    assert.equal((await vscode.workspace.openTextDocument(now)).getText(), eight.replace('six', 'SIX'));
    await undoneTo({ [now]: eight, [old]: null });
  });

  test("stay the user's during a turn, and the agent's stay the agent's", async (context) => {
    const folder = await scratchFolder(context);
    const path = (name: string) => join(folder, name);
    for (const name of ['deleted', 'moved', 'removed', 'written']) await file(folder, name, eight);
    const agent = await newAgent(context);
    await agent.turn(
      { write: path('begun'), text: '' },
      { awaits: path('go') },
      { remove: path('removed') },
      { edit: path('written2'), from: 'two', to: 'TWO' },
      { write: path('done'), text: '' },
    );
    await until(
      () => existsSync(path('begun')),
      () => 'the turn did not begin',
    );
    const uri = (name: string) => vscode.Uri.file(path(name));
    await inExplorer((edit) => {
      edit.deleteFile(uri('deleted'));
      edit.renameFile(uri('moved'), uri('moved2'));
      edit.renameFile(uri('written'), uri('written2'));
    });
    await file(folder, 'go', '');
    await changes(path('written2'), 1);
    await until(
      () => existsSync(path('done')),
      () => 'the turn did not end',
    );
    await undoneTo({ [path('removed')]: eight, [path('written2')]: eight, [path('done')]: null });
    assert.deepEqual(
      [await bytes(path('deleted')), await bytes(path('moved')), await bytes(path('written'))],
      [null, null, null],
      'what the user took away does not come back',
    );
    assert.equal(await onDisk(path('moved2')), eight);
  });

  test('leave writes at the moment of a move to the agent', async (context) => {
    const folder = await scratchFolder(context);
    const path = (name: string) => join(folder, name);
    for (const name of ['a', 'old/b', 'old/c']) await file(folder, name, eight);
    const agent = await newAgent(context);
    await agent.turn({ write: path('begun'), text: '' }, { awaits: path('go') });
    await until(
      () => existsSync(path('begun')),
      () => 'the turn did not begin',
    );
    const uri = (name: string) => vscode.Uri.file(path(name));
    const moved: string[] = [];
    // File system clocks tick every few milliseconds, so by them this happens at the same time or before.
    const listener = vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { newUri } of files) moved.push(newUri.fsPath);
      for (const name of ['a2', 'new/b']) {
        if (moved.includes(path(name.replace('/b', '')))) writeFileSync(path(name), shouted);
      }
    });
    context.after(() => listener.dispose());
    await inExplorer((edit) => {
      edit.renameFile(uri('a'), uri('a2'));
      edit.renameFile(uri('old'), uri('new'));
    });
    await changes(path('a2'), 2);
    await changes(path('new/b'), 2);
    assert.equal(await base(path('a2')), eight);
    await changes(path('new/c'), 0);
    await file(folder, 'go', '');
    await undoneTo({ [path('a2')]: eight, [path('new/b')]: eight, [path('new/c')]: eight });
  });

  test("include deletions after a turn once the turn's own changes are known", async (context) => {
    let activity: object = { state: 'running', since: 1000 };
    const session = {
      key: 's',
      isClosed: false,
      onDidApply: new Emitter<never>().event,
      transcript: {
        order: [],
        entries: new Map(),
        view: {
          cwd: '/w',
          agentName: 'Told',
          get activity() {
            return activity;
          },
        },
      },
    };
    const news = new Emitter<void>();
    const pool = { sessions: [session], onDidChangeSessions: news.event } as unknown as AgentPool;
    let looked = () => {};
    const turns = new WatchedTurns(
      pool,
      () => Promise.resolve({ dispose: () => {} } as unknown as WorkspaceBaseline),
      () => new Promise<void>((resolve) => (looked = resolve)),
    );
    context.after(() => turns.dispose());
    const who = (at: number, isGone: boolean) => {
      const [turn] = turns.candidates('/w/a', { at, isGone });
      return turn?.session.transcript.view.agentName;
    };
    const late = Date.now() + 60_000;
    assert.deepEqual([who(late, true), who(late, false), who(900, false)], ['Told', 'Told', undefined]);
    activity = { state: 'idle' };
    news.fire();
    assert.deepEqual([who(late, true), who(late, false)], ['Told', undefined], 'it may have gone before the end');
    const [turn] = turns.current;
    looked();
    await turn?.looked;
    assert.deepEqual([who(late, true), who(2000, true)], [undefined, 'Told']);
  });
});
