// Real agents in worktrees: moved there, working there, and merged.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Session } from '../../src/session/session';
import { needsGit } from '../unit-support/platform';
import { editor, window as editorWindow } from '../unit-support/vscode';
import type { ModelRequest } from './modelServer.mjs';
import { allowUntil, ProductAgents } from './productAgents';
import { replacesLine, tool } from './support';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Makes a commit of what is in the project. */
function commitAll(folder: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'First');
}

/** Lets the user accept the suggested branch of a worktree. */
function acceptBranches(context: TestContext): void {
  const createInputBox = () => {
    let accept = () => undefined;
    const ignore = () => ({ dispose: () => undefined });
    return {
      onDidChangeValue: ignore,
      onDidTriggerButton: ignore,
      onDidHide: ignore,
      onDidAccept: (listener: () => undefined) => (accept = listener),
      show: () => accept(),
      dispose: () => undefined,
    };
  };
  Object.assign(editorWindow, { createInputBox });
  context.after(() => Reflect.deleteProperty(editorWindow, 'createInputBox'));
}

const run = async (id: string, ...args: readonly unknown[]) => await editor.commands.get(id)?.(...args);
const read = (folder: string) => readFileSync(join(folder, 'notes.md'), 'utf8');

test('Claude works on in the worktree that it is moved to', { ...needsGit, timeout: 180_000 }, async (context) => {
  acceptBranches(context);
  const desk = ProductAgents.create(context, { 'notes.md': before });
  commitAll(desk.project);
  const seen = await desk.add(context, 'claude', (request) => {
    if (!request.prompt.includes('where')) {
      return replacesLine(request, desk.project, 'two', 'two of Claude')[request.rounds] ?? { text: 'It is changed.' };
    }
    const command = 'pwd > where.txt';
    const runs = { calls: [{ name: tool(request, 'Bash'), input: { command, description: 'Say where' } }] };
    return request.rounds === 0 ? runs : { text: 'It is written.' };
  });
  const session = await desk.send('Please change the notes.');
  await allowUntil(session, 'It is changed.');
  const { window, page } = desk.window();
  await window.review.turns.settled(session.key);
  await run('parley.moveToWorktree', session.key);
  const { cwd } = session.transcript.view;
  assert.notEqual(cwd, desk.project, JSON.stringify(editor.shown));
  assert.equal(read(cwd), before.replace('two', 'two of Claude'));
  assert.equal(read(desk.project), before);

  page.say({ type: 'sendPrompt', session: session.key, text: 'Write where you are.' });
  await allowUntil(session, 'It is written.');
  assert.equal(readFileSync(join(cwd, 'where.txt'), 'utf8'), `${cwd}\n`);
  assert.ok(!existsSync(join(desk.project, 'where.txt')));
  // Its model has the conversation.
  assert.ok(
    seen.some(({ request, body }) => request?.prompt.includes('where') && body?.includes('Please change the notes.')),
  );
});

test(
  'two agents in two worktrees are merged, with one conflict',
  { ...needsGit, timeout: 240_000 },
  async (context) => {
    acceptBranches(context);
    const desk = ProductAgents.create(context, { 'notes.md': before });
    commitAll(desk.project);
    const folders = new Map<string, string>();
    const script = (name: string, line: string) => (request: ModelRequest) => {
      const folder = folders.get(name) ?? desk.project;
      const steps = [
        ...replacesLine(request, folder, line, `${line} of ${name}`),
        ...replacesLine(request, folder, 'four', `four of ${name}`).slice(-1),
      ];
      return steps[request.rounds] ?? { text: 'It is changed.' };
    };
    await desk.add(context, 'claude', script('Claude', 'one'));
    await desk.add(context, 'codex', script('Codex', 'seven'));
    const sessions = new Map<string, Session>();
    for (const [key, name] of [
      ['claude', 'Claude'],
      ['codex', 'Codex'],
    ] as const) {
      const session = await desk.open(key);
      await run('parley.moveToWorktree', session.key);
      folders.set(name, session.transcript.view.cwd);
      sessions.set(name, session);
    }
    assert.equal(new Set([desk.project, ...folders.values()]).size, 3, JSON.stringify(editor.shown));
    for (const session of sessions.values()) session.sendPrompt('Please change the notes.');
    await Promise.all([...sessions.values()].map((session) => allowUntil(session, 'It is changed.')));
    for (const [name, line] of [
      ['Claude', 'one'],
      ['Codex', 'seven'],
    ] as const) {
      const changed = before.replace(line, `${line} of ${name}`).replace('four', `four of ${name}`);
      assert.equal(read(folders.get(name) ?? ''), changed);
    }
    assert.equal(read(desk.project), before);

    const keyOf = (name: string) => sessions.get(name)?.key;
    await run('parley.bringChanges', keyOf('Claude'));
    const ofClaude = before.replace('one', 'one of Claude').replace('four', 'four of Claude');
    assert.equal(read(desk.project), ofClaude);
    editor.answers.push('Resolve in Editor');
    await run('parley.bringChanges', keyOf('Codex'));
    const marked = '<<<<<<< workspace\nfour of Claude\n=======\nfour of Codex\n>>>>>>> parley/session-2';
    const shown = ofClaude.replace('seven', 'seven of Codex').replace('four of Claude', marked);
    assert.equal(desk.documents.open(join(desk.project, 'notes.md')).getText(), shown);
    // The conflict waits in the editor. What doesn't conflict is in the file.
    assert.equal(read(desk.project), ofClaude.replace('seven', 'seven of Codex'));
  },
);
