import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { attachmentOf } from '../../../src/host/context/attachments/attach';
import { Context } from '../../../src/host/context/context';
import { EditorFollower } from '../../../src/host/context/attachments/editorFollower';
import { uriOfWindow } from '../../../src/host/context/attachments/pageUri';
import { ShownFiles } from '../../../src/host/editor/shownFile';
import { promptContent } from '../../../src/acp/dialect/promptContent';
import { contentOf } from '../../../src/session/transcript/promptParts';
import type { Attachment } from '../../../src/shared/transcript/content';
import { Emitter } from '../../../src/shared/values/event';
import type { FollowedFile, ToWebview } from '../../../src/shared/pages/messages';
import { suite, test, type TestContext } from '../api';
import { file, outsideFolder, scratchFolder, setting, show, type } from '../filesSupport';
import { needsGit } from '../platform';
import { until } from '../poll';
import { git } from '../reviewSupport';

/** A page that can be hidden, and what it was told of the editor. */
class Pages {
  readonly told: (FollowedFile | undefined)[] = [];
  readonly follows = new Emitter<void>();
  readonly onDidChange = this.follows.event;
  private readonly loaded = new Emitter<Pages>();
  readonly onDidLoad = this.loaded.event;
  isVisible = true;
  followsEditor = true;

  get(): boolean {
    return this.followsEditor;
  }

  get visiblePages(): readonly Pages[] {
    return this.isVisible ? [this] : [];
  }

  post(message: ToWebview): void {
    if (message.type === 'followedFile') this.told.push(message.file);
  }

  reload(): void {
    this.loaded.fire(this);
  }

