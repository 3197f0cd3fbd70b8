import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import * as vscode from 'vscode';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import type { SessionKey } from '../../shared/values/ids';
import { readTools } from './readTools';
import type { ToolCall, ToolResult, ToolRun } from './tool';

const folder = tempFolder({ after });
const outside = tempFolder({ after });
const text = ['const listed = list;', '  list(listed);', '', 'other();', 'list();'].join('\n');
const own = join(folder, 'src', 'own.ts');
mkdirSync(join(folder, 'src'));
writeFileSync(own, `${text}\n`);
writeFileSync(join(outside, 'secret.ts'), 'const key = 1;\n');
symlinkSync(join(outside, 'secret.ts'), join(folder, 'src', 'link.ts'));
const [ownUri, linkUri] = [vscode.Uri.file(own), vscode.Uri.file(join(folder, 'src', 'link.ts'))];
const outsideUri = vscode.Uri.file(join(outside, 'secret.ts'));
const at = (line: number, character = 0) => new vscode.Range(line, character, line, character + 1);

let isSettled = true;
let shown: object | undefined;
let read: unknown[] = [];

function run(name: keyof typeof readTools, args: Record<string, unknown> = {}): Promise<ToolResult> {
  const call = {
    context: { session: 's' as SessionKey, agentName: 'A', cwd: folder },
    folders: [],
    services: {
      shown: () => shown,
      read: (_context: unknown, params: unknown) => {
        read.push(params);
        return Promise.resolve('its text');
      },
    },
    language: {
      ready: () => Promise.resolve(),
      withProblems: (_document: unknown, _signal: unknown, then: (settled: boolean) => Promise<unknown>) =>
        then(isSettled),
    },
    args,
    signal: new AbortController().signal,
  };
  const tool: ToolRun = readTools[name];
  return tool(call as unknown as ToolCall);
}

beforeEach(() => {
  editor.reset();
  editor.folders = [folder];
  [isSettled, shown, read] = [true, undefined, []];
  Object.assign(vscode.workspace, { textDocuments: [], openTextDocument: (uri: vscode.Uri) => opened(uri) });
});

/** Opens a document with the text of its file. */
function opened(uri: vscode.Uri): Promise<unknown> {
  const lines = readFileSync(uri.fsPath, 'utf8').split('\n');
  const lineAt = (line: number) => {
    const found = lines[line] ?? '';
    return { text: found, firstNonWhitespaceCharacterIndex: found.search(/\S|$/) };
  };
  const getText = () => lines.join('\n');
  return Promise.resolve({ uri, lineCount: lines.length, lineAt, getText, isDirty: false, encoding: 'utf8' });
}

/** Where a tool looked a symbol up: its line and column, both from 0. */
async function lookedAt(args: Record<string, unknown>): Promise<unknown> {
  await run('findReferences', { path: 'src/own.ts', ...args });
  const { args: sent = [] } = editor.executed.find(({ id }) => id === 'vscode.executeReferenceProvider') ?? {};
  editor.executed.length = 0;
  const { line, character } = sent[1] as vscode.Position;
  return [line, character];
}

