import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { setting } from '../filesSupport';
import { until } from '../poll';
import { projectFolder } from '../projectFolder';

/**
 * The last suite, by its file name. It leaves a process running for the check after the extension host exits ("no
 * process outlives the extension host"), which would otherwise have nothing to find.
 */
suite('processes that run until the end', () => {
  const leavesAgent = async (context: TestContext) => {
    const extension = vscode.extensions.getExtension('parley.parley-acp');
    assert.ok(extension);
    const script = join(projectFolder(), 'test', 'fixtures', 'agents', 'deafWithTerminal.mjs');
    // Makes the editor's executable act as Node on the desktop, too.
    const agent = { command: process.execPath, args: [script], env: { ELECTRON_RUN_AS_NODE: '1' } };
    await setting(context, 'parley.agents', { Deaf: agent });
    await extension.activate();
    const file = join(tmpdir(), `parley-deaf-${process.pid}.json`);
    context.after(() => rm(file, { force: true }));
    await vscode.commands.executeCommand('parley.newSession', { agent: 'Deaf', prompt: file });
    await until(() => existsSync(file));
    const { pid, terminalId } = JSON.parse(await readFile(file, 'utf8')) as { pid: number; terminalId: string };
    assert.equal(typeof terminalId, 'string');
    assert.equal(process.kill(pid, 0), true);
  };
  test('leaves an agent that ignores SIGTERM and its terminal running', leavesAgent, 60_000, true);
});
