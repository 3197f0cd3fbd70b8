import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { BringServices } from '../../../src/host/merging/bringChanges';
import { MergeEditors } from '../../../src/host/merging/mergeEditors';
import type { BringConflict, BringRequest } from '../../../src/host/merging/broughtChanges';
import type { NoticeText } from '../../../src/session/session';
import { suite, test, type TestContext } from '../api';
import { file, scratchFolder } from '../filesSupport';
import { until } from '../poll';

const base = 'one\ntwo\nthree\nfour\n';
const mine = base.replace('two', 'two of mine').replace('four', 'four of mine');
const theirs = base.replace('two', 'two of theirs');
// What doesn't conflict is merged, and the conflict is open.
const open = base.replace('four', 'four of mine');
const severalLines = { base, mine, theirs, open };

const version = (text: string) => ({ kind: 'file', bytes: Buffer.from(text), isExecutable: false }) as const;

/** A file with a conflict, and what became of it. */
async function start(context: TestContext, { base, mine, theirs, open } = severalLines) {
  const path = await file(await scratchFolder(context), 'a.txt', mine);
  const uri = vscode.Uri.file(path);
  const texts = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider('parley-test-side', {
    provideTextDocumentContent: ({ query }) => texts.get(query) ?? '',
  });
  const recorded: string[] = [];
  const notices: NoticeText[] = [];
  const errors: unknown[] = [];
  const checkpoints: BringServices['checkpoints'] = {
    backUp: () => Promise.resolve({ finish: (notice) => Promise.resolve(void notices.push(notice)) }),
  };
  const editors = new MergeEditors({
    storeText: async (of, bytes) => {
      const query = String(texts.size);
      texts.set(query, Buffer.from(bytes).toString());
      return Promise.resolve(of.with({ scheme: 'parley-test-side', query }));
    },
    review: {
      merging: (_session, _uri, bytes) => async () => {
        recorded.push(Buffer.from(bytes).toString(), await readFile(path, 'utf8'));
      },
    },
    report: (error) => void errors.push(error),
  });
  context.after(async () => {
    editors.dispose();
    provider.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  const request = {
    session: { transcript: { view: { agentName: 'Fixer' } } },
    worktree: { record: { path: '/trees/fix', branch: 'parley/fix' } },
  } as unknown as BringRequest;
  const conflict: BringConflict = {
    uri: uri.toString(),
    path: 'a.txt',
    conflict: 'lines',
    base: version(base),
    theirs: version(theirs),
    present: Buffer.from(mine),
    marked: Buffer.from('both'),
  };
  assert.ok(await editors.show(request, conflict, checkpoints));
  const document = await vscode.workspace.openTextDocument(uri);
  await until(() => document.getText() === open);
  assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^Merging: a\.txt/);
  const onDisk = () => readFile(path, 'utf8');
  assert.equal(await onDisk(), mine);
  return { recorded, notices, errors, onDisk };
}

/** Accepts what the other side has. The editor refuses as long as it compares. */
async function acceptTheirs(): Promise<void> {
  await until(async () => {
    try {
      await vscode.commands.executeCommand('merge.acceptAllInput1');
      return true;
    } catch {
      return false;
    }
  });
}

suite('a conflict in the merge editor', () => {
  test('becomes a change to review once it is merged', async (context) => {
    const { recorded, notices, errors, onDisk } = await start(context);
    await acceptTheirs();
    await vscode.commands.executeCommand('mergeEditor.acceptMerge');
    const merged = mine.replace('two of mine', 'two of theirs');
    await until(() => notices.length > 0);
    assert.equal(await onDisk(), merged);
    assert.deepEqual(recorded, [theirs, merged]);
    assert.deepEqual(notices, [{ severity: 'info', title: 'Merged a.txt with “fix”' }]);
    assert.deepEqual(errors, []);
  });

  test('stays open if the file has nothing else', async (context) => {
    const one = { base: 'before', mine: 'by the first', theirs: 'by the second', open: 'before' };
    const { recorded, onDisk } = await start(context, one);
    await acceptTheirs();
    await vscode.commands.executeCommand('mergeEditor.acceptMerge');
    await until(() => recorded.length > 0);
    assert.equal(await onDisk(), 'by the second');
  });

  test('leaves the user’s file if nothing is merged', async (context) => {
    const { recorded, notices, onDisk } = await start(context);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => notices.length > 0);
    assert.equal(await onDisk(), mine);
    assert.deepEqual(recorded, []);
    assert.deepEqual(notices, [
      { severity: 'warning', title: 'The conflict in a.txt isn’t resolved. Your version is unchanged.' },
    ]);
  });
});
