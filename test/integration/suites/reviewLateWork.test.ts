import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RestorePreview } from '../../../src/shared/changes/review';
import { suite, test } from '../api';
import { file, onDisk, scratchFolder, show, type } from '../filesSupport';
import { until } from '../reviewFiles';
import { afterTheTurn, changes, newAgent, newSession, undo, type Step } from '../reviewSupport';

const exists = (path: string) =>
  until(
    () => existsSync(path),
    () => `${path} was not written`,
  );
/**
 * Runs in a terminal: writes its process id to one file, waits for another, runs a script, writes a third file, and goes on until it is
 * stopped.
 */
const background = (
  files: { readonly pid?: string; readonly go: string; readonly done?: string },
  script = '',
): Step => {
  const text = `const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
    const { pid, go, done } = ${JSON.stringify(files)};
    if (pid) { writeFileSync(pid + '.part', String(process.pid)); renameSync(pid + '.part', pid); }
    const timer = setInterval(() => {
      if (!existsSync(go)) return;
      clearInterval(timer);
      ${script}
      if (done) writeFileSync(done, '');
      setInterval(() => {}, 60_000);
    }, 50);`;
  return { terminal: process.execPath, args: ['-e', text] };
};
/** Writes the same file, with a word in upper case. */
const turned = (path: string, from: string) =>
  `const path = ${JSON.stringify(path)}; writeFileSync(path, readFileSync(path, 'utf8').replace('${from}', '${from.toUpperCase()}'));`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
/** Ends what the session still does, so that what the next test makes isn't taken for the agent's. */
async function end(): Promise<void> {
  await vscode.commands.executeCommand('parley.closeSession');
  await afterTheTurn();
}
/** Not what other tests write: a file that one of them has just deleted would count as renamed to one of these. */
const letters = 'alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\ntheta\n';
const tell = (update: object): Step => ({ tell: update });
const message = tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'By the way' } });

suite('writes after a turn are reviewed', () => {
  test('of a background command until the user stops it', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', letters);
    const own = await file(folder, 'own.txt', letters);
    const [answered, go, pid] = ['answered', 'go', 'pid'].map((name) => join(folder, name)) as [string, string, string];
    const agent = await newAgent(context);
    await agent.turn(background({ pid, go }, turned(path, 'beta')), { later: [{ sign: answered }] });
    await exists(answered);
    // What the user types and saves in the meantime is the user's.
    const editor = await show(own);
    await type(editor, 0, 3, ' mine');
    await editor.document.save();
    await file(folder, 'go', '');
    const [beta] = await changes(path, 1);
    assert.equal(beta?.line, 1);
    await changes(own, 0);
    await undo(beta);
    assert.equal(await onDisk(path), letters);
    const command = Number(await onDisk(pid));
    assert.ok(isRunning(command));
    await vscode.commands.executeCommand('parley.cancelTurn');
    await until(
      () => !isRunning(command),
      () => `${command} is still running`,
    );
    await end();
  });

  test('of a running subagent and of an unprompted agent', async (context) => {
    const folder = await scratchFolder(context);
    const paths = await Promise.all(['a.txt', 'b.txt'].map((name) => file(folder, name, letters)));
    const [answered, first, second] = ['answered', 'first', 'second'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const [a, b] = paths as [string, string];
    const agent = await newAgent(context);
    const subagent = (state: object) =>
      tell({ sessionUpdate: 'subagent_update', sessionId: 'sub', title: 'Sub', state });
    await agent.turn(subagent({ state: 'running' }), {
      later: [
        { sign: answered },
        { awaits: first },
        { edit: a, from: 'beta', to: 'BETA' },
        subagent({ state: 'idle', stopReason: 'end_turn' }),
        { awaits: second },
        message,
        // As long as a model takes to think.
        { pause: 500 },
        tell({ sessionUpdate: 'tool_call', toolCallId: 'e', title: 'Edit', kind: 'edit', status: 'in_progress' }),
        { edit: b, from: 'epsilon', to: 'EPSILON' },
        tell({ sessionUpdate: 'tool_call_update', toolCallId: 'e', status: 'completed', locations: [{ path: b }] }),
      ],
    });
    await exists(answered);
    await file(folder, 'first', '');
    const [beta] = await changes(a, 1);
    assert.equal(beta?.line, 1);
    assert.match(beta.tooltip, /Told/);
    await file(folder, 'second', '');
    const [epsilon] = await changes(b, 1);
    assert.equal(epsilon?.line, 4);
    await undo(epsilon);
    assert.equal(await onDisk(b), letters);
    await end();
  });

  test('and are restored with the turn that started them', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', letters);
    const [go, done] = [join(folder, 'go'), join(folder, 'done')];
    const session = await newSession(context);
    await session.turn(background({ go, done }, turned(path, 'beta')));
    // The session takes the next message as usual.
    await session.turn({ edit: path, from: 'theta', to: 'THETA' });
    await changes(path, 1);
    await file(folder, 'go', '');
    await exists(done);
    await changes(path, 2);
    const preview = await vscode.commands.executeCommand<RestorePreview | undefined>('parley.checkpoints.preview', 2);
    assert.ok(preview);
    assert.ok(preview.files.some((found) => found.path.endsWith('a.txt')));
    assert.ok(preview.files.every(({ conflict }) => conflict === undefined));
    await vscode.commands.executeCommand('parley.checkpoints.restore', 2, []);
    assert.equal(await onDisk(path), letters);
    await vscode.commands.executeCommand('parley.cancelTurn');
    await end();
  });

  test('but not those of the user after the session closed', async (context) => {
    const folder = await scratchFolder(context);
    const answered = join(folder, 'answered');
    const agent = await newAgent(context);
    await agent.turn(background({ go: join(folder, 'never') }), { later: [{ sign: answered }] });
    await exists(answered);
    await end();
    // The clock of the file system may lag, so what is written at the very end still counts as the closed session's.
    await afterTheTurn();
    const mine = await file(folder, 'mine.txt', letters);
    // The agent is running already, so the turn begins at once.
    await afterTheTurn();
    await agent.turn({ edit: mine, from: 'beta', to: 'BETA' });
    const [beta] = await changes(mine, 1);
    assert.equal(beta?.line, 1);
  });
});
