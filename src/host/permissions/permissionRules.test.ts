import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { mementoOf } from '../../../test/unit-support/memento';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import { toolCallSubject } from '../../acp/v1/permission';
import type { Judgment, PermissionCase } from '../../session/services';
import { compact } from '../../shared/values/decodeValue';
import type { Freedom } from '../../shared/limits/freedom';
import type { HostTarget } from '../../shared/limits/hostTarget';
import type { ToolCallEntry } from '../../shared/transcript/transcript';
import type { EntryId, SessionKey, ToolCallId } from '../../shared/values/ids';
import type { Log } from '../log/log';
import { LazyParser } from './lazyParser';
import { UserPermissionRules } from './permissionRules';
import { RuleAnswers } from './ruleAnswers';
import { RuleBook } from './ruleBook';

const said: string[] = [];
const say = (text: string) => void said.push(text);
const log = { info: say, warn: say, error: say } as unknown as Log;
const parser = new LazyParser(resolve('node_modules/@vscode/tree-sitter-wasm/wasm'), log);
const isPosix = process.platform !== 'win32';

const folder = tempFolder({ after });
const project = join(folder, 'project');
before(() => {
  mkdirSync(join(project, 'src', 'sub'), { recursive: true });
  mkdirSync(join(folder, 'private'));
  for (const file of ['project/src/a.ts', 'project/src/b.ts', 'project/src/sub/c.ts', 'private/key'])
    writeFileSync(join(folder, file), '');
  if (!isPosix) return;
  symlinkSync(join(folder, 'private'), join(project, 'out'));
  symlinkSync(join(folder, 'private', 'key'), join(project, 'src', 'sub', 'key.txt'));
});
beforeEach(() => {
  editor.reset();
  editor.folders = [project];
  said.length = 0;
});

const allow = (command: string) => ({ command, answer: 'allow_once' });

interface Asked {
  readonly user?: readonly object[];
  readonly workspace?: readonly object[];
  readonly used?: Pick<LazyParser, 'get'>;
  /** What the user allowed in the whole session. */
  readonly freedom?: Freedom;
  readonly host?: HostTarget;
  readonly leavesSandbox?: boolean;
  readonly toolKind?: ToolCallEntry['toolKind'];
  readonly rawInput?: object;
}

