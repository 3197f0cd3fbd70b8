import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { ClientContext, ClientQuestion } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import { fileKey, type FileTarget } from '../base/filePaths';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import type { OutsidePolicy } from '../settings/settingTable';
import { OutsideGuard, type FileAccess } from './outsideGuard';

const inside = resolve('/project');
const folders = [{ path: inside, realPath: inside }];
const signal = new AbortController().signal;

function target(path: string): FileTarget {
  const realPath = resolve(path);
  return { path: realPath, realPath, key: fileKey(realPath) };
}

/** Creates a session whose user gives these answers in order. */
function session(
  name: string,
  ...answers: (string | undefined)[]
): { context: ClientContext; asked: ClientQuestion[] } {
  const asked: ClientQuestion[] = [];
  const context: ClientContext = {
    session: name as SessionKey,
    agentName: 'Test',
    cwd: inside,
    ask: async (question) => {
      asked.push(question);
      return answers.shift();
    },
  };
  return { context, asked };
}

async function admit(guard: OutsideGuard, access: FileAccess, path: string, context: ClientContext): Promise<void> {
  const verdict = guard.judge(access, target(path), folders, context.session);
  if (verdict.kind === 'ask') await guard.ask(access, target(path), verdict, context, signal, async () => []);
}

test('never asks inside the folders, whatever the setting', async () => {
  const { context, asked } = session('s');
  for (const policy of ['ask', 'allow', 'deny'] satisfies OutsidePolicy[]) {
    await admit(new OutsideGuard(() => policy), 'write', '/project/src/a.ts', context);
  }
  assert.equal(asked.length, 0);
});

test('allows or denies outside access by the setting without asking', async () => {
  const { context, asked } = session('s');
  await admit(new OutsideGuard(() => 'allow'), 'write', '/other/a', context);
  await assert.rejects(
    admit(new OutsideGuard(() => 'deny'), 'read', '/other/a', context),
    /outside this session's folders/,
  );
  assert.equal(asked.length, 0);
});

test('asks again after access was allowed once', async () => {
  const { context, asked } = session('s', 'allow_once', 'allow_once');
  const guard = new OutsideGuard(() => 'ask');
  await admit(guard, 'read', '/other/a', context);
  await admit(guard, 'read', '/other/a', context);
  assert.equal(asked.length, 2);
  assert.equal(asked[0]?.toolKind, 'read');
  assert.deepEqual(asked[0].locations, [{ path: resolve('/other/a') }]);
});

test('a grant for the session covers only that session and access', async () => {
  const { context, asked } = session('s', 'allow_file', 'allow_once', 'allow_once');
  const guard = new OutsideGuard(() => 'ask');
  await admit(guard, 'read', '/other/a', context);
  await admit(guard, 'read', '/other/a', context);
  assert.equal(asked.length, 1);
  await admit(guard, 'write', '/other/a', context);
  await admit(guard, 'read', '/other/b', context);
  assert.equal(asked.length, 3);
  const other = session('t', 'allow_once');
  await admit(guard, 'read', '/other/a', other.context);
  assert.equal(other.asked.length, 1);
});

test('a write grant for a folder includes reading until the session ends', async () => {
  const { context, asked } = session('s', 'allow_folder', 'allow_once');
  const guard = new OutsideGuard(() => 'ask');
  await admit(guard, 'write', '/other/a', context);
  await admit(guard, 'write', '/other/deep/b', context);
  await admit(guard, 'read', '/other/c', context);
  assert.equal(asked.length, 1);
  guard.forget(context.session);
  await admit(guard, 'read', '/other/c', context);
  assert.equal(asked.length, 2);
});

test('asks once for two simultaneous requests for a file if allowed', async () => {
  const { context, asked } = session('s', 'allow_file');
  const guard = new OutsideGuard(() => 'ask');
  await Promise.all([admit(guard, 'read', '/other/a', context), admit(guard, 'read', '/other/a', context)]);
  assert.equal(asked.length, 1);
});

test('never offers to allow a whole home folder', async () => {
  const { context, asked } = session('s', 'allow_once', 'allow_once');
  const guard = new OutsideGuard(() => 'ask');
  await admit(guard, 'read', join(homedir(), '.profile'), context);
  await admit(guard, 'read', join(homedir(), 'other-project', 'a'), context);
  const ids = asked.map((question) => question.options.map((option) => option.optionId));
  assert.deepEqual(ids, [
    ['allow_once', 'allow_file', 'reject'],
    ['allow_once', 'allow_file', 'allow_folder', 'reject'],
  ]);
});

