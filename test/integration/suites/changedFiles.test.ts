import assert from 'node:assert/strict';
import { access, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ChangedFiles, type ReviewPage } from '../../../src/host/review/page/changedFilesFeed';
import type { DiskChanges } from '../../../src/host/review/recording/diskChanges';
import { ReviewWalk } from '../../../src/host/review/editor/reviewWalk';
import { carryOutIntent, type ReviewIntent } from '../../../src/host/review/page/reviewMessages';
import { openChanges } from '../../../src/host/review/shown/showChanges';
import { UndoneFiles } from '../../../src/host/fileChanges/undoneFiles';
import type { AgentAuthor } from '../../../src/review/hunks/hunk';
import { ReviewLog } from '../../../src/review/log/reviewLog';
import { Emitter } from '../../../src/shared/values/event';
import type { SessionKey } from '../../../src/shared/values/ids';
import type { ToWebview } from '../../../src/shared/pages/messages';
import { suite, test, type TestContext } from '../api';
import { file, onDisk, outsideFolder, scratchFolder, tabs } from '../filesSupport';
import { until } from '../poll';

const session = 'one' as SessionKey;
const first: AgentAuthor = { kind: 'agent', agentName: 'Told', session, turn: 1 };
const second: AgentAuthor = { ...first, turn: 2 };
const text = (content: string) => ({ kind: 'text', text: content }) as const;

/** A chat page with a session. Stores the messages as one line per file. */
class Page implements ReviewPage {
  readonly heard: string[][] = [];
  readonly session: ReviewPage['session'];

  constructor(key: SessionKey, cwd: string) {
    this.session = { key, transcript: { view: { cwd } } };
  }

  post(message: ToWebview): void {
    if (message.type !== 'changes') return;
    assert.equal(message.session, this.session?.key);
    this.heard.push(message.files.map((one) => `${one.path} +${one.session.added} -${one.session.removed}`));
  }

  /** Resolves to the `count`th list that the page received. */
  async list(count: number): Promise<string[] | undefined> {
    await until(() => this.heard.length >= count);
    assert.equal(this.heard.length, count);
    return this.heard[count - 1];
  }
}

/** Creates a log that follows open editors, and a page's way to act on it. */
function newLog(context: TestContext) {
  const log = new ReviewLog();
  const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (log.file(document.uri.toString())) log.userEdit(document.uri.toString(), text(document.getText()));
  });
  context.after(() => listener.dispose());
  const disk = {
    during: (_: string, act: () => unknown) => act(),
    hold: () => ({ dispose: () => undefined }),
    look: () => Promise.resolve(),
    typedSoFar: () => Promise.resolve(),
    whileUndoing: (_: string, act: () => unknown) => act(),
    bases: { bytesOf: () => Promise.resolve(undefined), encode: (_: string, content: string) => Buffer.from(content) },
    removed: { ownCount: 0, takeAway: (path: string) => rm(path), putBy: () => Promise.resolve() },
    together: (act: () => Promise<unknown>) => act(),
    tidyAbove: () => Promise.resolve(),
    undone: new UndoneFiles(),
  } as unknown as DiskChanges;
  const asked: (readonly string[])[] = [];
  return {
    log,
    asked,
    write: (path: string, before: string | undefined, after: string, author = first) => {
      const uri = vscode.Uri.file(path).toString();
      log.track(uri, before === undefined ? { kind: 'absent' } : text(before));
      log.agentEdit(uri, text(after), author);
      return uri;
    },
    want: (intent: Omit<ReviewIntent, 'session' | 'type'> & { readonly uri?: string }, answer?: string) =>
      carryOutIntent(
        {
          log,
          disk,
          redo: { offering: (undo) => undo().then(() => 0), redo: () => Promise.resolve() },
          walk: new ReviewWalk(log, () => true),
          settled: () => Promise.resolve(true),
          act: async (_name, ...scope) => void (await vscode.commands.executeCommand('parley.review.open', ...scope)),
        },
        { ...intent, session, type: intent.uri === undefined ? 'reviewChanges' : 'reviewFile' } as ReviewIntent,
        (...words) => {
          asked.push(words);
          return Promise.resolve(answer);
        },
      ),
  };
}