async function judged(command: string, asked: Asked): Promise<Judgment | undefined> {
  const { user = [], workspace, used = parser, freedom, host, leavesSandbox, toolKind = 'execute' } = asked;
  const settings = {
    permissionsByScope: { user, workspace },
    setUserPermissions: () => Promise.resolve(),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const memory = mementoOf();
  const policy = { takesEverything: true, takesAllowRules: true, rules: [] };
  const book = new RuleBook({ settings, memory, policy, log });
  const everything = { freedomOf: () => freedom };
  const answers = new RuleAnswers(memory);
  const rules = new UserPermissionRules({ log, book, everything, answers, parser: used, now: () => 1 });
  const request: PermissionCase = {
    session: 's' as SessionKey,
    agentName: 'Codex',
    cwd: project,
    entry: {
      kind: 'tool_call',
      id: 'tool_call:c' as EntryId,
      turn: 1,
      toolCallId: 'c' as ToolCallId,
      title: 'Run it',
      toolKind,
      status: 'pending',
      content: [],
      locations: [],
      rawInput: asked.rawInput ?? { command },
      permission: { state: 'none' },
      startedAt: 0,
    },
    subject: toolCallSubject({ toolCallId: 'c' }),
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
    ...compact({ host, leavesSandbox }),
  };
  return rules.answer(request);
}

async function answerOf(command: string, asked: Asked): Promise<string> {
  return (await judged(command, asked))?.option?.optionId ?? 'asked';
}

void describe('rules from the settings', () => {
  void it('combine user and workspace, and rejecting wins', async () => {
    const user = [allow('npm test *')];
    const workspace = [allow('make *'), { command: 'npm test --all', answer: 'reject_once' }];
    assert.equal(await answerOf('npm test', { user, workspace }), 'yes');
    assert.equal(await answerOf('make all', { user, workspace }), 'yes');
    assert.equal(await answerOf('npm test --all', { user, workspace }), 'no');
    assert.match(said.at(-1) ?? '', /by rule 2 of the workspace settings \(npm test --all\)\.$/);
  });

  void it('allow a line together, and are listed', { skip: !isPosix }, async () => {
    const rules = { user: [allow('npm test *'), allow('cat *')], workspace: [allow('head *')] };
    assert.equal(await answerOf('npm test | head -5', rules), 'yes');
    assert.match(said.at(-1) ?? '', /by rule 1 \(npm test \*\) and rule 1 of the workspace settings \(head \*\)\.$/);
    assert.equal(await answerOf('npm test | tail -5', rules), 'asked');
  });

  void it('allow files only where their links lead', { skip: !isPosix }, async () => {
    const rules = { user: [allow('cat *')] };
    for (const line of ['cat src/a.ts', 'cat src/*.ts', 'cat s*/b.ts', 'cd src && cat a.ts', 'cd src/sub && cat c.ts'])
      assert.equal(await answerOf(line, rules), 'yes', line);
    for (const line of [
      'cat out/key',
      'cat out/*',
      'cat src/sub/*',
      'cat */key',
      'cat src/sub/key.txt',
      'cd out && cat key',
      'cd src/sub && cat key.txt',
      'cat ../private/key',
    ])
      assert.equal(await answerOf(line, rules), 'asked', line);
  });

  void it('can reject but not allow commands without a parser', { skip: !isPosix }, async () => {
    const missing = new LazyParser(join(project, 'missing'), log);
    const user = [allow('npm test *'), { command: 'rm *', answer: 'reject_once' }];
    assert.equal(await answerOf('npm test', { user, used: missing }), 'asked');
    assert.match(said.join('\n'), /couldn't load the parser for commands/);
    assert.equal(await answerOf('npm test && rm x', { user, used: missing }), 'no');
  });
});

void describe('a session that allows everything', () => {
  const freedom = 'everything';

  void it('allows once what no rule answers, with a note', { skip: !isPosix }, async () => {
    const judgment = await judged('npm run build | tee log', { freedom });
    assert.ok(judgment?.option);
    assert.deepEqual([judgment.option.optionId, judgment.rule, judgment.freedom], ['yes', '', 'everything']);
    assert.equal(await answerOf('npm run build', {}), 'asked');
  });

  void it('still has rules that reject and ask', { skip: !isPosix }, async () => {
    const user = [
      { command: 'npm *', answer: 'reject_once' },
      { command: 'make *', answer: 'ask' },
    ];
    assert.equal(await answerOf('npm run build', { user, freedom }), 'no');
    assert.equal(await answerOf('make all', { user, freedom }), 'asked');
  });

  void it('still asks about destructive, guarded, and unclear actions', async () => {
    const asks = (rawInput: object, toolKind: ToolCallEntry['toolKind'] = 'execute') =>
      answerOf('', { freedom, rawInput, toolKind });
    assert.equal(await asks({ command: 'rm -rf src' }), 'asked');
    assert.equal(await asks({ path: '.vscode/settings.json', content: '' }, 'edit'), 'asked');
    assert.equal(await asks({ command: 'cp a .git/hooks/pre-commit' }), 'asked');
    assert.equal(await asks({ command: 'PATH=/tmp npm test' }), 'asked');
    assert.equal(await asks({ command: 'x=rm; $x -rf .' }), 'asked');
    assert.equal(await asks({ command: 'eval "$(echo cm0gLXJm | base64 -d)"' }), 'asked');
    assert.equal(await asks({ command: 'npm test', surprise: { of: 'an agent' } }), 'asked');
    assert.equal(await asks({ plan: 'Go' }, 'switch_mode'), 'asked');
    assert.equal(await asks({}, 'edit'), 'asked');
    assert.equal(await asks({}, 'delete'), 'asked');
    assert.equal(await asks({ path: 'src/a.ts', content: '' }, 'edit'), 'yes');
  });

  void it('runs what Parley can’t read if a sandbox holds it', async () => {
    const inside = (rawInput: object, others: Asked = {}) =>
      answerOf('', { freedom: 'inSandbox', rawInput, ...others });
    assert.equal(await inside({ command: 'x=a; $x b' }), 'yes');
    assert.equal(await inside({ command: 'PATH=./bin npm test' }), 'yes');
    assert.equal(await inside({ command: 'if true; then' }), 'yes');
    assert.equal(await inside({ path: 'src/a.ts', content: '' }, { toolKind: 'edit' }), 'yes');
    const stillAsked = [
      inside({ command: 'cp a .git/hooks/pre-commit' }),
      inside({ command: 'x=a; cp $x .vscode/tasks.json' }),
      inside({ path: '.vscode/settings.json', content: '' }, { toolKind: 'edit' }),
      inside({ command: 'rm -rf src' }),
      inside({ command: 'git push --force' }),
      inside({ command: 'npm test', surprise: { of: 'an agent' } }),
      inside({ plan: 'Go' }, { toolKind: 'switch_mode' }),
      inside({}, { host: { host: 'a.example', port: 443 } }),
      inside({ command: 'npm test' }, { leavesSandbox: true }),
    ];
    assert.deepEqual([...new Set(await Promise.all(stillAsked))], ['asked']);
  });

  void it('offers no lasting rule for leaving plan mode', async () => {
    const offers = async (asked: Asked) => {
      const judgment = await judged('npm test', asked);
      return judgment && 'takesRules' in judgment ? judgment.takesRules : undefined;
    };
    assert.equal((await offers({}))?.length === 0, false);
    assert.deepEqual(await offers({ toolKind: 'switch_mode', rawInput: { plan: 'Go' } }), []);
  });

  void it('offers no lasting rule where none can fit, and names each risk', async () => {
    const found = async (command: string) => {
      const judgment = await judged(command, {});
      if (judgment?.option !== undefined || !judgment || !('takesRules' in judgment)) return undefined;
      return [judgment.takesRules, (judgment.risks ?? []).map(({ kind }) => kind)];
    };
    assert.deepEqual(await found('PATH=/tmp npm test'), [['reject_once'], []]);
    assert.deepEqual(await found('npm test'), [['allow_once', 'reject_once'], []]);
    assert.deepEqual((await found('git clean -fdx && rm -rf ~/.config'))?.[1], ['deletes', 'discards']);
  });

  void it('asks about everything in Restricted Mode, and saves no rules there', async () => {
    editor.isTrusted = false;
    const judgment = await judged('rm -rf src', { freedom, user: [allow('rm *')] });
    assert.deepEqual(judgment, {
      option: undefined,
      risks: [{ kind: 'deletes', command: 'rm -rf src' }],
      takesRules: [],
    });
  });
});
