import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { promptContent } from '../../../src/acp/dialect/promptContent';
import { Context } from '../../../src/host/context/context';
import { ChangeMentions, CommitMentions } from '../../../src/host/context/mentions/gitMentions';
import { ProblemMentions } from '../../../src/host/context/mentions/problems';
import { readContext } from '../../../src/host/context/attachments/readContext';
import { SessionMentions } from '../../../src/host/context/mentions/sessionMentions';
import { SymbolMentions } from '../../../src/host/context/mentions/symbolMentions';
import { TerminalCommands } from '../../../src/host/context/mentions/terminalCommands';
import { TerminalMentions } from '../../../src/host/context/mentions/terminalMentions';
import { contentOf } from '../../../src/session/transcript/promptParts';
import type { Attachment } from '../../../src/shared/transcript/content';
import type { Mention, ToWebview } from '../../../src/shared/pages/messages';
import { suite, test, type TestContext } from '../api';
import { file, scratchFolder, show } from '../filesSupport';
import { needsGit, needsShell } from '../platform';
import { until } from '../poll';
import { git } from '../reviewSupport';

interface GitApi {
  openRepository(root: vscode.Uri): Promise<unknown>;
}

/** Searches and chooses as a page does. */
class Page {
  private readonly context: Context;
  private readonly told: ToWebview[] = [];

  constructor(context: TestContext) {
    const terminals = new TerminalCommands();
    this.context = new Context({
      symbol: new SymbolMentions(),
      problem: new ProblemMentions(),
      change: new ChangeMentions(),
      commit: new CommitMentions(),
      terminal: new TerminalMentions(terminals),
      session: new SessionMentions({
        list: () => [{ key: 'k', title: 'Docs pass', agentName: 'Codex' }],
        textOf: () => Promise.resolve('You:\n  Hello\n'),
      }),
    });
    context.after(() => {
      this.context.dispose();
      terminals.dispose();
    });
  }

  async find(query: string): Promise<readonly Mention[]> {
    await this.context.handle(this, { type: 'findMentions', query });
    return this.told.findLast((message) => message.type === 'foundMentions')?.mentions ?? [];
  }

  /** Attaches the option with this label. */
  async mention(query: string, label: string): Promise<readonly Attachment[]> {
    const found = await this.find(query);
    const mention = found.find((one) => one.label === label);
    assert.ok(mention, `${query} offers ${JSON.stringify(found.map((one) => one.label))}`);
    await this.context.handle(this, { type: 'takeMention', id: mention.id });
    return this.told.findLast((message) => message.type === 'tookMention')?.attachments ?? [];
  }

  post(message: ToWebview): void {
    this.told.push(message);
  }
}

/** Resolves to what an agent receives besides the text of the message, by name. */
async function received(attachments: readonly Attachment[], embeddedContext: boolean) {
  const can = { image: false, audio: false, embeddedContext };
  return (await promptContent(contentOf({ text: 'See', attachments }), can, readContext)).blocks.slice(1);
}

/** Resolves with the next event of a terminal. */
function next(event: vscode.Event<{ readonly terminal: vscode.Terminal }>, terminal: vscode.Terminal): Promise<void> {
  return new Promise((resolve) => {
    const listener = event((one) => {
      if (one.terminal !== terminal) return;
      listener.dispose();
      resolve();
    });
  });
}

