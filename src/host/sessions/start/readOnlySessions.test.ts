import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadParser, requestOf } from '../../../../test/unit-support/ruleRequests';
import type { Judgment, PermissionCase, TerminalService } from '../../../session/services';
import type { SessionKey } from '../../../shared/values/ids';
import type { PermissionOption } from '../../../shared/transcript/transcript';
import { ReadOnlySessions } from './readOnlySessions';

const reviewer = 'session:2' as SessionKey;
const options: readonly PermissionOption[] = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/** A window in which rules allow everything. */
async function window() {
  const parser = await loadParser();
  const allowing: Judgment = { option: options[0]!, rule: 'all' };
  const guard = new ReadOnlySessions((key) => key === reviewer, {
    answer: () => allowing,
    place: ({ entry }) => Promise.resolve(requestOf({ entry }, parser)),
  });
  const done: string[] = [];
  const files = guard.files({
    readTextFile: () => Promise.resolve('text'),
    writeTextFile: (_context, { path }) => Promise.resolve(void done.push(`write ${path}`)),
  });
  const terminals = guard.terminals({
    create: (_context: unknown, { command, args }: { command: string; args: readonly string[] }) => {
      done.push([command, ...args].join(' '));
      return Promise.resolve({});
    },
  } as unknown as TerminalService);
  const answer = async (session: SessionKey, entry: object, offered = options) => {
    const request = { session, options: offered, entry: { content: [], ...entry }, subject: { fields: {} } };
    const judgment = await guard.answer(request as unknown as PermissionCase);
    return judgment?.option?.optionId ?? 'ask';
  };
  return { files, terminals, answer, done };
}

const context = (session: SessionKey) =>
  ({ session, agentName: 'Codex', cwd: '/ws' }) as PermissionCase & { ask: never };
const { signal } = new AbortController();

test('rejects what a reviewer asks to change, and nothing of others', async () => {
  const { answer } = await window();
  const edit = { toolKind: 'edit', locations: [{ path: '/ws/a.ts' }] };
  const read = { toolKind: 'read', locations: [{ path: '/ws/a.ts' }] };
  const run = (command: string) => ({ toolKind: 'execute', rawInput: { command } });
  const asked = [edit, read, run('git diff'), run('npm test'), { toolKind: 'switch_mode' }, { toolKind: 'other' }];
  const answers = async (key: string) => Promise.all(asked.map((entry) => answer(key as SessionKey, entry)));
  assert.deepEqual(await answers(reviewer), ['no', 'yes', 'yes', 'no', 'no', 'no']);
  assert.deepEqual(await answers('session:1'), ['yes', 'yes', 'yes', 'yes', 'yes', 'yes']);
  // Without a way to reject, no rule allows it either.
  assert.equal(await answer(reviewer, edit, options.slice(0, 2)), 'ask');
});

test('refuses a reviewer’s writes and commands', async () => {
  const { files, terminals, done } = await window();
  const run = (key: SessionKey, command: string, env = {}) => {
    const [program = '', ...args] = command.split(' ');
    return terminals.create(context(key), { command: program, args, env }, {} as never);
  };
  const write = (key: SessionKey) => files.writeTextFile(context(key), { path: '/ws/a.ts', content: '' }, signal);
  await assert.rejects(write(reviewer), /only reads/);
  assert.equal(await files.readTextFile(context(reviewer) as never, { path: '/ws/a.ts' }, signal), 'text');
  await run(reviewer, 'git diff', { NO_COLOR: '1' });
  await assert.rejects(run(reviewer, 'rm a.ts'), /only reads/);
  await assert.rejects(run(reviewer, 'git diff', { GIT_EXTERNAL_DIFF: './x' }), /only reads/);
  await write('session:1' as SessionKey);
  await run('session:1' as SessionKey, 'rm a.ts');
  assert.deepEqual(done, ['git diff', 'write /ws/a.ts', 'rm a.ts']);
});
