import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { applyCode } from '../../../src/host/codeBlocks/applyCode';
import type { UsedCode } from '../../../src/host/codeBlocks/usedCode';
import { createFile, createFromCode } from '../../../src/host/codeBlocks/createFromCode';
import { runCode } from '../../../src/host/codeBlocks/runCode';
import { ReviewLog } from '../../../src/review/log/reviewLog';
import type { Session } from '../../../src/session/session';
import { suite, test, type TestContext } from '../api';
import { file, onDisk, outsideFolder, scratchFolder, show, type } from '../filesSupport';

const source = 'function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n';

/** The user's answers in order, and the questions and notices that they were for. */
function userOf(context: TestContext, ...answers: (string | undefined)[]) {
  const window = vscode.window as unknown as Record<string, unknown>;
  const said: string[] = [];
  for (const name of ['showWarningMessage', 'showInformationMessage', 'showInputBox', 'showQuickPick']) {
    const own = window[name];
    context.after(() => (window[name] = own));
    window[name] = (first: unknown, second?: { detail?: string }) => {
      const box = first as { readonly title?: string; readonly value?: string };
      const question = typeof first === 'string' ? first : Array.isArray(first) ? 'pick' : `${box.title}: ${box.value}`;
      said.push([question, second?.detail ?? ''].filter(Boolean).join('\n'));
      const answer = answers.shift();
      if (!Array.isArray(first)) return Promise.resolve(answer);
      return Promise.resolve((first as readonly vscode.QuickPickItem[]).find(({ label }) => label === answer));
    };
  }
  return said;
}

/** What the code does to files, with the author of a change left out. */
async function setUp(context: TestContext, code: Partial<UsedCode>) {
  const folder = await scratchFolder(context);
  const view = { cwd: folder, additionalDirectories: [], agentName: 'Test' };
  const session = { key: 'session 1', transcript: { view } } as unknown as Session;
  const applied: string[] = [];
  const review = {
    log: new ReviewLog(),
    applying: async (_session: Session, uri: vscode.Uri, write: () => Promise<void>) => {
      await write();
      applied.push(uri.fsPath);
    },
  };
  const used: UsedCode = { session, info: '', text: '', hints: [], ...code };
  return { folder, session, review, used, applied };
}

