import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { keptState, ProductWindow, type FakePage } from '../../../test/unit-support/productWindow';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, window as editorWindow } from '../../../test/unit-support/vscode';
import type { ToWebview } from '../../shared/pages/messages';
import { describePrompt } from './promptConsent';
import { proposedName } from './newPrompt';

type Got<Type extends ToWebview['type']> = Extract<ToWebview, { type: Type }>;

/** A window with a prompt of the workspace and one of the user's. */
class Opened {
  readonly root: string;
  readonly own: string;
  readonly prompts: string;
  private readonly kept;
  private readonly windows: ProductWindow[] = [];

  constructor(t: TestContext) {
    t.after(() => Promise.all(this.windows.map((one) => one.stop())));
    const folder = tempFolder(t);
    this.root = join(folder, 'harbor');
    this.prompts = join(this.root, '.parley', 'prompts');
    this.own = join(folder, 'kept', 'global', 'prompts');
    for (const path of [this.prompts, this.own]) mkdirSync(path, { recursive: true });
    writeFileSync(join(this.prompts, 'review.md'), '---\ntitle: Review\n---\nReview {{branch}}.\n');
    writeFileSync(join(this.own, 'mine.md'), 'My own words.\n');
    editor.reset();
    editor.folders = [this.root];
    this.kept = keptState(join(folder, 'kept'));
  }

  open(): FakePage {
    const window = new ProductWindow(this.kept);
    this.windows.push(window);
    return window.openChat();
  }
}

/** Resolves to the next message of a type that fits. */
async function next<Type extends ToWebview['type']>(
  page: FakePage,
  type: Type,
  fits: (message: Got<Type>) => boolean = () => true,
): Promise<Got<Type>> {
  for (;;) {
    const found = page.got.find((message): message is Got<Type> => message.type === type && fits(message as Got<Type>));
    if (found) {
      page.got.splice(page.got.indexOf(found), 1);
      return found;
    }
    await page.hearsMore();
  }
}

const names = ({ prompts }: Got<'prompts'>) => prompts.map(({ name, folder }) => [name, folder]);

/** Answers the next lists of the editor with the entries of these labels. */
function picks(t: TestContext, ...labels: readonly string[]): void {
  const left = [...labels];
  const show = (items: readonly { readonly label: string }[]) => {
    const label = left.shift();
    return Promise.resolve(items.find((item) => item.label === label));
  };
  t.mock.method(editorWindow as unknown as Record<'showQuickPick', typeof show>, 'showQuickPick', show);
}

test('a page gets the prompts, and again when files change', async (t) => {
  const opened = new Opened(t);
  const page = opened.open();
  const first = await next(page, 'prompts');
  assert.deepEqual(names(first), [
    ['mine', ''],
    ['review', 'harbor'],
  ]);
  assert.equal(first.prompts[1]?.title, 'Review');
  writeFileSync(join(opened.prompts, 'fix.md'), 'Fix it.');
  editor.fire('watcher.create');
  assert.deepEqual(names(await next(page, 'prompts')).at(1), ['fix', 'harbor']);
  rmSync(join(opened.root, '.parley'), { recursive: true });
  editor.fire('watcher.delete');
  assert.deepEqual(names(await next(page, 'prompts')), [['mine', '']]);
});

test("prompts of a workspace that isn't trusted don't exist", async (t) => {
  const opened = new Opened(t);
  editor.isTrusted = false;
  const page = opened.open();
  assert.deepEqual(names(await next(page, 'prompts')), [['mine', '']]);
  page.say({ type: 'takePrompt', id: join(opened.prompts, 'review.md') });
  assert.equal((await next(page, 'tookPrompt')).text, undefined);
  editor.isTrusted = true;
  editor.fire('workspace.onDidGrantWorkspaceTrust');
  assert.equal(names(await next(page, 'prompts')).length, 2);
});