void describe('the place that a tool is asked about', () => {
  void it('is the whole word in its line, not part of another', async () => {
    assert.deepEqual(await lookedAt({ symbol: 'list', line: 1 }), [0, 15]);
    assert.deepEqual(await lookedAt({ symbol: 'list', line: 2 }), [1, 2]);
    assert.deepEqual(await lookedAt({ symbol: 'listed', line: 2 }), [1, 7]);
  });

  void it('is the first occurrence if no line is given', async () => {
    assert.deepEqual(await lookedAt({ symbol: 'list' }), [0, 15]);
  });

  void it('is the only line that has the symbol, if another was given', async () => {
    assert.deepEqual(await lookedAt({ symbol: 'other', line: 1 }), [3, 0]);
  });

  void it('is where the code of a line begins without a symbol', async () => {
    editor.commands.set('vscode.executeHoverProvider', () => [{ contents: ['found'] }]);
    await run('hover', { path: 'src/own.ts', line: 2 });
    const [, position] = editor.executed[0]?.args ?? [];
    assert.deepEqual(position, new vscode.Position(1, 2));
  });

  void it('is refused with the lines that have the symbol', async () => {
    const refused = (args: object, why: RegExp) => assert.rejects(lookedAt({ ...args }), why);
    await refused({ symbol: 'list', line: 4 }, /“list” isn't in line 4 of src\/own\.ts\. It is in line 1, 2, 5\./);
    await refused({ symbol: 'gone' }, /“gone” isn't in src\/own\.ts/);
    await refused({ symbol: 'list', line: 7 }, /The file has only 6 lines/);
    await refused({ line: 0 }, /Name a “symbol”/);
  });

  void it('is never outside of the folders of the session', async () => {
    await assert.rejects(run('documentSymbols', { path: outsideUri.fsPath }), /outside this session's folders/);
    await assert.rejects(run('documentSymbols', { path: 'src/link.ts' }), /outside this session's folders/);
    await assert.rejects(run('documentSymbols', { path: 'src/gone.ts' }), /src\/gone\.ts can't be opened as text/);
  });
});

void describe('found places', () => {
  void it('have their lines, but only names outside of the folders', async () => {
    const link = { targetUri: ownUri, targetRange: at(0), targetSelectionRange: at(1, 2) };
    const found = [link, new vscode.Location(ownUri, at(4)), new vscode.Location(outsideUri, at(0))];
    editor.commands.set('vscode.executeDefinitionProvider', () => found);
    const { text: lines, data } = await run('goToDefinition', { path: 'src/own.ts', symbol: 'list' });
    assert.equal(lines, `src/own.ts:2: list(listed);\nsrc/own.ts:5: list();\n${outsideUri.fsPath}:1`);
    assert.equal(data['total'], 3);
  });

  void it('can be none', async () => {
    const { text: words, data } = await run('findImplementations', { path: 'src/own.ts', symbol: 'list' });
    assert.equal(words, 'The language service found nothing for “list”. Search for the text instead.');
    assert.deepEqual(data, { total: 0, places: [] });
  });
});

void describe('problems for a tool', () => {
  const problem = (severity: number, message: string, line: number) => ({ range: at(line, 3), severity, message });

  beforeEach(() => {
    const found = [
      [ownUri, [problem(1, 'unused', 0), { ...problem(0, 'no such name', 3), source: 'ts', code: 2304 }]],
      [linkUri, [problem(0, 'of a linked file', 0)]],
      [outsideUri, [problem(0, 'of another folder', 0)]],
    ] as const;
    Object.assign(vscode.languages, {
      getDiagnostics: (uri?: vscode.Uri) => (uri ? found[0][1] : found),
    });
  });

  void it('begin with errors and are those of the session’s own files', async () => {
    const { text: lines, data } = await run('getDiagnostics');
    assert.equal(lines, 'src/own.ts:4:4 error: no such name [ts 2304]\nsrc/own.ts:1:4 warning: unused');
    assert.equal(data['settled'], true);
  });

  void it('say if language services are still working', async () => {
    isSettled = false;
    const { text: lines, data } = await run('getDiagnostics', { path: 'src/own.ts' });
    assert.match(lines, /The language services are still working, so this may be incomplete\.$/);
    assert.equal(data['settled'], false);
  });
});

void describe('what the user looks at', () => {
  const looksAt = (uri: vscode.Uri, selection: vscode.Range, selected: string) => {
    shown = { editor: { document: { uri, isDirty: true, getText: () => selected }, selection } };
  };

  void it('is the selection with its lines', async () => {
    looksAt(ownUri, new vscode.Range(1, 2, 3, 0), 'list(listed);\n\n');
    const { text: words, data } = await run('getSelection');
    assert.equal(words, 'src/own.ts:2-4\nlist(listed);\n\n');
    assert.deepEqual([data['startLine'], data['endLine'], data['isDirty']], [2, 4, true]);
    looksAt(ownUri, at(1), '');
    assert.equal((await run('getSelection')).text, 'src/own.ts:2, nothing is selected.');
  });

  void it('is nothing without a file of the session', async () => {
    const none = "No file of this session's folders is open in the active editor.";
    assert.equal((await run('getSelection')).text, none);
    looksAt(linkUri, at(0), 'const key');
    assert.deepEqual(await run('getSelection'), { text: none, data: { isOpen: false } });
  });

  void it('is a list of open editors, without those of other folders', async () => {
    const tab = (uri: vscode.Uri, more: object) => ({
      input: Object.assign(new vscode.TabInputText(uri), { uri }),
      isActive: false,
      isDirty: false,
      group: { isActive: true },
      ...more,
    });
    const tabs = [tab(ownUri, { isActive: true, isDirty: true }), tab(outsideUri, {}), tab(linkUri, {})];
    Object.assign(vscode.window.tabGroups, { all: [{ tabs }, { tabs: [{ input: {} }, tab(ownUri, {})] }] });
    const { text: lines } = await run('getOpenEditors');
    Object.assign(vscode.window.tabGroups, { all: [] });
    assert.equal(lines, 'src/own.ts (active) (unsaved)\nsrc/own.ts');
    assert.equal((await run('getOpenEditors')).text, 'No files are open.');
  });

  void it('is read as agents read files of the editor', async () => {
    const { text: words } = await run('readBuffer', { path: 'src/own.ts', line: 2, limit: 3 });
    await run('readBuffer', { path: 'src/own.ts' });
    assert.equal(words, 'its text');
    assert.deepEqual(read, [
      { path: own, line: 2, limit: 3 },
      { path: own, line: 1, limit: 2000 },
    ]);
    await assert.rejects(run('readBuffer', { path: outsideUri.fsPath }), /outside this session's folders/);
  });
});

void describe('symbols for a tool', () => {
  const symbol = (name: string, line: number, children: object[] = []) => ({
    name,
    kind: 11,
    range: new vscode.Range(line, 0, line + 1, 0),
    children,
  });

  void it('are an outline with levels', async () => {
    editor.commands.set('vscode.executeDocumentSymbolProvider', () => [symbol('outer', 0, [symbol('inner', 1)])]);
    const { text: lines } = await run('documentSymbols', { path: 'src/own.ts' });
    assert.equal(lines, '1: function outer\n  2: function inner');
    editor.commands.clear();
    await assert.rejects(run('documentSymbols', { path: 'src/own.ts' }), /no outline for this kind of file/);
  });

  void it('are those of the session’s own files', async () => {
    const found = [ownUri, outsideUri, linkUri].map((uri, index) => ({
      name: `list${index}`,
      kind: 99,
      containerName: '',
      location: { uri, range: at(index) },
    }));
    editor.commands.set('vscode.executeWorkspaceSymbolProvider', () => found);
    assert.equal((await run('workspaceSymbols', { query: 'list' })).text, 'src/own.ts:1: symbol list0');
    editor.commands.clear();
    assert.match((await run('workspaceSymbols', { query: 'list' })).text, /found no symbol like “list”/);
  });

  void it('have the texts of all hovers, and a next step without one', async () => {
    const hovers = [{ contents: [new vscode.MarkdownString('a type'), ' '] }, { contents: ['its words', {}] }];
    editor.commands.set('vscode.executeHoverProvider', () => hovers);
    assert.equal((await run('hover', { path: 'src/own.ts', line: 1 })).text, 'a type\n\nits words');
    editor.commands.clear();
    await assert.rejects(run('hover', { path: 'src/own.ts', line: 1 }), /Check “line” and “symbol”/);
  });

  void it('have callers where they call, and what they call where it is', async () => {
    const item = { name: 'list', uri: ownUri, selectionRange: at(0) };
    const other = { name: 'other', uri: ownUri, selectionRange: at(3) };
    editor.commands.set('vscode.prepareCallHierarchy', () => [item]);
    editor.commands.set('vscode.provideIncomingCalls', () => [{ from: other, fromRanges: [at(4)] }]);
    editor.commands.set('vscode.provideOutgoingCalls', () => [{ to: other, fromRanges: [at(4)] }]);
    const args = { path: 'src/own.ts', symbol: 'list' };
    assert.equal((await run('callHierarchy', args)).text, 'src/own.ts:5: other');
    assert.equal((await run('callHierarchy', { ...args, outgoing: true })).text, 'src/own.ts:4: other');
    editor.commands.set('vscode.provideIncomingCalls', () => []);
    assert.equal((await run('callHierarchy', args)).text, 'Nothing calls it.');
    editor.commands.clear();
    await assert.rejects(run('callHierarchy', args), /not a function that the language service knows/);
  });
});