suite('code from an agent', () => {
  test("is applied to its named file beside the user's unsaved text", async (context) => {
    const { folder, review, used, applied } = await setUp(context, {
      info: 'ts title="src/a.ts"',
      text: 'function two() {\n  return 20;\n}',
    });
    const said = userOf(context);
    const path = await file(folder, 'src/a.ts', source);
    const editor = await show(path);
    await type(editor, 0, 0, '// typed\n');
    await applyCode(review, used);
    const wanted = `// typed\n${source.replace('return 2;', 'return 20;')}`;
    assert.equal(editor.document.getText(), wanted);
    assert.equal(await onDisk(path), wanted);
    assert.deepEqual(applied, [path]);
    await applyCode(review, used);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /already has this code/);
  });

  test('is applied to a file named before or the active editor', async (context) => {
    const text = '@@ -1,3 +1,3 @@\n function one() {\n-  return 1;\n+  return 10;\n }';
    const { folder, review, used } = await setUp(context, { info: 'diff', text, hints: ['gone.ts', 'b.ts'] });
    const [a, b] = [await file(folder, 'a.ts', source), await file(folder, 'b.ts', source)];
    userOf(context);
    await show(a);
    await applyCode(review, used);
    assert.equal(await onDisk(b), source.replace('return 1;', 'return 10;'));
    assert.equal(await onDisk(a), source);
    await show(a);
    await applyCode(review, { ...used, hints: [] });
    assert.equal(await onDisk(a), source.replace('return 1;', 'return 10;'));
  });

  test('replaces a whole file or selection only after the user confirms', async (context) => {
    const { folder, review, used, applied } = await setUp(context, { text: 'const all = 1;' });
    const path = await file(folder, 'a.ts', source);
    const editor = await show(path);
    editor.selection = new vscode.Selection(4, 0, 6, 1);
    const name = vscode.workspace.asRelativePath(path);
    const answers = ['Replace the whole file…', undefined, 'Replace the selection', 'Replace'];
    const said = userOf(context, undefined, ...answers);
    await applyCode(review, used);
    await applyCode(review, used);
    assert.equal(await onDisk(path), source);
    assert.deepEqual(said, ['pick', 'pick', `Replace all of ${name} with this code?`]);
    const again = await show(path);
    again.selection = new vscode.Selection(4, 0, 6, 1);
    await applyCode(review, used);
    assert.deepEqual(said.slice(3), ['pick', `Replace the selection in ${name} with this code?`]);
    assert.equal(await onDisk(path), 'function one() {\n  return 1;\n}\n\nconst all = 1;\n');
    assert.deepEqual(applied, [path]);
  });

  test('asks before it is written outside the folders or to guarded places', async (context) => {
    const { folder, review, used, applied } = await setUp(context, { info: 'json .vscode/tasks.json', text: '{}' });
    const outside = await file(await outsideFolder(context), 'a.ts', source);
    const said = userOf(context, 'Create File');
    await applyCode(review, used);
    await applyCode(review, { ...used, info: `ts ${outside}`, text: 'function two() {\n  return 20;\n}' });
    assert.deepEqual(applied, []);
    assert.equal(await onDisk(outside), source);
    assert.match(said[0] ?? '', /tasks\.json doesn’t exist\. Create it\?/);
    assert.match(said[1] ?? '', /Write a file that needs your attention\?\n.*tasks\.json\n\nEditor settings/);
    assert.match(said[2] ?? '', /Write a file outside this session’s folders\?\n.*a\.ts/);
    await assert.rejects(onDisk(join(folder, '.vscode/tasks.json')));
  });

  test('becomes a new file with a proposed name and replaces none', async (context) => {
    const { folder, session, review, used, applied } = await setUp(context, {
      info: 'ts',
      text: '// src/new.ts\nconst a = 1;',
    });
    const said = userOf(context, 'src/new.ts');
    await createFromCode(review, used);
    const path = join(folder, 'src/new.ts');
    assert.equal(await onDisk(path), 'const a = 1;\n');
    assert.equal(vscode.window.activeTextEditor?.document.fileName, path);
    assert.deepEqual(said, [`Create file: ${join('src', 'new.ts')}`]);
    assert.equal(await createFile(review, session, path, 'const b = 1;'), false);
    // A file that appears while the new one is being written stays, too.
    const late = join(folder, 'late.ts');
    const slow = {
      log: new ReviewLog(),
      applying: async (_session: Session, _uri: vscode.Uri, write: () => Promise<void>) => {
        await writeFile(late, 'first\n');
        await write();
      },
    };
    assert.equal(await createFile(slow, session, late, 'second'), false);
    assert.equal(await onDisk(late), 'first\n');
    assert.equal(await onDisk(path), 'const a = 1;\n');
    assert.deepEqual(applied, [path]);
  });

  test('runs in a terminal only after the user confirms all text', async (context) => {
    const { folder, used } = await setUp(context, { info: 'bash', text: '$ echo a\u202eb > ran.txt\n\n' });
    const opened: vscode.Terminal[] = [];
    const listening = vscode.window.onDidOpenTerminal((terminal) => opened.push(terminal));
    context.after(() => {
      listening.dispose();
      for (const terminal of opened) terminal.dispose();
    });
    const said = userOf(context, undefined, 'Run in Terminal');
    await runCode(used);
    assert.equal(opened.length, 0);
    assert.equal(said[0], `Run this command from Test?\necho a\\u{202e}b > ran.txt\n\nFolder: ${folder}`);
    const ran = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, 'ran.txt'));
    context.after(() => ran.dispose());
    const appeared = new Promise((resolve) => ran.onDidCreate(resolve));
    await runCode({ ...used, text: '$ echo ab > ran.txt' });
    await appeared;
    // The control character would stop the shell's line before.
    await runCode({ ...used, text: 'echo a\u0003rm -r b' });
    assert.match(said.at(-1) ?? '', /control characters/);
  });
});
