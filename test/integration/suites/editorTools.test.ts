import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { settingsWith } from '../../unit-support/settings';
import type { AgentSpec } from '../../../src/agent/spec/agentSpec';
import { Languages } from '../../../src/host/editor/languages';
import { SettledProblems } from '../../../src/host/editor/settledProblems';
import { ShownFiles } from '../../../src/host/editor/shownFile';
import { FileBridge } from '../../../src/host/files/fileBridge';
import { IdeServers } from '../../../src/host/ide/ideServers';
import type { ClientQuestion, Judgment, PermissionCase } from '../../../src/session/services';
import type { AgentId, SessionKey } from '../../../src/shared/values/ids';
import { postJson } from '../../fixtures/agents/postJson.mjs';
import { suite, test, type TestContext } from '../api';
import { file, onDisk, removeFolder, scratchFolder, setting } from '../filesSupport';
import { until } from '../poll';
import { changes, keep, newAgent, undo } from '../reviewSupport';

const spec: AgentSpec = { id: 'settings:A' as AgentId, name: 'A', command: 'a', args: [], env: {}, source: 'settings' };
const never = new AbortController().signal;

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** Creates a session with the editor's tools in a folder of its own, and a client for them. */
async function client(context: TestContext, more: readonly string[] = [], ruling?: Judgment) {
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const folder = await mkdtemp(join(root, 'editor-tools-'));
  context.after(() => removeFolder(folder));
  context.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  const files = new FileBridge({ outsideWorkspace: () => 'deny' });
  context.after(() => files.dispose());
  const asked: ClientQuestion[] = [];
  const judged: PermissionCase[] = [];
  const changed: string[] = [];
  const values = { 'editorTools.enabled': true, 'editorTools.more': more };
  const settings = { ...settingsWith(values), editorToolsOf: () => undefined };
  const shown = new ShownFiles();
  context.after(() => shown.dispose());
  const settled = new SettledProblems(() => Date.now());
  const languages = new Languages(settled);
  context.after(() => {
    languages.dispose();
    settled.dispose();
  });
  const ide = new IdeServers({
    settings,
    language: () => languages,
    shown: () => shown.current,
    version: '1.0.0',
    rules: {
      answer: (request) => {
        judged.push(request);
        return ruling;
      },
    },
    read: (...params) => files.readTextFile(...params),
    change: async (_, paths, write) => {
      await write();
      changed.push(...paths);
    },
    now: () => Date.now(),
    report: (error) => assert.fail(String(error)),
  });
  context.after(() => ide.dispose());
  const answers: string[] = [];
  const session = {
    context: {
      session: 'session 1' as SessionKey,
      agentName: 'A',
      cwd: folder,
      ask: (question: ClientQuestion) => {
        asked.push(question);
        return Promise.resolve(answers.shift());
      },
    },
    folders: [],
  };
  const offer = async (agent = spec, mcpHttp = true, taken: string[] = [], mcpAcp = false) =>
    ide.offer(agent, { mcpHttp, mcpAcp }, session, taken, never);
  const {
    servers: [server],
    secrets,
  } = await offer();
  assert.ok(server && 'url' in server);
  const { url } = server;
  const token = server.headers[0]!.value;
  const post = (body: object, headers: Record<string, string> = {}) =>
    postJson(url, { jsonrpc: '2.0', id: 1, ...body }, { authorization: token, ...headers });
  const request = async (method: string, params: object = {}): Promise<unknown> => {
    const { status, text } = await post({ method, params }, { 'mcp-protocol-version': '2025-06-18' });
    const json = text.startsWith('{') ? text : /^data: (.+)$/m.exec(text)?.[1];
    assert.ok(json, `${status}: ${text}`);
    return (JSON.parse(json) as { readonly result: unknown }).result;
  };
  const call = (name: string, args: object = {}) => request('tools/call', { name, arguments: args }) as Promise<Answer>;
  const write = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return vscode.Uri.file(path);
  };
  return {
    folder,
    url,
    token,
    secrets,
    ide,
    offer,
    values,
    asked,
    answers,
    judged,
    changed,
    post,
    request,
    call,
    write,
  };
}

const textOf = ({ content }: Answer) => content.map(({ text }) => text).join('\n');