suite("the chat's list of changed files", () => {
  test("follows the review log with the files of each page's session", async (context) => {
    const folder = await scratchFolder(context);
    const { log, write, want } = newLog(context);
    const page = new Page(session, folder);
    const other = new Page('two' as SessionKey, folder);
    const shown = new Emitter<Page>();
    const provider = new ChangedFiles(log, { all: [page, other], onDidShow: shown.event });
    context.after(() => provider.dispose());
    shown.fire(page);
    assert.deepEqual(await page.list(1), []);
    const inside = await file(folder, 'src/a.txt', 'X\n');
    const outside = await file(await outsideFolder(context), 'b.txt', '1\n2\n');
    const outsidePath = outside.replaceAll('\\', '/');
    const a = write(inside, '1\n', 'X\n');
    write(outside, undefined, '1\n2\n');
    const both = [`src/a.txt +1 -1`, `${outsidePath} +2 -0`];
    assert.deepEqual((await page.list(2))?.sort(), both.sort());
    // Changes that don't affect the list aren't sent: the user edits another part of a listed file.
    log.userEdit(a, text('X\nmine\n'));
    await want({ action: 'keep', uri: a, scope: 'session' });
    assert.deepEqual(await page.list(3), [`${outsidePath} +2 -0`]);
    shown.fire(page);
    assert.deepEqual(await page.list(4), [`${outsidePath} +2 -0`]);
    log.undoLastKeep();
    assert.equal((await page.list(5))?.length, 2);
    await want({ action: 'keep', scope: 'session' });
    assert.deepEqual(await page.list(6), []);
    assert.deepEqual(await other.list(1), []);
  });

  test('opens all files in one reused diff editor, one file directly', async (context) => {
    const folder = await scratchFolder(context);
    const { log, write, want } = newLog(context);
    const path = await file(folder, 'a.txt', '1\n2\nX\n');
    const a = write(path, '1\n2\n3\n', '1\n2\nX\n');
    const b = write(await file(folder, 'b.txt', 'new\n'), undefined, 'new\n', second);
    await want({ action: 'open', scope: 'session' });
    const viewType = () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputWebview ? input.viewType : '';
    };
    await until(() => viewType().endsWith('parley.reviewPage'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await openChanges(log, [a, b]);
    assert.deepEqual(tabs(), ['Agent Changes (2 files)']);
    // The editor replaces a preview itself, but not a kept tab.
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await openChanges(log, [b]);
    assert.deepEqual(tabs(), ['Agent Changes (1 file)']);
    await want({ action: 'show', uri: a, scope: 'session' });
    const editor = vscode.window.activeTextEditor;
    assert.deepEqual([editor?.document.uri.fsPath, editor?.selection.active.line], [path, 2]);
    await want({ action: 'compare', uri: b, scope: 'session' });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.deepEqual([input.original.scheme, input.modified.toString()], ['parley-base', b]);
  });

  test('undoes one turn or all turns, and removes created files', async (context) => {
    const folder = await scratchFolder(context);
    const { write, want, asked } = newLog(context);
    const path = await file(folder, 'a.txt', 'X\n2\nY\n');
    write(path, '1\n2\n3\n', 'X\n2\n3\n');
    write(path, undefined, 'X\n2\nY\n', second);
    const created = await file(folder, 'b.txt', 'new\n');
    write(created, undefined, 'new\n');
    await want({ action: 'undo', scope: 2 });
    assert.equal(await onDisk(path), 'X\n2\n3\n');
    await access(created);
    await want({ action: 'undo', scope: 'session' });
    assert.equal(await onDisk(path), '1\n2\n3\n');
    await assert.rejects(access(created), { code: 'ENOENT' });
    assert.deepEqual(asked, []);
  });

  test('asks before an undo in a guarded place and respects dismissal', async (context) => {
    const folder = await scratchFolder(context);
    const { write, want, asked } = newLog(context);
    const plain = await file(folder, 'a.txt', 'X\n');
    const tasks = await file(folder, '.vscode/tasks.json', '{ "version": "2.0.0" }\n');
    write(plain, '1\n', 'X\n');
    write(tasks, '{}\n', '{ "version": "2.0.0" }\n');
    await want({ action: 'undo', scope: 'session' });
    assert.deepEqual([await onDisk(plain), await onDisk(tasks)], ['X\n', '{ "version": "2.0.0" }\n']);
    await want({ action: 'undo', scope: 'session' }, 'Undo');
    assert.deepEqual([await onDisk(plain), await onDisk(tasks)], ['1\n', '{}\n']);
    const shown = vscode.workspace.asRelativePath(tasks);
    const question = `Change ${shown}? This file can run programs or change what agents are allowed to do.`;
    assert.deepEqual(asked, [
      [question, 'Undo'],
      [question, 'Undo'],
    ]);
  });

  test("asks before undoing the user's own lines and offers to keep them", async (context) => {
    const folder = await scratchFolder(context);
    const { log, write, want, asked } = newLog(context);
    const path = await file(folder, 'a.txt', 'X mine\n2\nY\n');
    const a = write(path, '1\n2\n3\n', 'X\n2\nY\n');
    log.userEdit(a, text('X mine\n2\nY\n'));
    await want({ action: 'undo', uri: a, scope: 'session' });
    assert.equal(await onDisk(path), 'X mine\n2\nY\n');
    await want({ action: 'undo', uri: a, scope: 'session' }, 'Undo Told’s Changes');
    assert.equal(await onDisk(path), 'X mine\n2\n3\n');
    await want({ action: 'undo', uri: a, scope: 'session' }, 'Undo');
    assert.equal(await onDisk(path), '1\n2\n3\n');
    const question = 'You edited a.txt after Told did. Undo only Told’s other change, or the whole file?';
    assert.deepEqual(asked, [
      [question, 'Undo Told’s Changes', 'Undo File'],
      [question, 'Undo Told’s Changes', 'Undo File'],
      ['You edited a.txt after Told did. Undoing these changes also removes your lines in them.', 'Undo'],
    ]);
  });
});