  /** Resolves when the page was last told of a file with this name and these lines; empty for none. */
  async shows(name: string): Promise<FollowedFile | undefined> {
    const shown = (one: FollowedFile | undefined) => (one ? one.name + (/#.*$/.exec(one.uri)?.[0] ?? '') : '');
    await until(() => this.told.length > 0 && shown(this.told.at(-1)) === name);
    return this.told.at(-1);
  }
}

function newPages(context: TestContext): Pages {
  const pages = new Pages();
  const shown = new ShownFiles();
  const follower = new EditorFollower(shown, pages, pages, (error) => assert.fail(String(error)));
  context.after(() => {
    follower.dispose();
    shown.dispose();
  });
  pages.reload();
  return pages;
}

const names = (all: readonly Attachment[]) => all.map(({ name }) => name);

suite('context from the editor', () => {
  test('follows the active file and its selection, once per change', async (context) => {
    const folder = await scratchFolder(context);
    const [path, other] = [await file(folder, 'a.ts', 'one\ntwo\nthree\n'), await file(folder, 'b.ts', 'b\n')];
    const pages = newPages(context);
    const editor = await show(path);
    assert.deepEqual(await pages.shows('a.ts'), { uri: vscode.Uri.file(path).toString(), name: 'a.ts' });
    editor.selection = new vscode.Selection(0, 1, 1, 2);
    await pages.shows('a.ts#L1-L2');
    const before = pages.told.length;
    for (let end = 0; end < 3; end++) editor.selection = new vscode.Selection(2, 0, 2, end);
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    await pages.shows('a.ts#L2-L3');
    assert.ok(pages.told.length <= before + 3, 'Changes in quick succession are told together.');
    await show(other);
    await pages.shows('b.ts');
    pages.reload();
    const count = pages.told.length;
    await until(() => pages.told.length > count);
    await pages.shows('b.ts');
  });

  test('keeps the file when another part of the window has focus', async (context) => {
    const folder = await scratchFolder(context);
    const pages = newPages(context);
    await show(await file(folder, 'a.ts', 'one\n'));
    await pages.shows('a.ts');
    await vscode.commands.executeCommand('workbench.action.output.toggleOutput');
    context.after(() => vscode.commands.executeCommand('workbench.action.closePanel'));
    await vscode.commands.executeCommand('workbench.panel.output.focus');
    await pages.shows('a.ts');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await pages.shows('');
  });

  test("ignores everything that isn't a file", async (context) => {
    const folder = await scratchFolder(context);
    const pages = newPages(context);
    await show(await file(folder, 'a.ts', 'one\n'));
    await pages.shows('a.ts');
    const draft = await vscode.workspace.openTextDocument({ content: 'a draft' });
    await vscode.window.showTextDocument(draft);
    await pages.shows('');
  });

  test('withholds ignored and secret files, and files elsewhere', async (context) => {
    const folder = await scratchFolder(context);
    await file(folder, '.gitignore', 'build/\n');
    const pages = newPages(context);
    for (const [place, name, withheld] of [
      [folder, 'build/a.js', 'ignored'],
      [folder, '.env', 'secret'],
      [await outsideFolder(context), 'b.ts', 'outside'],
      [folder, 'c.ts', undefined],
    ] as const) {
      await show(await file(place, name, 'x\n'));
      assert.equal((await pages.shows(name.replace('build/', '')))?.withheld, withheld, name);
    }
  });

  test('sends nothing to a hidden page or when turned off', async (context) => {
    const folder = await scratchFolder(context);
    const pages = newPages(context);
    await show(await file(folder, 'a.ts', 'one\n'));
    await pages.shows('a.ts');
    pages.isVisible = false;
    const count = pages.told.length;
    await show(await file(folder, 'b.ts', 'two\n'));
    const witness = newPages(context);
    await witness.shows('b.ts');
    assert.equal(pages.told.length, count);
    pages.isVisible = true;
    pages.follows.fire();
    await pages.shows('b.ts');
    pages.followsEditor = false;
    pages.follows.fire();
    await pages.shows('');
  });

  test('Add to Chat accepts folders, whole tabs, selections, and unsaved texts', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'sub/a.ts', 'one\ntwo\n');
    const files = new Context();
    context.after(() => files.dispose());
    const uri = vscode.Uri.file(path);
    const inExplorer = vscode.Uri.file(join(folder, 'sub'));
    assert.deepEqual(await files.fromMenu([inExplorer, [inExplorer, uri]]), [
      { type: 'resource_link', uri: `${inExplorer.toString()}/`, name: 'sub' },
      { type: 'resource_link', uri: uri.toString(), name: 'a.ts' },
    ]);
    const editor = await show(path);
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const link = { type: 'resource_link', name: 'a.ts' } as const;
    assert.deepEqual(await files.fromMenu([]), [{ ...link, uri: `${uri.toString()}#L2` }]);
    assert.deepEqual(await files.fromMenu([uri]), [{ ...link, uri: `${uri.toString()}#L2` }]);
    assert.deepEqual(await files.fromMenu([uri, { groupId: 0 }]), [{ ...link, uri: uri.toString() }]);
    const draft = await vscode.workspace.openTextDocument({ content: 'a draft' });
    const [unsaved] = await files.fromMenu([draft.uri]);
    assert.ok(unsaved?.type === 'resource');
    assert.equal(unsaved.text, 'a draft');
    await assert.rejects(attachmentOf(vscode.Uri.parse('nothing:/reads/this.ts')), /Couldn’t attach “this\.ts”/);
  });

  test('Add to Chat accepts git changes as diffs and new files whole', async (context) => {
    needsGit(context);
    const folder = await scratchFolder(context);
    git(folder, 'init', '-q', '-b', 'main');
    await file(folder, 'a.txt', 'one\ntwo\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'one');
    await file(folder, 'a.txt', 'one\n2\n');
    await file(folder, 'new.txt', 'new\n');
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(extension);
    const repository = await (await extension.activate()).getAPI(1).openRepository(vscode.Uri.file(folder));
    assert.ok(repository);
    const files = new Context();
    context.after(() => files.dispose());
    const resource = (name: string) => ({ resourceUri: vscode.Uri.file(join(folder, name)) });
    const [diff, whole] = await files.fromMenu([resource('a.txt'), resource('new.txt')]);
    assert.equal(diff?.name, 'a.txt.diff');
    assert.ok(diff.type === 'resource');
    assert.match(diff.text, /^-two\n\+2$/m);
    assert.deepEqual(whole, {
      type: 'resource_link',
      uri: resource('new.txt').resourceUri.toString(),
      name: 'new.txt',
    });
    const group = { id: 'workingTree', resourceStates: [resource('a.txt'), resource('new.txt')] };
    assert.deepEqual(names(await files.fromMenu([group])), ['Changes.diff', 'new.txt']);
    git(folder, 'add', 'a.txt');
    await file(folder, 'a.txt', 'one\n2\n3\n');
    const [staged] = await files.fromMenu([{ ...resource('a.txt'), resourceGroupType: 1 }]);
    assert.ok(staged?.type === 'resource');
    assert.doesNotMatch(staged.text, /^\+3$/m);
  });

  test('a drop in a remote window refers to the file here', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.ts', 'one\n');
    const parse = (text: string) => vscode.Uri.parse(text);
    const remote = vscode.env.remoteName ?? '';
    assert.notEqual(remote, '', 'These tests run in a remote window.');
    const dropped = vscode.Uri.from({ scheme: 'vscode-remote', authority: remote, path: vscode.Uri.file(path).path });
    const files = new Context();
    context.after(() => files.dispose());
    const told: ToWebview[] = [];
    const page = { post: (message: ToWebview) => void told.push(message) };
    await files.handle(page, { type: 'attachUris', uris: [dropped.toString()] });
    const attachments = [{ type: 'resource_link', uri: vscode.Uri.file(path).toString(), name: 'a.ts' }] as const;
    assert.deepEqual(told, [{ type: 'attach', attachments }, { type: 'focusComposer' }]);
    assert.equal(
      uriOfWindow(parse('vscode-remote://ssh-remote%2Bbox/w/a.ts'), 'ssh-remote').toString(),
      'file:///w/a.ts',
    );
    assert.equal(uriOfWindow(parse('vscode-remote://wsl%2Bbox/w/a.ts'), 'ssh-remote').scheme, 'vscode-remote');
    assert.equal(uriOfWindow(parse('file:///w/a.ts'), 'ssh-remote').scheme, 'vscode-local');
    assert.equal(uriOfWindow(parse('file:///w/a.ts'), undefined).scheme, 'file');
    told.length = 0;
    const results = ['1,2-3,4', 'L2', 'top'].map((fragment) => dropped.with({ fragment }).toString());
    await files.handle(page, { type: 'attachUris', uris: results });
    const [first] = told;
    const uris = first?.type === 'attach' ? first.attachments.map(({ uri }) => uri?.replace(/^.*\//, '')) : [];
    assert.deepEqual(uris, ['a.ts#L1-L3', 'a.ts#L2', 'a.ts#top']);
  });

  test('sends code copied in an editor as lines of its file', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'retry.ts', 'one\ntwo\nthree\nfour\n');
    const secret = await file(folder, '.env', 'A=1\nB=2\n');
    const files = new Context();
    context.after(() => files.dispose());
    const told: ToWebview[] = [];
    const page = { post: (message: ToWebview) => void told.push(message) };
    const find = async (text: string) => {
      await files.handle(page, { type: 'findPasted', id: told.length, text });
      const answer = told.at(-1);
      return answer?.type === 'foundPasted' ? answer.attachment : assert.fail('There is no answer.');
    };
    const copy = async (from: string, selection: vscode.Selection) => {
      const editor = await show(from);
      const selected = new Promise<void>((resolve) => {
        const listener = vscode.window.onDidChangeTextEditorSelection(({ selections }) => {
          if (!selections[0]?.isEqual(selection)) return;
          listener.dispose();
          resolve();
        });
      });
      editor.selection = selection;
      await selected;
      return editor.document.getText(selection);
    };
    const text = await copy(path, new vscode.Selection(1, 0, 3, 0));
    // Another selection since then doesn't matter.
    await copy(path, new vscode.Selection(0, 1, 0, 2));
    const found = await find(text.replaceAll('\n', '\r\n'));
    const uri = `${vscode.Uri.file(path).toString()}#L2-L3`;
    assert.deepEqual(found, { type: 'resource', uri, name: 'retry.ts', text: 'two\r\nthree\r\n' });
    const content = contentOf({ text: 'Why?', attachments: [found] });
    const sent = await promptContent(content, { image: false, audio: false, embeddedContext: true }, () =>
      Promise.resolve(undefined),
    );
    assert.deepEqual(sent.blocks.at(-1), { type: 'resource', resource: { uri, text: 'two\r\nthree\r\n' } });
    const plain = await promptContent(content, undefined, () => Promise.resolve(undefined));
    const [, block] = plain.blocks;
    assert.ok(block?.type === 'text' && block.text.includes(`${path}:2-3:\n`), JSON.stringify(block));
    assert.equal(await find('something\nelse\n'), undefined);
    assert.equal(await find(await copy(secret, new vscode.Selection(0, 0, 2, 0))), undefined);
    await type(await show(path), 1, 0, 'changed ');
    assert.equal(await find('two\nthree\n'), undefined);
  });

  test('attaches what is supported and reports the rest', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.ts', 'one\n');
    const remote = vscode.Uri.from({
      scheme: 'vscode-remote',
      authority: vscode.env.remoteName ?? '',
      path: vscode.Uri.file(path).path,
    });
    const files = new Context();
    context.after(() => files.dispose());
    const told: ToWebview[] = [];
    const page = { post: (message: ToWebview) => void told.push(message) };
    const uris = ['nothing:/b.ts', remote.toString()];
    await assert.rejects(files.handle(page, { type: 'attachUris', uris }), /Couldn’t attach “b\.ts”/);
    assert.deepEqual(
      told.map(({ type: kind }) => kind),
      ['attach', 'focusComposer'],
    );
  });

