// What becomes of a conflict that is merged in the editor, with real git and files, and a merge editor that the test plays.
import assert from 'node:assert/strict';
import { mock, test, type TestContext } from 'node:test';
import { Bringing } from '../../../test/unit-support/bringing';
import { needsGit } from '../../../test/unit-support/platform';
import { editor, type Uri, window } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { bringChangesHere } from './bringChangesHere';

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const mine = base.replace('four', 'mine');
const theirs = base.replace('one', 'ONE').replace('four', 'theirs');
/** What has no conflict is merged. */
const partly = mine.replace('one', 'ONE');

interface Sides {
  readonly base: Uri;
  readonly input1: { readonly uri: Uri; readonly title: string };
  readonly input2: { readonly uri: Uri; readonly title: string };
  readonly output: Uri;
}

/** A file with a conflict that the user merges in the editor. */
async function start(t: TestContext, unsaved?: string, inFront?: object) {
  const one = await Bringing.start(t, { 'a.txt': base });
  one.hasMergeEditor = true;
  one.session.transcript.view['cwd'] = one.there;
  const shown = window as unknown as { visibleTextEditors: object[] };
  const groups = window.tabGroups as { all: object[]; activeTabGroup: { activeTab: object | undefined } };
  t.after(() => {
    shown.visibleTextEditors = [];
    groups.all = [];
    groups.activeTabGroup = { activeTab: undefined };
  });
  const opened: Sides[] = [];
  editor.commands.set('_open.mergeEditor', (sides) => {
    const { input1, output } = sides as Sides;
    opened.push(sides as Sides);
    shown.visibleTextEditors = [{ document: { uri: input1.uri }, setDecorations: () => undefined }];
    const tab = { label: 'Merging', input: { result: output }, group: { viewColumn: 2 } };
    groups.all = [{ tabs: [tab] }];
    groups.activeTabGroup = { activeTab: inFront ?? tab };
  });
  one.repository.write('a.txt', mine);
  one.agent('a.txt', theirs);
  const open = () => one.window.documents.open(one.window.path('a.txt'));
  if (unsaved !== undefined) open().type(unsaved);
  editor.answers.push('Resolve in Editor');
  await bringChangesHere(one.bringer, one.session as unknown as Session);
  const document = open();
  const noticed = (title: string) =>
    new Promise<void>((resolve) => {
      const set = one.notices.set.bind(one.notices);
      one.notices.set = (id, notice) => {
        if (notice.title === title) resolve();
        return set(id, notice);
      };
    });
  /** Completes the merge, unless `text` is empty. The editor has reset the result before. */
  const complete = async (text: string | undefined, reload = () => Promise.resolve()) => {
    const title =
      text === undefined
        ? 'The conflict in a.txt isn’t resolved. Your version is unchanged.'
        : text === ''
          ? 'The conflict in a.txt isn’t resolved'
          : 'Merged a.txt with “fix”';
    const done = noticed(title);
    document.type(partly.replace('mine', 'four'));
    await reload();
    if (text === undefined) document.revert();
    else if (text !== '') {
      document.type(text);
      await document.save();
    }
    groups.all = [];
    editor.fire('tabs.change');
    await done;
  };
  /** The user goes to the merge editor, or to another tab. */
  const goTo = (tab: object | undefined = (groups.all as { tabs: object[] }[])[0]?.tabs[0]) => {
    groups.activeTabGroup = { activeTab: tab };
    editor.fire('tabs.change');
  };
  return { one, opened, document, complete, goTo };
}

const resets = () => editor.executed.filter(({ id }) => id === 'mergeEditor.resetResultToBaseAndAutoMerge').length;

/** The file's last kept version, and who wrote the changes that wait for review. */
function reviewOf({ window: { review } }: Bringing) {
  return review.log.pending.map((uri) => {
    const { snapshot } = review.log.file(uri) ?? {};
    const changes = snapshot?.text.hunks.map(({ start, end, authors }) => [
      snapshot.text.current.slice(start, end).join(''),
      authors.map((author) => (author.kind === 'agent' ? author.agentName : 'you')).join(', '),
    ]);
    return { base: snapshot?.text.base.join(''), changes };
  });
}

test('opens the three versions, and changes nothing by itself', needsGit, async (t) => {
  const { one, opened, document } = await start(t);
  const [sides] = opened;
  assert.ok(sides);
  assert.deepEqual([sides.input1.title, sides.input2.title], ['Fixer', 'Yours']);
  assert.equal(new Set([sides.base, sides.input1.uri, sides.input2.uri].map(String)).size, 3);
  assert.ok(!document.isDirty);
  assert.equal(one.repository.read('a.txt'), partly);
  assert.deepEqual(
    editor.executed.map(({ id }) => id).filter((id) => /erge|Group/.test(id)),
    ['_open.mergeEditor', 'workbench.action.focusSecondEditorGroup', 'mergeEditor.resetResultToBaseAndAutoMerge'],
  );
});

