import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RestorePreview } from '../../../src/shared/review';
import { suite, test } from '../api';
import { file, onDisk, scratchFolder, show, type } from '../filesSupport';
import { needsPosix } from '../platform';
import { until } from '../reviewFiles';
import { afterTheTurn, changes, eight, newAgent, newSession, undo, type Step } from '../reviewSupport';

const exists = (path: string) =>
  until(
    () => existsSync(path),
    () => `${path} was not written`,
  );
const turned = (path: string, from: string) =>
  `sed 's/${from}/${from.toUpperCase()}/' ${path} > ${path}.part; cat ${path}.part > ${path}`;
const waits = (path: string) => `while [ ! -e ${path} ]; do sleep 0.05; done`;
/** Ends what the session still does, so that what the next test makes isn't taken for the agent's. */
async function end(): Promise<void> {
  await vscode.commands.executeCommand('parley.closeSession');
  await afterTheTurn();
}
const tell = (update: object): Step => ({ tell: update });
const message = tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'By the way' } });

suite('the user reviews what is written after a turn', () => {
  test('by a command that goes on in the background, until the user stops it', async (context) => {
    needsPosix(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const own = await file(folder, 'own.txt', eight);
    const [answered, go, stopped] = ['answered', 'go', 'stopped'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const agent = await newAgent(context);
    const line = `trap 'echo > ${stopped}; exit' TERM; ${waits(go)}; ${turned(path, 'two')}; ${waits('/never')}`;
    await agent.turn({ terminal: line }, { later: [{ sign: answered }] });
    await exists(answered);
    // What the user types and saves in the meantime is the user's.
    const editor = await show(own);
    await type(editor, 0, 3, ' mine');
    await editor.document.save();
    await file(folder, 'go', '');
    const [two] = await changes(path, 1);
    assert.equal(two?.line, 1);
    await changes(own, 0);
    await undo(two);
    assert.equal(await onDisk(path), eight);
    assert.equal(existsSync(stopped), false);
    await vscode.commands.executeCommand('parley.cancelTurn');
    await exists(stopped);
    await end();
  });

  test('by a subagent that is still running, and by an agent that works without a message', async (context) => {
    const folder = await scratchFolder(context);
    const paths = await Promise.all(['a.txt', 'b.txt'].map((name) => file(folder, name, eight)));
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
        { edit: a, from: 'two', to: 'TWO' },
        subagent({ state: 'idle', stopReason: 'end_turn' }),
        { awaits: second },
        message,
        // As long as a model takes to think.
        { pause: 500 },
        tell({ sessionUpdate: 'tool_call', toolCallId: 'e', title: 'Edit', kind: 'edit', status: 'in_progress' }),
        { edit: b, from: 'five', to: 'FIVE' },
        tell({ sessionUpdate: 'tool_call_update', toolCallId: 'e', status: 'completed', locations: [{ path: b }] }),
      ],
    });
    await exists(answered);
    await file(folder, 'first', '');
    const [two] = await changes(a, 1);
    assert.equal(two?.line, 1);
    assert.match(two.tooltip, /Told/);
    await file(folder, 'second', '');
    const [five] = await changes(b, 1);
    assert.equal(five?.line, 4);
    await undo(five);
    assert.equal(await onDisk(b), eight);
    await end();
  });

  test('and restores it with the turn that started it', async (context) => {
    needsPosix(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const [go, done] = [join(folder, 'go'), join(folder, 'done')];
    const session = await newSession(context);
    await session.turn({ terminal: `${waits(go)}; ${turned(path, 'two')}; echo > ${done}; ${waits('/never')}` });
    // The session takes the next message as usual.
    await session.turn({ edit: path, from: 'eight', to: 'EIGHT' });
    await changes(path, 1);
    await file(folder, 'go', '');
    await exists(done);
    await changes(path, 2);
    const preview = await vscode.commands.executeCommand<RestorePreview | undefined>('parley.checkpoints.preview', 2);
    assert.ok(preview);
    assert.ok(preview.files.some((found) => found.path.endsWith('a.txt')));
    assert.ok(preview.files.every(({ conflict }) => conflict === undefined));
    await vscode.commands.executeCommand('parley.checkpoints.restore', 2, []);
    assert.equal(await onDisk(path), eight);
    await vscode.commands.executeCommand('parley.cancelTurn');
    await end();
  });
});
