import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { WebviewPanel } from 'vscode';
import { workInWorktree } from '../../../test/unit-support/fixWorktree';
import { needsGit } from '../../../test/unit-support/platform';
import { FakePage } from '../../../test/unit-support/productWindow';
import { noTroubles } from '../../../test/unit-support/storage';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { Uri } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { FromTriesPage, ToTriesPage } from '../../shared/changes/triesPage';
import type { Try } from '../../tries/tryGroup';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { TriesPanel, type TriesPanelServices } from './triesPanel';
import { TryStore } from './tryStore';

const session = 's' as SessionKey;

/** The comparison page of a task with one try, which has a commit and an uncommitted file. */
async function start(t: TestContext) {
  const { repository, path } = await workInWorktree(t);
  const worktree = worktreeOf(path);
  assert.ok(worktree);
  const { record, common } = worktree;
  const { branch, base } = record;
  const use = { ms: 0, costs: [] };
  const one: Try = { session, agentName: 'Ada', worktree: record.id, path, branch, base, use, taken: [] };
  const store = new TryStore(tempFolder(t), noTroubles);
  store.put({ id: 'g', createdAt: 1, message: 'm', from: repository.folder, common, commit: base, tries: [one] });
  const page = new FakePage();
  const listen = () => ({ dispose: () => undefined });
  const panel = {
    webview: page,
    visible: false,
    onDidDispose: listen,
    onDidChangeViewState: listen,
    dispose: () => undefined,
  } as unknown as WebviewPanel;
  const ended: SessionKey[] = [];
  const services = {
    extensionUri: Uri.file('/extension'),
    store,
    knownAgents: () => [],
    onDidChangeTries: new Emitter<void>().event,
    stateOf: () => 'ended',
    isChecking: () => false,
    taker: () => Promise.resolve({ stillTaken: () => Promise.resolve([]) }),
    end: (key: SessionKey) => void ended.push(key),
    report: (error: unknown) => assert.fail(String(error)),
  } as unknown as TriesPanelServices;
  const shown = new TriesPanel(panel, services, 'g');
  t.after(() => {
    shown.dispose();
    store.dispose();
  });
  const got = () => page.got as unknown as readonly ToTriesPage[];
  /** Says something on the page, and resolves to what happened, in words. */
  const say = async (message: FromTriesPage): Promise<string> => {
    page.got.length = 0;
    page.say(message as never);
    for (;;) {
      const done = got().find((one) => one.type === 'done');
      if (done) return done.words;
      await page.hearsMore();
    }
  };
  /** Lists what would be lost, and resolves to the list's stamp. */
  const list = async (): Promise<number> => {
    await say({ type: 'cleanUp' });
    return got().find((one) => one.type === 'cleanUpList')?.stamp ?? assert.fail('There is no list.');
  };
  const remove = (stamp: number) => say({ type: 'removeTries', stamp, tries: [session], way: 'delete' });
  return { repository, path, ended, list, remove };
}

test('removes nothing that was selected in an earlier list', needsGit, async (t) => {
  const { repository, path, ended, list, remove } = await start(t);
  const first = await list();
  repository.write('later.txt', 'later\n', path);
  const second = await list();
  assert.equal(await remove(first), 'The list has just changed. Look at it again.');
  assert.ok(repository.has('later.txt', path));
  assert.deepEqual(ended, []);
  assert.equal(await remove(second), 'The list has just changed. Look at it again.');
  assert.equal(await remove(await list()), '');
  assert.ok(!repository.has('', path));
  assert.deepEqual(ended, [session]);
});