test('resets no other merge editor that is in front', needsGit, async (t) => {
  const other = { label: 'Merging', input: { result: { toString: () => 'file:///other.txt' } } };
  const { goTo } = await start(t, undefined, other);
  assert.equal(resets(), 0);
  goTo({ label: 'Other', input: undefined });
  assert.equal(resets(), 0);
  goTo();
  assert.equal(resets(), 1);
  // Once is enough.
  goTo(other);
  goTo();
  assert.equal(resets(), 1);
});

test('resets no result that the user has begun elsewhere', needsGit, async (t) => {
  const { document, goTo } = await start(t, undefined, { label: 'Other', input: undefined });
  document.type(partly.replace('mine', 'both'));
  goTo();
  assert.equal(resets(), 0);
});

test('what was merged waits for review, and one undo restores everything', needsGit, async (t) => {
  const { one, complete } = await start(t);
  await complete(partly.replace('mine', 'theirs'));
  const changes = [
    ['ONE\n', 'Fixer'],
    ['theirs\n', 'Fixer'],
  ];
  assert.deepEqual(reviewOf(one), [{ base: mine, changes }]);
  await one.undoBringing();
  assert.equal(one.repository.read('a.txt'), partly);
});

test('what the user wrote while merging stays the user’s', needsGit, async (t) => {
  const { one, complete } = await start(t);
  await complete(partly.replace('mine', 'mine\ntheirs').replace('seven', 'also mine'));
  const changes = [
    ['ONE\n', 'Fixer'],
    ['theirs\n', 'Fixer'],
  ];
  assert.deepEqual(reviewOf(one), [{ base: mine.replace('seven', 'also mine'), changes }]);
  await one.window.undoAll();
  assert.equal(one.repository.read('a.txt'), mine.replace('seven', 'also mine'));
});

test('the user’s version stays if the merge isn’t completed', needsGit, async (t) => {
  const { one, complete } = await start(t);
  await complete(undefined);
  assert.equal(one.repository.read('a.txt'), partly);
  assert.deepEqual(reviewOf(one), [{ base: mine, changes: [['ONE\n', 'Fixer']] }]);
});

test('goes on with a merge that is open when the window reloads', needsGit, async (t) => {
  const { one, complete } = await start(t);
  await complete(partly.replace('mine', 'theirs\nmine').replace('seven', 'also mine'), () => one.reload());
  const changes = [
    ['ONE\n', 'Fixer'],
    ['theirs\n', 'Fixer'],
  ];
  assert.deepEqual(reviewOf(one), [{ base: mine.replace('seven', 'also mine'), changes }]);
  await one.undoBringing();
  assert.equal(one.repository.read('a.txt'), partly);
  assert.deepEqual(reviewOf(one), [{ base: mine, changes: [['ONE\n', 'Fixer']] }]);
});

test('undoes an unfinished result that the editor saved after a reload', needsGit, async (t) => {
  const { one, document, complete } = await start(t);
  const saved = async () => {
    // It does so before Parley has started.
    one.stop();
    await document.save();
    await one.reload();
  };
  await complete('', saved);
  assert.equal(one.repository.read('a.txt'), partly.replace('mine', 'four'));
  await one.undoBringing();
  assert.equal(one.repository.read('a.txt'), partly);
  assert.deepEqual(reviewOf(one), [{ base: mine, changes: [['ONE\n', 'Fixer']] }]);
});

test('undoes a merge whose editor is gone after a crash', needsGit, async (t) => {
  const { one, document } = await start(t);
  (window.tabGroups as { all: object[] }).all = [];
  // The editor brings back the text that wasn't saved, and the user saves it.
  document.type(partly.replace('mine', 'four'));
  await one.reload();
  await document.save();
  const titles = [...one.notices.values()].map(({ title }) => title);
  assert.equal(titles.at(-1), 'The window closed while you merged a.txt with “fix”');
  await one.undoBringing();
  assert.equal(one.repository.read('a.txt'), partly);
  assert.deepEqual(reviewOf(one), [{ base: mine, changes: [['ONE\n', 'Fixer']] }]);
  // What was saved isn't lost either.
  await one.undoBringing();
  assert.equal(one.repository.read('a.txt'), partly.replace('mine', 'four'));
});

test('shows markers instead in a file with unsaved text', needsGit, async (t) => {
  const { one, opened, document } = await start(t, mine.replace('seven', 'unsaved'));
  assert.equal(opened.length, 0);
  assert.match(document.getText(), /<{7} workspace\nmine\n={7}\ntheirs\n>{7} parley\/fix\n[^]*unsaved/);
  assert.equal(one.repository.read('a.txt'), mine);
});