test('a prompt of the workspace is shown before its first use', async (t) => {
  const opened = new Opened(t);
  const id = join(opened.prompts, 'review.md');
  const use = async (page: FakePage, ...answers: readonly string[]) => {
    await next(page, 'prompts');
    editor.shown.length = 0;
    editor.answers.push(...answers);
    page.say({ type: 'takePrompt', id });
    const { text } = await next(page, 'tookPrompt', (message) => message.id === id);
    return { text, asked: editor.shown.length };
  };
  // Dismissed, so asked again.
  assert.deepEqual(await use(opened.open()), { text: undefined, asked: 1 });
  assert.match(
    JSON.stringify(editor.shown[0]),
    /Use the prompt “review” from the folder “harbor”.*Review \{\{branch\}\}\./,
  );
  assert.deepEqual(await use(opened.open(), 'Use Prompt'), { text: 'Review {{branch}}.', asked: 1 });
  assert.deepEqual(await use(opened.open()), { text: 'Review {{branch}}.', asked: 0 });
  writeFileSync(id, 'Review {{branch}}, then push.\n');
  assert.deepEqual(await use(opened.open()), { text: undefined, asked: 1 });
});

test("the user's own prompts need no consent", async (t) => {
  const opened = new Opened(t);
  const page = opened.open();
  await next(page, 'prompts');
  page.say({ type: 'takePrompt', id: join(opened.own, 'mine.md') });
  assert.equal((await next(page, 'tookPrompt')).text, 'My own words.');
  assert.deepEqual(editor.shown, []);
});

test('only listed files can be read', async (t) => {
  const opened = new Opened(t);
  writeFileSync(join(opened.root, 'secret.md'), 'key');
  const page = opened.open();
  await next(page, 'prompts');
  page.say({ type: 'takePrompt', id: join(opened.root, 'secret.md') });
  assert.equal((await next(page, 'tookPrompt')).text, undefined);
});

test('saves a message as a prompt, which needs no consent', async (t) => {
  const opened = new Opened(t);
  const page = opened.open();
  await next(page, 'prompts');
  picks(t, 'Prompts of harbor');
  editor.answers.push('tidy');
  page.say({ type: 'savePrompt', text: 'Tidy up\r\nthe imports.\n' });
  const listed = await next(page, 'prompts');
  const found = listed.prompts.find(({ name }) => name === 'tidy');
  assert.equal(readFileSync(join(opened.prompts, 'tidy.md'), 'utf8'), 'Tidy up\nthe imports.\n');
  editor.shown.length = 0;
  page.say({ type: 'takePrompt', id: found?.id ?? '' });
  assert.equal((await next(page, 'tookPrompt')).text, 'Tidy up\nthe imports.');
  assert.deepEqual(editor.shown, []);
});

test('a new prompt never replaces a file', async (t) => {
  const opened = new Opened(t);
  await next(opened.open(), 'prompts');
  const path = join(opened.own, 'taken.md');
  // Created while the name is being typed.
  t.mock.method(editorWindow as unknown as Record<string, () => Promise<string>>, 'showInputBox', () => {
    writeFileSync(path, 'kept');
    return Promise.resolve('taken');
  });
  picks(t, 'Your prompts');
  const shown = new Promise<void>((resolve) => {
    editor.subscribe('shown', () => resolve());
  });
  await editor.commands.get('parley.newPrompt')?.();
  await shown;
  assert.equal(readFileSync(path, 'utf8'), 'kept');
  assert.match(editor.shown.at(-1)?.message ?? '', /already exists/);
});

test('the question shows everything, with hidden characters', () => {
  assert.deepEqual(describePrompt('a\u200bb', 'short'), [
    'Hidden characters are shown as in \\u{202e}.',
    '',
    'a\\u{200b}b',
  ]);
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n');
  assert.notDeepEqual(describePrompt(long, 'short'), describePrompt(long, 'whole'));
  assert.equal(describePrompt(long, 'whole').length, 40);
});

test('proposes a name from the first words', () => {
  assert.equal(proposedName('Please review {{branch}}, and look for bugs'), 'please-review-and-look');
  assert.equal(proposedName('Où est-ce ?'), 'où-est-ce');
  assert.equal(proposedName('***'), '');
  assert.equal(proposedName('con'), '');
});
