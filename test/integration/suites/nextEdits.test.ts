import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { NesTextEdit } from '../../../src/acp/decode/nesMessages';
import { AwayEdits, type Offer } from '../../../src/host/nextEdits/awayEdits';
import { placeWords } from '../../../src/host/nextEdits/awayWords';
import { EditorSurroundings } from '../../../src/host/nextEdits/surroundings';
import { Settings } from '../../../src/host/settings/settings';
import type { AwaySuggestion } from '../../../src/nes/placement';
import { suite, test, type TestContext } from '../api';
import { until } from '../poll';

const root = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

/** Writes a file of the workspace, for one test. */
async function fileWith(context: TestContext, name: string, text: string): Promise<vscode.Uri> {
  await mkdir(root(), { recursive: true });
  const path = join(root(), name);
  await writeFile(path, text);
  context.after(() => vscode.workspace.fs.delete(vscode.Uri.file(path)));
  context.after(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  return vscode.Uri.file(path);
}

/** The suggestions shown in a test, and what their agent was told. */
class Shown {
  readonly away = new AwayEdits();
  readonly told: string[] = [];

  constructor(context: TestContext) {
    context.after(() => this.away.dispose());
  }

  offer(...suggestions: readonly AwaySuggestion[]): void {
    const answered = (id: string, what: string) => {
      this.told.push(`${id} ${what}`);
      this.away.settled(this, id);
    };
    const offers: Offer[] = suggestions.map((suggestion) => ({
      suggestion,
      agentName: 'Foresight',
      accept: () => answered(suggestion.id, 'accepted'),
      reject: (reason) => answered(suggestion.id, reason),
    }));
    this.away.offer(this, offers);
  }
}

function replace(line: number, from: number, to: number, newText: string): NesTextEdit {
  return { range: { start: { line, character: from }, end: { line, character: to } }, newText };
}

function edit(id: string, uri: vscode.Uri, ...edits: readonly NesTextEdit[]): AwaySuggestion {
  return { kind: 'edit', id, uri: uri.toString(), edits };
}

function cursor(): readonly (number | string | undefined)[] {
  const editor = vscode.window.activeTextEditor;
  return [editor?.document.uri.fsPath, editor?.selection.active.line, editor?.selection.active.character];
}

/** Notes warnings instead of showing them. */
function warnings(context: TestContext): readonly string[] {
  const window = vscode.window as { showWarningMessage: unknown };
  const shows = window.showWarningMessage;
  context.after(() => (window.showWarningMessage = shows));
  const said: string[] = [];
  window.showWarningMessage = (words: string) => Promise.resolve(void said.push(words));
  return said;
}

suite('next edits away from the cursor', () => {
  test('applies all edits in one undo step and moves the cursor', async (context) => {
    const uri = await fileWith(context, 'away.txt', 'one\ntwo\nthree\n');
    const { document } = await vscode.window.showTextDocument(uri);
    const shown = new Shown(context);
    shown.offer(
      edit('all', uri, replace(0, 0, 3, 'first\nzero'), replace(2, 0, 2, 'T'), replace(2, 2, 2, 'H!')),
      edit('rest', uri, replace(1, 0, 3, '2')),
    );
    await shown.away.accept();
    assert.equal(document.getText(), 'first\nzero\ntwo\nTH!ree\n');
    assert.deepEqual(cursor(), [uri.fsPath, 3, 3]);
    // The rest of the answer was meant for the text before.
    assert.deepEqual(shown.told, ['all accepted', 'rest ignored']);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    await shown.away.accept();
    assert.equal(shown.told.length, 2);
  });

  test('shows a suggestion in another file first, then applies it', async (context) => {
    const here = await fileWith(context, 'here.txt', 'here\n');
    const there = await fileWith(context, 'there.txt', 'line\n'.repeat(300));
    await vscode.window.showTextDocument(here);
    const shown = new Shown(context);
    const far = edit('far', there, replace(250, 0, 4, 'other'));
    assert.equal(placeWords(far, { line: 250, character: 0 }, here.toString()), 'Next edit: there.txt:251');
    assert.equal(placeWords(far, { line: 250, character: 0 }, there.toString()), 'Next edit: line 251');
    shown.offer(far);
    await shown.away.accept();
    assert.deepEqual(cursor(), [there.fsPath, 250, 0]);
    const document = await vscode.workspace.openTextDocument(there);
    assert.equal(document.isDirty, false);
    await until(() =>
      vscode.window.activeTextEditor!.visibleRanges.some((range) => range.contains(new vscode.Position(250, 0))),
    );
    await shown.away.accept();
    assert.equal(document.lineAt(250).text, 'other');
    assert.deepEqual(shown.told, ['far accepted']);
  });

  test('ends a suggestion on typing in its file; dismissing rejects it', async (context) => {
    const [uri, other] = [await fileWith(context, 'typed.txt', 'one\n'), await fileWith(context, 'other.txt', 'x\n')];
    const editor = await vscode.window.showTextDocument(uri);
    const shown = new Shown(context);
    shown.offer(edit('first', uri, replace(0, 0, 3, '1')), edit('elsewhere', other, replace(0, 0, 1, 'y')));
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), '> '));
    await until(() => shown.told.length === 1);
    shown.away.dismiss();
    shown.away.dismiss();
    assert.deepEqual(shown.told, ['first ignored', 'elsewhere rejected']);
  });

  test('a jump only moves the cursor', async (context) => {
    const here = await fileWith(context, 'from.txt', 'here\n');
    const there = await fileWith(context, 'to.txt', 'one\ntwo\n');
    await vscode.window.showTextDocument(here);
    const shown = new Shown(context);
    let followed = 0;
    shown.away.onDidAccept(() => (followed += 1));
    shown.offer({ kind: 'jump', id: 'j', uri: there.toString(), position: { line: 1, character: 2 } });
    await shown.away.accept();
    assert.deepEqual(cursor(), [there.fsPath, 1, 2]);
    assert.deepEqual([shown.told, followed], [['j accepted'], 1]);
  });

  test("renames by the language's provider, or explains why it can't", async (context) => {
    const [one, two] = [await fileWith(context, 'one.names', 'name\n'), await fileWith(context, 'two.names', 'name\n')];
    await vscode.window.showTextDocument(one);
    const said = warnings(context);
    const shown = new Shown(context);
    const rename = {
      kind: 'rename',
      id: 'r',
      uri: one.toString(),
      position: { line: 0, character: 1 },
      newName: 'title',
    } as const;
    shown.offer(rename);
    await shown.away.accept();
    assert.deepEqual(shown.told, ['r ignored']);
    assert.match(said.join('\n'), /Couldn’t rename to “title”/);
    const provider = vscode.languages.registerRenameProvider(
      { pattern: '**/*.names' },
      {
        provideRenameEdits: (_document, _position, newName) => {
          const change = new vscode.WorkspaceEdit();
          for (const uri of [one, two]) change.replace(uri, new vscode.Range(0, 0, 0, 4), newName);
          return change;
        },
      },
    );
    context.after(() => provider.dispose());
    shown.offer({ ...rename, id: 'again' });
    await shown.away.accept();
    for (const uri of [one, two]) {
      const document = await vscode.workspace.openTextDocument(uri);
      context.after(async () => {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      });
      assert.equal(document.getText(), 'title\n');
    }
    assert.deepEqual(shown.told, ['r ignored', 'again accepted']);
  });

  test("reports a file that can't be opened and loses nothing", async (context) => {
    const said = warnings(context);
    const shown = new Shown(context);
    shown.offer(edit('gone', vscode.Uri.file(join(root(), 'gone.txt')), replace(0, 0, 0, 'x')));
    await shown.away.accept();
    assert.match(said.join('\n'), /Couldn’t open the file of the suggestion/);
    assert.deepEqual(shown.told, []);
  });
});

