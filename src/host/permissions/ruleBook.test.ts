import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { mementoOf } from '../../../test/unit-support/memento';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { WrittenRule } from '../../shared/permissions/permissionRules';
import { parsePolicy, type RulePolicy } from './policyFile';
import { RuleAnswers } from './ruleAnswers';
import { RuleBook } from './ruleBook';

const one = 'one' as SessionKey;
const other = 'other' as SessionKey;
const open = parsePolicy('{}');
const allow = (command: string): WrittenRule => ({ command, answer: 'allow_once' });

/** What VS Code keeps between windows. */
let stored = new Map<string, string>();
let user: unknown;
let workspace: unknown;
const said: string[] = [];
beforeEach(() => {
  stored = new Map();
  user = undefined;
  workspace = undefined;
  said.length = 0;
});

/** The rules of a new window. */
function openBook(policy: RulePolicy = open): RuleBook {
  const changed = new Emitter<void>();
  const settings = {
    get permissionsByScope() {
      return { user, workspace };
    },
    setUserPermissions: (rules: readonly unknown[]) => {
      user = rules;
      changed.fire();
      return Promise.resolve();
    },
    onDidChange: changed.event,
  };
  return new RuleBook({ settings, memory: mementoOf(stored), policy, log: { warn: (text) => void said.push(text) } });
}

const commandsFor = (book: RuleBook, session = one) => book.rulesFor(session).map(({ rule }) => rule.command);
const idOf = (book: RuleBook, command: string) =>
  book.all().find(({ raw }) => (raw as WrittenRule).command === command)?.id ?? '';

void describe('the rules of all scopes', () => {
  void it('are stored in their scope and survive a reload', async () => {
    const book = openBook();
    await book.add('session', one, allow('a'));
    await book.add('workspace', undefined, allow('b'));
    await book.add('user', undefined, allow('c'));
    assert.deepEqual(user, [allow('c')]);
    const next = openBook();
    assert.deepEqual(commandsFor(next), ['a', 'b', 'c']);
    assert.deepEqual(commandsFor(next, other), ['b', 'c']);
    // The session ends, and its rules with it.
    await next.forgetSession(one);
    assert.deepEqual(commandsFor(openBook()), ['b', 'c']);
  });

  void it('can be changed, moved, deleted, and restored in place', async () => {
    const book = openBook();
    for (const name of ['a', 'b', 'c']) await book.add('workspace', undefined, allow(name));
    assert.equal(await book.move(idOf(book, 'c'), -1), undefined);
    assert.deepEqual(commandsFor(book), ['a', 'c', 'b']);
    const deleted = await book.remove(idOf(book, 'c'));
    assert.ok(typeof deleted === 'object');
    assert.deepEqual(commandsFor(book), ['a', 'b']);
    await book.restore(deleted);
    assert.deepEqual(commandsFor(book), ['a', 'c', 'b']);
    await book.replace(idOf(book, 'a'), allow('d'));
    assert.deepEqual(commandsFor(book), ['d', 'c', 'b']);
    assert.equal(await book.remove('workspace:none'), 'gone');
  });

  void it('are all kept when saved at the same time', async () => {
    const book = openBook();
    await Promise.all(['a', 'b', 'c'].map((name) => book.add('session', one, allow(name))));
    assert.deepEqual(commandsFor(book), ['a', 'b', 'c']);
  });

  void it("stay unchanged where the user can't decide or no list exists", async () => {
    workspace = [allow('w')];
    const book = openBook(parsePolicy('{"rules":[{"command":"p","answer":"reject_once"}]}'));
    assert.equal(await book.remove(idOf(book, 'w')), 'locked');
    assert.equal(await book.replace(idOf(book, 'p'), allow('p')), 'locked');
    user = { mine: true };
    assert.equal(await book.add('user', undefined, allow('a')), 'unreadable');
    assert.deepEqual(user, { mine: true });
    assert.deepEqual(book.problems, ['user']);
  });

  void it("don't allow if the policy forbids it, unless the policy's own", () => {
    user = [allow('a'), { command: 'b', answer: 'reject_once' }];
    workspace = [allow('c')];
    const text = '{"userAllowRules":false,"rules":[{"command":"p","answer":"allow_once"}]}';
    assert.deepEqual(commandsFor(openBook(parsePolicy(text))), ['p', 'b']);
  });

  void it('reject but never allow if the policy is invalid', () => {
    user = [allow('a'), { command: 'b', answer: 'reject_once' }];
    const rules = [
      { command: 'p', answer: 'allow_once' },
      { command: 'q', answer: 'reject_once' },
    ];
    const broken = parsePolicy(JSON.stringify({ rules, allowEverthing: false }));
    assert.deepEqual(commandsFor(openBook(broken)), ['q', 'b']);
  });

  void it("ask about everything if they can't be read, and log it", () => {
    user = [{ command: 1, answer: 'allow_once' }];
    const rules = openBook().rulesFor(one);
    assert.deepEqual(
      rules.map(({ rule }) => rule),
      [{ answer: 'ask' }],
    );
    assert.match(said.join(), /can't be read/);
  });
});

void describe('the time when a rule last answered', () => {
  void it("is stored without the request's contents", () => {
    const answers = new RuleAnswers(mementoOf(stored));
    answers.note(['user:1', 'user:2'], { at: 5, agent: 'Claude', kind: 'execute' });
    assert.deepEqual(new RuleAnswers(mementoOf(stored)).of('user:2'), { at: 5, agent: 'Claude', kind: 'execute' });
    assert.equal(answers.of('constructor'), undefined);
  });
});