test('shows in the question where a link leads', async () => {
  const { context, asked } = session('s', 'allow_once');
  const real = resolve('/secret/key');
  const link = { path: resolve('/project/link'), realPath: real, key: fileKey(real) };
  const guard = new OutsideGuard(() => 'ask');
  const verdict = guard.judge('read', link, folders, context.session);
  assert.ok(verdict.kind === 'ask' && verdict.isOutside);
  await guard.ask('read', link, verdict, context, signal, async () => []);
  assert.ok(asked[0]?.title.includes(real));
});

test('reports rejected and unanswered questions to the agent', async () => {
  const { context } = session('s', 'reject', undefined);
  const guard = new OutsideGuard(() => 'ask');
  await assert.rejects(admit(guard, 'write', '/other/a', context), {
    code: -32603,
    message: /denied permission to write/,
  });
  await assert.rejects(admit(guard, 'read', '/other/a', context), { code: -32603, message: /didn't respond/ });
});

test('always asks for each write to a guarded place', async () => {
  const allowed = session('s', 'allow_folder');
  const guard = new OutsideGuard(() => 'ask');
  await admit(guard, 'write', '/other/a', allowed.context);
  for (const [policy, path] of [
    ['allow', '/project/.vscode/tasks.json'],
    ['ask', '/project/.git/hooks/pre-commit'],
    ['allow', '/project/sub/.claude/settings.local.json'],
    ['allow', '/project/my.code-workspace'],
    ['allow', '/other/.envrc'],
    ['ask', '/project/.HUSKY/pre-push'],
  ] as const) {
    const { context, asked } = session('s', 'allow_once', 'allow_folder', 'allow_file', undefined);
    const guarded = policy === 'ask' ? guard : new OutsideGuard(() => policy);
    await admit(guarded, 'write', path, context);
    // These answers aren't offered, so they are refused.
    await assert.rejects(admit(guarded, 'write', path, context), /always needs the user's permission/);
    await assert.rejects(admit(guarded, 'write', path, context), /always needs the user's permission/);
    await assert.rejects(admit(guarded, 'write', path, context), /didn't respond/);
    assert.equal(asked.length, 4, path);
    assert.deepEqual(
      asked[0]?.options.map(({ optionId }) => optionId),
      ['allow_once', 'reject'],
    );
    const [why] = asked[0].content;
    assert.ok(why?.type === 'content' && why.content.type === 'text' && why.content.text.endsWith('.'), path);
  }
});

test('guards a link to a guarded place and a link inside one', async () => {
  const guard = new OutsideGuard(() => 'allow');
  const real = resolve('/project/.git/hooks/pre-commit');
  const { context } = session('s');
  const link = { path: resolve('/project/notes.txt'), realPath: real, key: fileKey(real) };
  assert.equal(guard.judge('write', link, folders, context.session).kind, 'ask');
  const plain = resolve('/project/notes.txt');
  const named = { path: resolve('/project/.vscode/settings.json'), realPath: plain, key: fileKey(plain) };
  assert.equal(guard.judge('write', named, folders, context.session).kind, 'ask');
  assert.equal(guard.judge('read', named, folders, context.session).kind, 'admitted');
});

test('judges a project inside a guarded folder from its outermost root', async () => {
  const guard = new OutsideGuard(() => 'ask');
  const { context } = session('s');
  const worktree = resolve('/home/me/.codex/worktrees/x');
  const inWorktree = [{ path: worktree, realPath: worktree }];
  const kind = (path: string, roots: typeof folders) => guard.judge('write', target(path), roots, context.session).kind;
  assert.equal(kind(`${worktree}/src/a.ts`, inWorktree), 'admitted');
  assert.equal(kind(`${worktree}/.vscode/tasks.json`, inWorktree), 'ask');
  const settings = resolve('/project/.claude');
  assert.equal(kind('/project/.claude/settings.json', [...folders, { path: settings, realPath: settings }]), 'ask');
});

test('asks about each file that the sandbox hides or keeps', async () => {
  const policy: SandboxPolicy = {
    mode: 'files',
    folders: [inside],
    state: [],
    shared: [],
    hosts: [],
    localPorts: [],
    readOnly: [join(inside, 'held')],
    unreadable: [join(inside, '.env'), resolve('/home/me/.ssh')],
  };
  const { context, asked } = session('s', 'allow_once', 'allow_file', 'allow_once');
  const guard = new OutsideGuard(() => 'allow');
  const enter = async (access: FileAccess, path: string) => {
    const verdict = guard.judge(access, target(path), folders, context.session, policy);
    if (verdict.kind === 'ask') await guard.ask(access, target(path), verdict, context, signal, async () => []);
  };
  await enter('read', '/project/.env');
  await assert.rejects(enter('read', '/project/.env'), /denied/);
  await enter('read', '/project/held/a');
  await enter('write', '/project/held/a');
  await assert.rejects(enter('read', '/home/me/.ssh/id_rsa'), /respond/);
  assert.deepEqual(
    asked.map(({ options }) => options.length),
    [2, 2, 2, 2],
  );
});
