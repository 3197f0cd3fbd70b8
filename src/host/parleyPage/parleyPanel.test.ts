import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { FakePage } from '../../../test/unit-support/productWindow';
import { Uri, window } from '../../../test/unit-support/vscode';
import type { FromParleyPage, FromTab, ToParleyPage } from '../../shared/pages/parleyPage';
import type { PageTab } from '../pages/pageTab';
import { ParleyPanel, type Parts } from './parleyPanel';

/** The page, whose parts note what is asked of them. */
function open(t: TestContext) {
  const page = new FakePage();
  const closed: (() => void)[] = [];
  Object.assign(window, {
    createWebviewPanel: () => ({
      webview: page,
      onDidDispose: (listener: () => void) => closed.push(listener),
      reveal: () => undefined,
    }),
  });
  t.after(() => Reflect.deleteProperty(window, 'createWebviewPanel'));
  const asked: string[] = [];
  const loads: (() => void)[] = [];
  const part = (name: string) => async () => {
    await new Promise<void>((resolve) => loads.push(resolve));
    const made: PageTab<FromTab> = {
      show: () => void asked.push(`${name} shows`),
      reveal: (id) => void asked.push(`${name} reveals ${id}`),
      receive: ({ type }) => void asked.push(`${name} gets ${type}`),
      dispose: () => void asked.push(`${name} ends`),
    };
    return made;
  };
  const names = ['agents', 'presets', 'skills', 'rules', 'usage', 'setup'] as const;
  const parts = Object.fromEntries(names.map((name) => [name, part(name)])) as unknown as Parts;
  const log = { error: (text: string) => assert.fail(text) } as never;
  const panel = new ParleyPanel({ extensionUri: Uri.file('/parley'), parts, log });
  const say = (message: FromParleyPage) => page.say(message as never);
  const settled = async () => {
    for (const load of loads.splice(0)) load();
    await new Promise((resolve) => setImmediate(resolve));
    return asked.splice(0);
  };
  const shownTabs = () =>
    (page.got as unknown as ToParleyPage[]).flatMap((message) => (message.type === 'tab' ? message.tab : []));
  return { panel, say, settled, shownTabs, close: () => closed.forEach((one) => one()) };
}

test('a part is loaded with its tab, and asked in order', async (t) => {
  const { panel, say, settled, shownTabs } = open(t);
  panel.reveal('rules', 'user:1');
  say({ type: 'ready' });
  say({ type: 'deleteRule', id: 'user:1' });
  // Nothing that the user sees can be about a tab that was never shown.
  say({ type: 'openBudget' });
  assert.deepEqual(await settled(), ['rules shows', 'rules reveals user:1', 'rules gets deleteRule']);
  assert.deepEqual(shownTabs(), ['rules']);
});

test('prompts and instructions are one part, and foreign messages nothing', async (t) => {
  const { say, settled, close } = open(t);
  say({ type: 'ready' });
  assert.deepEqual(await settled(), ['agents shows']);
  say({ type: 'showTab', tab: 'prompts' });
  say({ type: 'showTab', tab: 'instructions' });
  say({ type: 'showTab', tab: 'constructor' } as never);
  say({ type: 'toString' } as never);
  assert.deepEqual(await settled(), ['skills shows', 'skills shows']);
  close();
  assert.deepEqual(await settled(), ['agents ends', 'skills ends']);
});

test('the tab from before a reload is there again', async (t) => {
  const { say, settled, shownTabs } = open(t);
  say({ type: 'showTab', tab: 'usage' });
  say({ type: 'ready' });
  assert.deepEqual(await settled(), ['usage shows']);
  assert.deepEqual(shownTabs(), ['usage']);
});