test('shows markers instead in a file that both added', needsGit, async (t) => {
  const { one, opened } = await start(t);
  one.repository.write('new.txt', 'mine\n');
  one.agent('new.txt', 'theirs\n');
  editor.answers.push('Resolve in Editor');
  await bringChangesHere(one.bringer, one.session as unknown as Session);
  assert.deepEqual(
    opened.map(({ output }) => output.fsPath),
    [one.window.path('a.txt')],
  );
  const document = one.window.documents.open(one.window.path('new.txt'));
  assert.ok(document.isDirty);
  assert.match(document.getText(), /<{7} workspace\nmine\n={7}\ntheirs\n>{7} parley\/fix/);
  assert.equal(one.repository.read('new.txt'), 'mine\n');
});

test('shows markers instead where no merge editor opens', needsGit, async (t) => {
  const { one, opened } = await start(t);
  await one.window.undoAll();
  assert.equal(opened.length, 1);
  editor.commands.set('_open.mergeEditor', () => {
    throw new Error('command not found');
  });
  editor.answers.push('Bring Again', 'Resolve in Editor');
  await bringChangesHere(one.bringer, one.session as unknown as Session);
  const document = one.window.documents.open(one.window.path('a.txt'));
  assert.ok(document.isDirty);
  assert.match(document.getText(), /<{7} workspace\nmine\n={7}\ntheirs\n>{7} parley\/fix/);
});

/** Plays a merge editor that takes its time, and begins to bring. Its clock is the test's. */
async function startSlowly(t: TestContext) {
  const { one } = await start(t);
  await one.window.undoAll();
  const shown = window as unknown as { visibleTextEditors: object[] };
  const groups = window.tabGroups as {
    all: object[];
    activeTabGroup: { activeTab: object | undefined };
    close?: (tab: object) => Promise<boolean>;
  };
  shown.visibleTextEditors = [];
  groups.all = [];
  const closed: object[] = [];
  groups.close = (tab) => {
    closed.push(tab);
    groups.all = [];
    return Promise.resolve(true);
  };
  t.after(() => {
    mock.timers.reset();
    delete groups.close;
  });
  const begun = new Promise<Sides>((resolve) => {
    editor.commands.set('_open.mergeEditor', (sides) => {
      // After the command has ended.
      setImmediate(() => resolve(sides as Sides));
    });
  });
  // Only the wait for the editor is the test's.
  const enable = () => mock.timers.enable({ apis: ['setTimeout'] });
  Object.defineProperty(one, 'hasMergeEditor', {
    get: () => {
      enable();
      return true;
    },
  });
  const wait = () => {
    mock.timers.tick(60_000);
    mock.timers.reset();
  };
  editor.answers.push('Bring Again', 'Resolve in Editor');
  const brought = bringChangesHere(one.bringer, one.session as unknown as Session);
  const addTab = ({ output }: Sides) => {
    const tab = { label: 'Merging', input: { result: output }, group: { viewColumn: 2 } };
    groups.all = [{ tabs: [tab] }];
    groups.activeTabGroup = { activeTab: tab };
    editor.fire('tabs.change');
  };
  const showSides = ({ input1 }: Sides) => {
    shown.visibleTextEditors = [{ document: { uri: input1.uri }, setDecorations: () => undefined }];
    editor.fire('window.onDidChangeVisibleTextEditors', shown.visibleTextEditors);
  };
  const removeTab = () => {
    groups.all = [];
    editor.fire('tabs.change');
  };
  const document = () => one.window.documents.open(one.window.path('a.txt'));
  return { sides: await begun, brought, addTab, showSides, removeTab, wait, closed, document };
}

test('writes no markers while the merge editor is still opening', needsGit, async (t) => {
  const slow = await startSlowly(t);
  slow.addTab(slow.sides);
  slow.wait();
  slow.showSides(slow.sides);
  await slow.brought;
  assert.ok(!slow.document().isDirty);
  assert.ok(editor.executed.some(({ id }) => id === 'mergeEditor.resetResultToBaseAndAutoMerge'));
});

test('shows markers if the merge editor is closed before it shows anything', needsGit, async (t) => {
  const slow = await startSlowly(t);
  slow.addTab(slow.sides);
  slow.wait();
  slow.removeTab();
  await slow.brought;
  assert.match(slow.document().getText(), /<{7} workspace/);
});

test('closes a merge editor that comes after the markers', needsGit, async (t) => {
  const slow = await startSlowly(t);
  slow.wait();
  await slow.brought;
  assert.match(slow.document().getText(), /<{7} workspace/);
  slow.addTab(slow.sides);
  assert.equal(slow.closed.length, 1);
});