suite('the context for an agent with next edits', () => {
  test('is empty unless the user enables it, whatever the workspace says', async (context) => {
    const settings = new Settings({ get: () => undefined, update: () => Promise.resolve() });
    context.after(() => settings.dispose());
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const set = (value: boolean | undefined, target: vscode.ConfigurationTarget) =>
      vscode.workspace.getConfiguration('parley').update('nextEditSuggestions.enabled', value, target);
    context.after(() => set(undefined, Workspace));
    context.after(() => set(undefined, Global));
    assert.equal(settings.get('nextEditSuggestions.enabled'), false);
    await set(true, Workspace);
    assert.equal(settings.get('nextEditSuggestions.enabled'), false);
    await set(true, Global);
    assert.equal(settings.get('nextEditSuggestions.enabled'), true);
    await set(false, Workspace);
    assert.equal(settings.get('nextEditSuggestions.enabled'), false);
  });

  test('includes workspace files as the editor spells them, without secrets', (context) => {
    const surroundings = new EditorSurroundings();
    context.after(() => surroundings.dispose());
    const file = vscode.Uri.file(join(root(), 'a b.ts'));
    assert.equal(surroundings.served(file.toString(true)), file.toString());
    for (const path of [
      join(root(), '.env'),
      join(root(), 'keys', 'id_rsa'),
      '/etc/passwd',
      join(root(), '..', 'x.ts'),
    ]) {
      assert.equal(surroundings.served(vscode.Uri.file(path).toString()), undefined, path);
    }
    for (const uri of ['', 'a.ts', 'untitled:Untitled-1', 'http://a.example/a.ts', 'file:', '::']) {
      assert.equal(surroundings.served(uri), undefined, uri);
    }
  });

  test('includes open editors, selections, and problems', async (context) => {
    const uri = await fileWith(context, 'seen.txt', 'one\ntwo\n');
    const surroundings = new EditorSurroundings();
    context.after(() => surroundings.dispose());
    const editor = await vscode.window.showTextDocument(uri);
    editor.selection = new vscode.Selection(0, 1, 1, 2);
    const range = { start: { line: 0, character: 1 }, end: { line: 1, character: 2 } };
    assert.deepEqual(surroundings.selectionIn(uri.toString()), range);
    assert.equal(surroundings.selectionIn('file:///other'), undefined);
    surroundings.focused(uri.toString());
    const open = surroundings.openFiles().find((one) => one.uri === uri.toString());
    assert.ok(open);
    assert.deepEqual([open.languageId, open.visibleRange?.start.line], ['plaintext', 0]);
    assert.ok(Number(open.lastFocusedMs) > 0);
    const problems = vscode.languages.createDiagnosticCollection('test');
    context.after(() => problems.dispose());
    problems.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 1, 1, 2), 'Odd', vscode.DiagnosticSeverity.Warning)]);
    const found = surroundings.diagnostics().find((one) => one.uri === uri.toString());
    assert.deepEqual(found, { uri: uri.toString(), range, severity: 'warning', message: 'Odd' });
  });
});
