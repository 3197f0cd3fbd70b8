import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { FakePage, keptState, ProductWindow } from '../../../test/unit-support/productWindow';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, window } from '../../../test/unit-support/vscode';
import type { FromWebview } from '../../shared/pages/messages';
import type { FromParleyPage, ToParleyPage } from '../../shared/pages/parleyPage';
import type { SkillsShown } from '../../shared/pages/skillsPage';

/** The page in its tab, and what the editor showed. */
async function openPage(t: TestContext) {
  const folder = tempFolder(t);
  const root = join(folder, 'harbor');
  mkdirSync(join(root, '.parley', 'prompts'), { recursive: true });
  writeFileSync(join(root, 'AGENTS.md'), '# Rules\n');
  writeFileSync(join(root, '.parley', 'prompts', 'fix.md'), 'Fix it.\n');
  writeFileSync(join(root, '.parley', 'prompts', 'empty.md'), '');
  editor.reset();
  editor.folders = [root];
  const page = new FakePage();
  const opened: string[] = [];
  const mock = (name: string, act: (...args: never[]) => unknown) => {
    Object.assign(window, { [name]: act });
    t.after(() => Reflect.deleteProperty(window, name));
  };
  const listen = () => ({ dispose: () => undefined });
  mock('createWebviewPanel', () => ({ webview: page, onDidDispose: listen, reveal: () => undefined, dispose: listen }));
  mock('showTextDocument', (uri: { readonly fsPath: string }) => {
    opened.push(uri.fsPath);
    return Promise.resolve();
  });
  const product = new ProductWindow(keptState(join(folder, 'kept')));
  t.after(() => product.stop());
  const chat = product.openChat();
  await editor.commands.get('parley.showSkills')?.();
  const say = (message: FromParleyPage) => page.say(message as unknown as FromWebview);
  const shows = async (): Promise<SkillsShown> => {
    for (;;) {
      const message = page.got.shift() as unknown as ToParleyPage | undefined;
      if (message?.type === 'skills') return message.shown;
      if (!message) await page.hearsMore();
    }
  };
  say({ type: 'ready' });
  return { root, chat, opened, say, shows };
}

test('the page shows the folder, and follows its files', async (t) => {
  const { root, shows } = await openPage(t);
  const shown = await shows();
  assert.deepEqual(shown.folders, ['harbor']);
  assert.deepEqual(shown.agents.find(({ id }) => id === 'codex')?.files, [{ path: 'AGENTS.md' }]);
  assert.deepEqual(
    shown.prompts.map(({ name, folder }) => [name, folder]),
    [['fix', 'harbor']],
  );
  assert.deepEqual(shown.refused, [{ name: '.parley/prompts/empty.md', reason: 'without text' }]);
  writeFileSync(join(root, 'GEMINI.md'), '');
  editor.fire('watcher.create');
  assert.deepEqual((await shows()).agents.find(({ id }) => id === 'gemini')?.files, [{ path: 'GEMINI.md' }]);
});

test('the page opens only what it lists', async (t) => {
  const { root, opened, say, shows } = await openPage(t);
  const [prompt] = (await shows()).prompts;
  say({ type: 'openFile', path: '../secret.md' });
  say({ type: 'openPrompt', id: join(root, 'AGENTS.md') });
  say({ type: 'openFile', path: 'AGENTS.md' });
  say({ type: 'openPrompt', id: prompt?.id ?? '' });
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  assert.deepEqual(opened, [join(root, 'AGENTS.md'), prompt?.id]);
});

test('Use asks about a prompt of the workspace first', async (t) => {
  const { chat, say, shows } = await openPage(t);
  const [prompt] = (await shows()).prompts;
  editor.answers.push('Use Prompt');
  say({ type: 'usePrompt', id: prompt?.id ?? '' });
  while (!chat.got.some(({ type }) => type === 'tookPrompt')) await chat.hearsMore();
  assert.deepEqual(
    chat.got.find(({ type }) => type === 'tookPrompt'),
    { type: 'tookPrompt', text: 'Fix it.' },
  );
  assert.match(editor.shown[0]?.message ?? '', /Use the prompt “fix”/);
});
