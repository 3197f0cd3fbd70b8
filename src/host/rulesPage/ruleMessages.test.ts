import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { resolve } from 'node:path';
import { mementoOf } from '../../../test/unit-support/memento';
import { editor } from '../../../test/unit-support/vscode';
import { toolCallSubject } from '../../acp/v1/permission';
import type { PermissionCase } from '../../session/services';
import type { Session } from '../../session/session';
import type { EntryId, RequestKey, SessionKey, ToolCallId } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { WrittenRule } from '../../shared/permissions/permissionRules';
import type { Log } from '../log/log';
import type { ChatPage } from '../pages/chatPage';
import { LazyParser } from '../permissions/lazyParser';
import { UserPermissionRules } from '../permissions/permissionRules';
import { parsePolicy } from '../permissions/policyFile';
import { RuleAnswers } from '../permissions/ruleAnswers';
import { RuleBook } from '../permissions/ruleBook';
import { ruleMessages } from './ruleMessages';

const said: string[] = [];
const say = (text: string) => void said.push(text);
const log = { info: say, warn: say, error: say } as unknown as Log;
const parser = new LazyParser(resolve('node_modules/@vscode/tree-sitter-wasm/wasm'), log);
const key = 's' as SessionKey;
const request = 'r' as RequestKey;
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
] as const;

beforeEach(() => {
  editor.reset();
  editor.folders = ['/w'];
});

interface Setup {
  readonly command: string;
  readonly policy?: string;
  readonly user?: readonly WrittenRule[];
  /** Why settings can't be written. */
  readonly failure?: string;
}

/** An open request, and what the page hears about it. */
function open({ command, policy = '{}', user = [], failure }: Setup) {
  const asked: PermissionCase = {
    session: key,
    agentName: 'Claude',
    cwd: '/w',
    entry: {
      kind: 'tool_call',
      id: 'tool_call:c' as EntryId,
      turn: 1,
      toolCallId: 'c' as ToolCallId,
      title: 'Terminal',
      toolKind: 'execute',
      status: 'pending',
      content: [],
      locations: [],
      rawInput: { command },
      permission: { state: 'none' },
      startedAt: 0,
    },
    subject: toolCallSubject({ toolCallId: 'c' }),
    options,
  };
  const answers: string[] = [];
  const heard: ToWebview[] = [];
  let settle: () => void = () => undefined;
  const done = new Promise<void>((resolveDone) => (settle = resolveDone));
  const session = {
    key,
    openCase: () => asked,
    answerPermission: (_request: RequestKey, optionId: string) => {
      answers.push(optionId);
      settle();
    },
  } as unknown as Session;
  const post = (message: ToWebview) => {
    heard.push(message);
    settle();
  };
  const page = { sessionOf: () => session, post } as unknown as ChatPage;
  const memory = mementoOf();
  const settings = {
    permissionsByScope: { user, workspace: undefined },
    setUserPermissions: () => (failure === undefined ? Promise.resolve() : Promise.reject(new Error(failure))),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const book = new RuleBook({ settings, memory, policy: parsePolicy(policy), log });
  const everything = { freedomOf: () => undefined };
  const rules = new UserPermissionRules({
    log,
    book,
    everything,
    answers: new RuleAnswers(memory),
    parser,
    now: () => 1,
  });
  const mode = { turnOn: () => Promise.resolve(), turnOff: () => undefined };
  const table = ruleMessages({ book, rules, everything: mode, showRules: () => undefined, log });
  return {
    answers,
    book,
    heard,
    async offer(answer: 'allow_once' | 'reject_once') {
      table.offerRules(page, { type: 'offerRules', session: key, request, answer });
      await done;
      const [message] = heard;
      return message?.type === 'ruleOffer' ? message.offer : undefined;
    },
    async save(rule: WrittenRule, scope: 'session' | 'workspace' | 'user' = 'session') {
      table.saveRule(page, { type: 'saveRule', session: key, request, scope, rule });
      await done;
      const [message] = heard;
      return message?.type === 'ruleProblem' ? message.sentence : '';
    },
  };
}

const skip = process.platform === 'win32';

void describe('a rule saved from a request', { skip }, () => {
  void it('is offered, stored, and answers the request once', async () => {
    const offer = await open({ command: 'npm test -- a' }).offer('allow_once');
    assert.deepEqual(offer?.state === 'ready' && offer.rules[0], { command: 'npm test *', answer: 'allow_once' });
    const saved = open({ command: 'npm test -- a' });
    assert.equal(await saved.save({ command: 'npm test *', answer: 'allow_once' }, 'workspace'), '');
    assert.deepEqual(saved.answers, ['yes']);
    assert.equal(saved.book.rulesFor(key)[0]?.scope, 'workspace');
    const rejected = open({ command: 'npm test' });
    assert.equal(await rejected.save({ command: 'npm *', answer: 'reject_once' }), '');
    assert.deepEqual(rejected.answers, ['no']);
  });

  void it("isn't offered, with a reason, where no rule may allow", async () => {
    for (const [command, reason] of [
      ['cp a .git/hooks/pre-commit', /decide what runs/],
      ['PATH=/tmp npm test', /“PATH” can change which programs run/],
      ['$x a', /only known when it runs/],
    ] as const) {
      const offer = await open({ command }).offer('allow_once');
      assert.ok(offer?.state === 'none', command);
      assert.match(offer.reason, reason);
    }
  });

  void it("isn't stored if invalid or useless, and the request stays open", async () => {
    const wrong: readonly (readonly [WrittenRule, RegExp])[] = [
      [{ command: ' ', answer: 'allow_once' }, /Enter a pattern/],
      [{ command: '/(a/', answer: 'allow_once' }, /regular expression/],
      [{ command: 'cat *', answer: 'allow_once' }, /doesn’t cover/],
    ];
    for (const [rule, sentence] of wrong) {
      const asked = open({ command: 'npm test' });
      assert.match(await asked.save(rule), sentence);
      assert.deepEqual(asked.answers, []);
      assert.deepEqual(asked.book.all(), []);
    }
  });

  void it("isn't stored if another rule wins or the settings are read-only", async () => {
    const rule: WrittenRule = { command: 'npm *', answer: 'allow_once' };
    const asked = open({ command: 'npm test', user: [{ command: 'npm *', answer: 'ask' }] });
    assert.match(await asked.save(rule), /Another rule/);
    const failing = open({ command: 'npm test', failure: 'the disk is full' });
    assert.match(await failing.save(rule, 'user'), /the disk is full/);
    assert.deepEqual([...asked.answers, ...failing.answers], []);
  });

  void it("can't allow if the policy forbids it, but can reject", async () => {
    const policy = '{"userAllowRules":false}';
    const offer = await open({ command: 'npm test', policy }).offer('allow_once');
    assert.match(offer?.state === 'none' ? offer.reason : '', /Your organization/);
    const forged = open({ command: 'npm test', policy });
    assert.match(await forged.save({ command: 'npm *', answer: 'allow_once' }), /Your organization/);
    assert.deepEqual(forged.answers, []);
    assert.equal(await open({ command: 'npm test', policy }).save({ command: 'npm *', answer: 'reject_once' }), '');
  });
});