suite('editor tools', () => {
  test('offers few, read-only tools by default, and more by the setting', async (context) => {
    const { request, values, secrets, token } = await client(context);
    const names = async () => {
      const { tools } = (await request('tools/list')) as {
        readonly tools: readonly { readonly name: string; readonly annotations: { readonly readOnlyHint: boolean } }[];
      };
      return tools.map(({ name, annotations }) => `${name}${annotations.readOnlyHint ? '' : '!'}`);
    };
    assert.deepEqual(await names(), [
      'getDiagnostics',
      'getSelection',
      'getOpenEditors',
      'readBuffer',
      'findReferences',
      'goToDefinition',
      'documentSymbols',
      'workspaceSymbols',
      'hover',
    ]);
    Object.assign(values, { 'editorTools.more': ['renameSymbol', 'unknown'] });
    assert.deepEqual((await names()).slice(9), ['renameSymbol!']);
    assert.deepEqual(secrets, [token.slice('Bearer '.length), token]);
  });

  test("reports TypeScript's problems, also right after an edit", async (context) => {
    const { call, write, folder } = await client(context);
    const uri = await write('problem.ts', 'export const count: number = "one";\n');
    const found = await call('getDiagnostics', { path: 'problem.ts' });
    assert.match(
      textOf(found),
      /^problem\.ts:1:14 error: Type 'string' is not assignable to type 'number'\. \[ts 2322\]/,
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 29, 0, 34), '1');
    await vscode.workspace.applyEdit(edit);
    assert.equal(textOf(await call('getDiagnostics', { path: join(folder, 'problem.ts') })), 'No problems.');
    assert.match(textOf(await call('readBuffer', { path: 'problem.ts' })), /: number = 1;/);
    assert.match(await readFile(uri.fsPath, 'utf8'), /"one"/);
  });

  test('finds definitions, references, symbols, and types by name and line', async (context) => {
    const { call, write } = await client(context);
    await write('total.ts', '/** Adds. */\nexport function total(a: number) {\n  return a;\n}\n');
    await write('use.ts', "import { total } from './total';\nconsole.log(total(1));\ntotal(2);\n");
    const uses = await call('findReferences', { path: 'use.ts', line: 2, symbol: 'total' });
    assert.deepEqual(textOf(uses).split('\n').sort(), [
      'total.ts:2: export function total(a: number) {',
      "use.ts:1: import { total } from './total';",
      'use.ts:2: console.log(total(1));',
      'use.ts:3: total(2);',
    ]);
    assert.equal(uses.structuredContent?.['total'], 4);
    const definition = await call('goToDefinition', { path: 'use.ts', line: 3, symbol: 'total' });
    assert.match(textOf(definition), /^total\.ts:2: export function total/);
    assert.match(textOf(await call('documentSymbols', { path: 'total.ts' })), /^2: function total/m);
    assert.match(
      textOf(await call('hover', { path: 'use.ts', line: 3, symbol: 'total' })),
      /total\(a: number\): number[^]*Adds\./,
    );
    const wrong = await call('hover', { path: 'use.ts', line: 3, symbol: 'sum' });
    assert.equal(wrong.isError, true);
    assert.match(textOf(wrong), /“sum” isn't in use\.ts\. Check the name/);
  });

  test('finds implementations, callers, and symbols of the workspace', async (context) => {
    const { call, write } = await client(context, ['findImplementations', 'callHierarchy']);
    await write('tsconfig.json', '{}\n');
    await write('shape.ts', 'export interface Shape {\n  area(): number;\n}\n');
    const square = ["import type { Shape } from './shape';", 'export class Square implements Shape {', '  area() {'];
    await write(
      'square.ts',
      [...square, '    return edge();', '  }', '}', 'function edge() {', '  return 4;', '}', ''].join('\n'),
    );
    const found = await call('findImplementations', { path: 'shape.ts', line: 1, symbol: 'Shape' });
    assert.match(textOf(found), /^square\.ts:2: export class Square/);
    const callers = await call('callHierarchy', { path: 'square.ts', symbol: 'edge', line: 7 });
    assert.equal(textOf(callers), 'square.ts:4: area');
    const calls = await call('callHierarchy', { path: 'square.ts', symbol: 'area', outgoing: true });
    assert.equal(textOf(calls), 'square.ts:7: edge');
    const symbols = await call('workspaceSymbols', { query: 'Square' });
    assert.match(textOf(symbols), /^square\.ts:2: class Square/);
  });

  test('reports editors and selections, and shows files without taking focus', async (context) => {
    const { call, write } = await client(context, ['openFile']);
    const shown = await write('shown.txt', 'one\ntwo\nthree\n');
    await write('other.txt', 'a\nb\n');
    assert.equal(textOf(await call('getOpenEditors')), 'No files are open.');
    assert.match(textOf(await call('getSelection')), /^No file of this session's folders is open/);
    const editor = await vscode.window.showTextDocument(shown, { preview: false });
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    assert.equal(textOf(await call('getSelection')), 'shown.txt:2\ntwo');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved '));
    assert.equal(textOf(await call('openFile', { path: 'other.txt', line: 2 })), 'The editor shows other.txt.');
    const editors = textOf(await call('getOpenEditors'))
      .split('\n')
      .sort();
    assert.deepEqual(editors, ['other.txt (active)', 'shown.txt (unsaved)']);
    assert.match(textOf(await call('readBuffer', { path: 'shown.txt' })), /^unsaved one/);
    const visible = vscode.window.visibleTextEditors.find(({ document }) => document.fileName.endsWith('other.txt'));
    assert.equal(visible?.selection.active.line, 1);
    await editor.document.save();
  });

  test('formats files and applies quick fixes, each after a request', async (context) => {
    const { call, write, answers, asked, changed } = await client(context, [
      'formatFile',
      'listCodeActions',
      'applyCodeAction',
    ]);
    const uri = await write('fix.ts', 'export   class Container {\n}\nexport const box = new Contaner();\n');
    answers.push('allow', 'allow');
    assert.equal(textOf(await call('formatFile', { path: 'fix.ts' })), 'fix.ts: 1 edits');
    assert.match(await readFile(uri.fsPath, 'utf8'), /^export class Container/);
    assert.match(textOf(await call('formatFile', { path: 'fix.ts' })), /^There is nothing to change, or/);
    const place = { path: 'fix.ts', line: 3 };
    const [title] = textOf(await call('listCodeActions', place))
      .split('\n')
      .filter((one) => one.includes('Container'));
    assert.ok(title);
    assert.match(
      textOf(await call('applyCodeAction', { ...place, title: 'No such fix' })),
      /doesn't offer “No such fix”/,
    );
    assert.equal(textOf(await call('applyCodeAction', { ...place, title })), 'fix.ts: 1 edits');
    assert.match(await readFile(uri.fsPath, 'utf8'), /new Container\(\)/);
    assert.deepEqual(
      asked.map((one) => one.title),
      ['Format fix.ts', title],
    );
    assert.deepEqual(changed, [uri.fsPath, uri.fsPath]);
  });

  test('renames in one undo step once the user allows it', async (context) => {
    const { call, write, answers, asked, changed, judged } = await client(context, ['renameSymbol']);
    const text = 'export const first = 1;\nexport const second = first;\n';
    const uri = await write('names.ts', text);
    const args = { path: 'names.ts', line: 1, symbol: 'first', newName: 'start' };
    answers.push('reject');
    const rejected = await call('renameSymbol', args);
    assert.match(textOf(rejected), /^The user rejected this/);
    assert.equal(await readFile(uri.fsPath, 'utf8'), text);
    answers.push('allow');
    assert.equal(textOf(await call('renameSymbol', args)), 'names.ts: 2 edits');
    const renamed = 'export const start = 1;\nexport const second = start;\n';
    assert.equal(await readFile(uri.fsPath, 'utf8'), renamed);
    assert.deepEqual(changed, [uri.fsPath]);
    assert.deepEqual(judged[0]?.subject.mcp, { server: 'editor', tool: 'renameSymbol' });
    assert.equal(asked[1]?.title, 'Rename first to start');
    await vscode.window.showTextDocument(uri);
    await vscode.commands.executeCommand('undo');
    await until(() => vscode.window.activeTextEditor?.document.getText() === text);
    await vscode.workspace.saveAll();
  });

  test("keeps an agent's change pending after the user's rules allow it", async (context) => {
    const folder = await scratchFolder(context);
    const text = 'export const first = 1;\n';
    const here = await file(folder, 'here.ts', `${text}export const twice = first + first;\n`);
    const there = await file(folder, 'there.ts', "import { first } from './here';\nconsole.log(first);\n");
    await file(folder, 'tsconfig.json', '{}\n');
    const into = join(folder, 'answer.txt');
    await setting(context, 'parley.editorTools.more', ['renameSymbol']);
    const agent = await newAgent(context, ['Told'], { TOLD_MCP: '1' });
    const rename = (newName: string) => ({
      mcp: 'renameSymbol',
      args: { path: here, symbol: 'first', newName },
      into,
    });
    const rule = { mcpServer: 'editor', mcpTool: 'renameSymbol' };
    await setting(context, 'parley.permissions', [{ ...rule, answer: 'reject_once' }]);
    await agent.turn(rename('never'));
    await until(() => existsSync(into));
    assert.match(await onDisk(into), /permission rules don't allow this/);
    assert.equal(await onDisk(there), "import { first } from './here';\nconsole.log(first);\n");
    await rm(into);
    await setting(context, 'parley.permissions', [{ ...rule, answer: 'allow_once' }]);
    await agent.turn(rename('start'));
    await until(() => existsSync(into));
    assert.match(await onDisk(into), /here\.ts: 3 edits/);
    assert.equal(await onDisk(there), "import { start } from './here';\nconsole.log(start);\n");
    const [ofHere] = await changes(here, 1);
    const [ofThere] = await changes(there, 1);
    assert.ok(ofHere && ofThere);
    assert.match(ofHere.tooltip, /Told/);
    await keep(ofHere);
    await undo(ofThere);
    await changes(there, 0);
    assert.equal(await onDisk(there), "import { first } from './here';\nconsole.log(first);\n");
    assert.match(await onDisk(here), /^export const start = 1;/);
  });

  test('changes nothing that rules reject and no file with unsaved text', async (context) => {
    const option = { optionId: 'reject', name: 'Reject', kind: 'reject_once' } as const;
    const { call, write, asked } = await client(context, ['renameSymbol'], { option, rule: 'No' });
    const uri = await write('kept.ts', 'const first = 1;\n');
    const args = { path: 'kept.ts', line: 1, symbol: 'first', newName: 'start' };
    assert.match(textOf(await call('renameSymbol', args)), /permission rules don't allow this/);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(1, 0), '// Mine\n');
    await vscode.workspace.applyEdit(edit);
    assert.match(textOf(await call('renameSymbol', args)), /^kept\.ts has unsaved changes/);
    assert.equal(asked.length, 0);
    assert.equal(await readFile(uri.fsPath, 'utf8'), 'const first = 1;\n');
  });

  test("refuses paths outside the session's folders", async (context) => {
    const { call, folder } = await client(context);
    for (const name of ['getDiagnostics', 'readBuffer', 'documentSymbols']) {
      const answer = await call(name, { path: '../outside.ts' });
      assert.equal(answer.isError, true);
      assert.equal(textOf(answer), `../outside.ts is outside this session's folders. Use a path inside ${folder}.`);
    }
  });

  test("is hidden from agents that can't use it or are excluded", async (context) => {
    const { offer, values } = await client(context);
    assert.deepEqual((await offer(spec, false)).servers, []);
    assert.deepEqual((await offer({ ...spec, mcp: false })).servers, []);
    assert.deepEqual((await offer({ ...spec, mcp: ['other'] })).servers, []);
    assert.equal((await offer({ ...spec, mcp: ['editor'] })).servers.length, 1);
    // An agent elsewhere can't reach the address, and gets the tools through its connection if it has the same files.
    const elsewhere = { ...spec, url: 'https://agents.example' };
    const shared = { ...elsewhere, sharesFiles: true };
    assert.deepEqual((await offer(elsewhere, true, [], true)).servers, []);
    assert.deepEqual((await offer(shared)).servers, []);
    for (const [agent, http] of [
      [shared, true],
      [spec, false],
    ] as const) {
      const { servers, secrets } = await offer(agent, http, [], true);
      const [server] = servers;
      assert.ok(server && 'serverId' in server);
      assert.deepEqual(secrets, [server.serverId]);
    }
    const taken = await offer(spec, true, ['editor']);
    assert.deepEqual([taken.servers, taken.skipped[0]?.name], [[], 'editor']);
    Object.assign(values, { 'editorTools.enabled': false });
    assert.deepEqual((await offer()).servers, []);
  });

  test('ends with the session', async (context) => {
    const { ide, post, request } = await client(context);
    await request('tools/list');
    ide.revoke('session 1' as SessionKey);
    assert.equal((await post({ method: 'tools/list' })).status, 401);
  });

  test('speaks MCP 2026-07-28', async (context) => {
    const { post } = await client(context);
    const key = (name: string) => `io.modelcontextprotocol/${name}`;
    const meta = {
      [key('protocolVersion')]: '2026-07-28',
      [key('clientCapabilities')]: {},
      [key('clientInfo')]: { name: 'test', version: '1' },
    };
    const response = await post(
      { method: 'tools/list', params: { _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    );
    assert.match(response.text, /"getDiagnostics"/);
  });
});
