import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Contract } from './contract';

/** Values that are made and passed on: what they keep. */
export const valueContract: Contract = ({ suite, test }) => {
  const uri = vscode.Uri.parse('x:/a');
  const range = new vscode.Range(1, 0, 1, 4);

  suite('values', () => {
    test('edits of texts have a range and a text', () => {
      const { Position, TextEdit } = vscode;
      const all = [TextEdit.replace(range, 'new'), TextEdit.insert(new Position(2, 3), 'in'), TextEdit.delete(range)];
      assert.deepEqual(
        all.map((edit) => [edit.range.start.line, edit.range.end.character, edit.newText]),
        [
          [1, 4, 'new'],
          [2, 3, 'in'],
          [1, 4, ''],
        ],
      );
    });

    test('an edit of the workspace adds its text edits by file', () => {
      const edit = new vscode.WorkspaceEdit();
      const other = vscode.Uri.parse('x:/b');
      edit.replace(uri, range, 'one');
      edit.insert(uri, new vscode.Position(0, 0), 'two');
      edit.delete(other, range);
      assert.deepEqual(
        edit.entries().map(([file, edits]) => [file.toString(), edits.map(({ newText }) => newText)]),
        [
          ['x:/a', ['one', 'two']],
          ['x:/b', ['']],
        ],
      );
      assert.equal(edit.size, 2);
      assert.deepEqual([edit.has(uri), edit.has(vscode.Uri.parse('x:/c'))], [true, false]);
      edit.set(uri, [vscode.TextEdit.replace(range, 'three')]);
      assert.deepEqual(
        edit.get(uri).map(({ newText }) => newText),
        ['one', 'two', 'three'],
      );
    });

    test('a location of a position is an empty range', () => {
      const { uri: file, range: place } = new vscode.Location(uri, new vscode.Position(2, 1));
      assert.equal(file, uri);
      assert.deepEqual([place.isEmpty, place.start.line], [true, 2]);
      assert.equal(new vscode.Location(uri, range).range, range);
    });

    test('Markdown escapes text, and keeps the rest', () => {
      const text = new vscode.MarkdownString('*a* ').appendText('*b* <c>\n\nd').appendMarkdown(' **e**');
      text.appendCodeblock('f', 'ts');
      assert.equal(text.value, '*a* \\*b\\*&nbsp;<c\\>\n\n\n\nd **e**\n```ts\nf\n```\n');
      assert.ok(!text.isTrusted && !text.supportThemeIcons && !text.supportHtml);
    });

    test('files that are missing or not allowed have codes', () => {
      const { FileSystemError } = vscode;
      const all = {
        FileNotFound: FileSystemError.FileNotFound(uri),
        FileExists: FileSystemError.FileExists(uri),
        FileNotADirectory: FileSystemError.FileNotADirectory(uri),
        FileIsADirectory: FileSystemError.FileIsADirectory(uri),
        NoPermissions: FileSystemError.NoPermissions('no'),
        Unavailable: FileSystemError.Unavailable(),
        Unknown: new FileSystemError('odd'),
      };
      for (const [code, error] of Object.entries(all)) {
        assert.ok(error instanceof FileSystemError && error instanceof Error);
        assert.equal(error.code, code);
      }
      assert.equal(all.FileNotFound.message, 'x:/a');
      assert.equal(all.NoPermissions.message, 'no');
    });

    test('icons, colors, and patterns have their parts', () => {
      const color = new vscode.ThemeColor('editor.background');
      const icon = new vscode.ThemeIcon('check', color);
      assert.deepEqual([icon.id, icon.color], ['check', color]);
      const pattern = new vscode.RelativePattern(vscode.Uri.file('/a/b'), '**/*.ts');
      assert.deepEqual([pattern.baseUri.path, pattern.pattern], ['/a/b', '**/*.ts']);
    });

    test('tasks know how they are run', () => {
      const line = new vscode.ShellExecution('npm test', { cwd: '/a' });
      assert.deepEqual([line.commandLine, line.options?.cwd], ['npm test', '/a']);
      assert.deepEqual([line.command || undefined, line.args?.length || undefined], [undefined, undefined]);
      const parts = new vscode.ShellExecution('npm', ['test'], { cwd: '/b' });
      const { commandLine, command, args, options } = parts;
      assert.deepEqual([commandLine, command, args, options?.cwd], [undefined, 'npm', ['test'], '/b']);
      const program = new vscode.ProcessExecution('npm', ['test'], { cwd: '/c' });
      assert.deepEqual([program.process, program.args, program.options?.cwd], ['npm', ['test'], '/c']);
      const bare = new vscode.ProcessExecution('npm', { cwd: '/d' });
      assert.deepEqual([bare.args, bare.options?.cwd], [[], '/d']);
    });

    test('inputs of tabs, lenses, and hovers have their parts', () => {
      const text = new vscode.TabInputText(uri);
      const diff = new vscode.TabInputTextDiff(uri, vscode.Uri.parse('x:/b'));
      assert.deepEqual([text.uri, diff.original, diff.modified.path], [uri, uri, '/b']);
      const notebook = new vscode.TabInputNotebook(uri, 'jupyter');
      assert.deepEqual([notebook.uri, notebook.notebookType], [uri, 'jupyter']);
      assert.equal(new vscode.TabInputWebview('parley.chat').viewType, 'parley.chat');
      const command = { title: 'Keep', command: 'parley.keep' };
      const lens = new vscode.CodeLens(range, command);
      assert.deepEqual([lens.range, lens.command, lens.isResolved], [range, command, true]);
      assert.equal(new vscode.CodeLens(range).isResolved, false);
      assert.deepEqual(new vscode.Hover('text').contents, ['text']);
    });

    test('numbers of the interface are those of the editor', () => {
      assert.deepEqual(
        {
          type: vscode.FileType.SymbolicLink,
          change: vscode.FileChangeType.Deleted,
          column: [vscode.ViewColumn.Active, vscode.ViewColumn.Beside, vscode.ViewColumn.One],
          kind: vscode.QuickPickItemKind.Separator,
          severity: [vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Hint],
          target: [
            vscode.ConfigurationTarget.Global,
            vscode.ConfigurationTarget.Workspace,
            vscode.ConfigurationTarget.WorkspaceFolder,
          ],
          eol: [vscode.EndOfLine.LF, vscode.EndOfLine.CRLF],
          reason: [vscode.TextDocumentChangeReason.Undo, vscode.TextDocumentChangeReason.Redo],
          save: vscode.TextDocumentSaveReason.Manual,
          progress: [
            vscode.ProgressLocation.SourceControl,
            vscode.ProgressLocation.Window,
            vscode.ProgressLocation.Notification,
          ],
          symbol: vscode.SymbolKind[11],
          ruler: vscode.OverviewRulerLane.Right,
          decoration: vscode.DecorationRangeBehavior.ClosedClosed,
          ui: [vscode.UIKind.Desktop, vscode.UIKind.Web],
          cell: [vscode.NotebookCellKind.Markup, vscode.NotebookCellKind.Code],
          status: [vscode.StatusBarAlignment.Left, vscode.StatusBarAlignment.Right],
          comment: [vscode.CommentMode.Preview, vscode.CommentThreadCollapsibleState.Expanded],
          fix: vscode.CodeActionKind.QuickFix.value,
        },
        {
          type: 64,
          change: 3,
          column: [-1, -2, 1],
          kind: -1,
          severity: [0, 3],
          target: [1, 2, 3],
          eol: [1, 2],
          reason: [1, 2],
          save: 1,
          progress: [1, 10, 15],
          symbol: 'Function',
          ruler: 4,
          decoration: 1,
          ui: [1, 2],
          cell: [1, 2],
          status: [1, 2],
          comment: [1, 1],
          fix: 'quickfix',
        },
      );
    });
  });
};