suite('mentions', () => {
  test('files, folders, symbols, and problems arrive in a supported form', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'upload/retryQueue.zz', 'first\nfunction two\nend\nlast\n');
    await file(folder, 'node_modules/p/retryQueue.zz', '');
    const uri = vscode.Uri.file(path);
    const range = new vscode.Range(1, 0, 2, 3);
    const symbols = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/*.zz' },
      {
        provideDocumentSymbols: () => [
          new vscode.DocumentSymbol('runTwo', '', vscode.SymbolKind.Function, range, range),
        ],
      },
    );
    const problems = vscode.languages.createDiagnosticCollection('mentions');
    context.after(() => {
      symbols.dispose();
      problems.dispose();
    });
    problems.set(uri, [new vscode.Diagnostic(range, 'No such queue', vscode.DiagnosticSeverity.Error)]);
    await show(path);
    const page = new Page(context);
    const places = (await page.find('file:rQz')).map(({ detail }) => detail);
    assert.ok(places.length > 0 && places.every((place) => !place.includes('node_modules')), places.join());
    const [opened] = await page.find('');
    assert.deepEqual([opened?.group, opened?.label], ['recent', 'retryQueue.zz']);
    const attachments = [
      ...(await page.mention('retryq', 'retryQueue.zz')),
      ...(await page.mention('folder:upl', 'upload')),
      ...(await page.mention('symbol:rt', 'runTwo')),
      ...(await page.mention('problem:queue', 'No such queue')),
    ];
    const lines = `${uri.toString()}#L2-L3`;
    const inFolder = `${vscode.Uri.file(join(folder, 'upload')).toString()}/`;
    const [whole, directory, symbol, problem] = await received(attachments, true);
    const text = 'first\nfunction two\nend\nlast\n';
    assert.deepEqual(whole, { type: 'resource', resource: { uri: uri.toString(), text } });
    assert.deepEqual(directory, { type: 'resource_link', uri: inFolder, name: 'upload' });
    assert.deepEqual(symbol, { type: 'resource', resource: { uri: lines, text: 'function two\nend\n' } });
    assert.match(JSON.stringify(problem), /retryQueue\.zz:2:1: error: No such queue/);
    const [asLink, , linesAsLink, asText] = await received(attachments, false);
    assert.deepEqual(asLink, { type: 'resource_link', uri: uri.toString(), name: 'retryQueue.zz' });
    assert.deepEqual(linesAsLink, { type: 'resource_link', uri: lines, name: 'runTwo' });
    assert.match(JSON.stringify(asText), /"type":"text".*No such queue/);
  });

  test('changes and commits of git, and sessions, arrive as text', async (context) => {
    needsGit(context);
    const folder = await scratchFolder(context);
    git(folder, 'init', '-q', '-b', 'main');
    await file(folder, 'a.txt', 'one\ntwo\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'Begin the list');
    await file(folder, 'a.txt', 'one\n2\n');
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(extension);
    assert.ok(await (await extension.activate()).getAPI(1).openRepository(vscode.Uri.file(folder)));
    const page = new Page(context);
    await until(async () => (await page.find('change:a.txt')).some(({ label }) => label === 'a.txt'));
    const attachments = [
      ...(await page.mention('change:', 'Changes')),
      ...(await page.mention('change:atxt', 'a.txt')),
      ...(await page.mention('commit:begin', 'Begin the list')),
      ...(await page.mention('session:', 'Docs pass')),
    ];
    const [all, one, commit, session] = (await received(attachments, true)).map((block) => JSON.stringify(block));
    assert.match(all ?? '', /-two\\n\+2/);
    assert.match(one ?? '', /-two\\n\+2/);
    assert.match(commit ?? '', /Begin the list.*\+one\\n\+two/);
    assert.match(session ?? '', /Docs%20pass\.md.*Hello/);
  });

  test('the output of the last command in a terminal arrives as text', async (context) => {
    needsShell(context);
    const page = new Page(context);
    const terminal = vscode.window.createTerminal({ name: 'mentions', shellPath: '/bin/bash' });
    context.after(() => terminal.dispose());
    terminal.show();
    await until(() => terminal.shellIntegration !== undefined);
    // VS Code loses the output of a command that ends at once, so this one waits for its input.
    const line = 'read -r number; echo "three $number"; false';
    const started = next(vscode.window.onDidStartTerminalShellExecution, terminal);
    const ended = next(vscode.window.onDidEndTerminalShellExecution, terminal);
    terminal.shellIntegration?.executeCommand(line);
    await started;
    terminal.sendText('3');
    await ended;
    const read = async () => JSON.stringify(await received(await page.mention('terminal:', line), true));
    await until(async () => (await read()).includes('three 3'));
    assert.match(await read(), /\$ read .*three 3\\n.*\(exit code 1\)/);
  });
});
