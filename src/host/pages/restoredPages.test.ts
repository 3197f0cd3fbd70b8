import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakePage, keptState, ProductWindow } from '../../../test/unit-support/productWindow';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, EventEmitter, window } from '../../../test/unit-support/vscode';

/** A tab with a page, which counts how often it was shown again. */
class FakeTab {
  readonly webview = new FakePage();
  readonly visible = true;
  title = '';
  isOpen = true;
  reveals = 0;
  private readonly disposed = new EventEmitter();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = new EventEmitter().event;

  reveal(): void {
    this.reveals++;
  }

  dispose(): void {
    this.isOpen = false;
    this.disposed.fire(undefined);
  }
}

interface Serializer {
  deserializeWebviewPanel(tab: FakeTab, state: unknown): Promise<void>;
}

const { activationEvents } = JSON.parse(readFileSync('package.json', 'utf8')) as { activationEvents: string[] };
const types = activationEvents.flatMap((event) => /^onWebviewPanel:(.+)$/.exec(event)?.[1] ?? []);
/** The commands that open a page without a question, and the page's script. */
const opened = [
  ['parley.reviewPage', 'parley.review.open', 'review.js'],
  ['parley.page', 'parley.openPage', 'parley.js'],
] as const;

test('pages in editor tabs come back after the window reloads', async (t) => {
  editor.reset();
  const folder = tempFolder(t);
  editor.folders = [folder];
  const serializers = new Map<string, Serializer>();
  const tabs: FakeTab[] = [];
  const fakes = {
    registerWebviewPanelSerializer(type: string, serializer: Serializer) {
      serializers.set(type, serializer);
      return { dispose: () => serializers.delete(type) };
    },
    createWebviewPanel() {
      const tab = new FakeTab();
      tabs.push(tab);
      return tab;
    },
  };
  Object.assign(window, fakes);
  t.after(() => Object.keys(fakes).forEach((name) => Reflect.deleteProperty(window, name)));
  const kept = keptState(folder);
  const run = (command: string) => editor.commands.get(command)?.();

  const before = new ProductWindow(kept);
  for (const [, command] of opened) await run(command);
  assert.equal(tabs.length, opened.length);
  await before.stop();
  // VS Code forgets a tab that is closed while the window reloads.
  assert.ok(tabs.every(({ isOpen }) => isOpen));

  const after = new ProductWindow(kept);
  t.after(() => after.stop());
  assert.deepEqual([...serializers.keys()].sort(), types.toSorted());
  const restore = async (type: string, state: unknown) => {
    const tab = new FakeTab();
    await serializers.get(type)?.deserializeWebviewPanel(tab, state);
    return tab;
  };
  tabs.length = 0;
  for (const [type, command, script] of opened) {
    const tab = await restore(type, {});
    assert.match(tab.webview.html, new RegExp(script));
    await run(command);
    assert.equal(tab.reveals, 1);
    // There is one page of each, so a second tab has nothing to show.
    const second = await restore(type, {});
    assert.equal([tab, second].filter(({ isOpen }) => isOpen).length, 1);
  }
  assert.equal(tabs.length, 0);
  const tries = await restore('parley.triesPage', { group: 'gone' });
  assert.match(tries.webview.html, /&quot;group&quot;:&quot;gone&quot;/);
});