  test('a workspace can turn following off but not on', async (context) => {
    await setting(context, 'parley.context.activeEditor', false);
    const { Settings } = await import('../../../src/host/settings/settings');
    const memory = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] };
    const settings = new Settings(memory);
    context.after(() => settings.dispose());
    const workspace = vscode.ConfigurationTarget.Workspace;
    const update = (value: boolean | undefined) =>
      vscode.workspace.getConfiguration('parley').update('context.activeEditor', value, workspace);
    context.after(() => update(undefined));
    await update(true);
    assert.equal(settings.get('context.activeEditor'), false);
  });
});

suite('code actions on problems', () => {
  test('offers to fix and explain problems, but not hints', async (context) => {
    const folder = await scratchFolder(context);
    const editor = await show(await file(folder, 'a.txt', 'one\ntwo\n'));
    await type(editor, 0, 0, 'x');
    const found = vscode.languages.createDiagnosticCollection('parley-test');
    context.after(() => found.dispose());
    const at = (line: number) => new vscode.Range(line, 0, line, 3);
    found.set(editor.document.uri, [
      new vscode.Diagnostic(at(0), 'Wrong.'),
      new vscode.Diagnostic(at(1), 'Unused.', vscode.DiagnosticSeverity.Hint),
    ]);
    const titles = async (line: number) => {
      const uri = editor.document.uri;
      const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        at(line),
      );
      return all.map(({ title }) => title).filter((title) => title.endsWith('with Agent'));
    };
    assert.deepEqual(await titles(0), ['Fix with Agent', 'Explain with Agent']);
    assert.deepEqual(await titles(1), []);
  });
});

interface GitApi {
  openRepository(root: vscode.Uri): Promise<object | null>;
}
