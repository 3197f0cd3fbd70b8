import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { parsePolicy, policyPath, readPolicy } from './policyFile';

const folder = tempFolder({ after });
const isPosix = process.platform !== 'win32';

void describe("an administrator's policy", () => {
  void it('applies its restrictions and adds rules', () => {
    const rules = [{ command: 'git push *', answer: 'reject_once' }];
    assert.deepEqual(parsePolicy(JSON.stringify({ allowEverything: false, rules })), {
      takesEverything: false,
      takesAllowRules: true,
      rules,
    });
    assert.equal(parsePolicy('{"userAllowRules":false}').takesAllowRules, false);
    assert.equal(parsePolicy('{"sandbox":"files"}').sandbox, 'files');
    assert.equal(parsePolicy('{"sandbox":"file"}').sandbox, 'ownCopy');
    assert.equal(parsePolicy('\ufeff{"userAllowRules":false}').problem, undefined);
    assert.deepEqual(parsePolicy('{}'), { takesEverything: true, takesAllowRules: true, rules: [] });
  });

  void it('forbids everything if it is invalid, and keeps its rules', () => {
    const wrong = ['', '[]', '{', '{"allowEverthing":true}', '{"allowEverything":"yes"}', '{"rules":{}}'];
    for (const text of wrong) {
      const { takesEverything, takesAllowRules, problem, sandbox } = parsePolicy(text);
      assert.deepEqual([takesEverything, takesAllowRules, sandbox], [false, false, 'ownCopy'], text);
      assert.ok(problem, text);
    }
    const one = [{ command: 'git push', answer: 'reject_once' }];
    for (const other of [{ allowEverthing: true }, { allowEverything: 'yes' }, { userAllowRules: 1 }])
      assert.deepEqual(parsePolicy(JSON.stringify({ rules: one, ...other })).rules, one);
    const rules = [...one, { comand: 'x' }];
    const { takesEverything, rules: kept, problem } = parsePolicy(JSON.stringify({ rules }));
    assert.equal(takesEverything, false);
    assert.deepEqual(kept, rules);
    assert.match(problem ?? '', /rule 2/);
  });

  void it('is invalid with two equal keys, wherever they are', () => {
    const twice: Readonly<Record<string, string>> = {
      '{"allowEverything":false,"allowEverything":true}': 'allowEverything',
      '{"userAllowRules":false, "allowEverything":true, "userAllowRules":true}': 'userAllowRules',
      '{"sandbox":"files","sandb\\u006fx":"off"}': 'sandbox',
      '{"rules":[{"command":"a","answer":"reject_once"},{"command":"b","command":"c","answer":"reject_once"}]}':
        'rules.command',
      '{"rules":[{"command":"a","answer":"reject_once","answer":"allow_once"}]}': 'rules.answer',
      '{"rules":[],"rules":[]}': 'rules',
      '{"budget":{"day":{"tokens":5,"tokens":500}}}': 'budget.day.tokens',
      '{"budget":{"agents":{"Claude":{"day":{"cost":1}},"Claude":{}}}}': 'budget.agents.Claude',
      '{"budget":{"day":{"tokens":5}},"budget":{}}': 'budget',
      '{"__proto__":1,"__proto__":2}': '__proto__',
    };
    for (const [text, key] of Object.entries(twice)) {
      const { problem, takesEverything, takesAllowRules, sandbox } = parsePolicy(text);
      assert.deepEqual([takesEverything, takesAllowRules, sandbox], [false, false, 'ownCopy'], text);
      assert.equal(problem, `it has "${key}" twice`, text);
    }
    const one = { command: 'git push', answer: 'reject_once' };
    const text = `{"rules":[${JSON.stringify(one)}],"allowEverything":false,"allowEverything":true}`;
    assert.deepEqual(parsePolicy(text).rules, [one]);
    const fine = [
      '{"rules":[{"command":"a","answer":"reject_once"},{"command":"a","answer":"reject_once"}]}',
      '{"rules":[{"command":"\\"a\\":{,\\"a\\"","answer":"reject_once"}]}',
      '{"budget":{"day":{"tokens":5},"session":{"tokens":5}}}',
    ];
    for (const text of fine) assert.equal(parsePolicy(text).problem, undefined, text);
  });

  void it('sets a budget, and is invalid with a wrong one', () => {
    const budget = { day: { tokens: 5 }, agents: { Claude: { session: { cost: 1, currency: 'EUR' } } } };
    const { budget: read, problem } = parsePolicy(JSON.stringify({ budget }));
    assert.deepEqual([read, problem], [budget, undefined]);
    const wrong = [
      1,
      { week: {} },
      { day: {} },
      { day: { tokens: '5' } },
      { agents: { Claude: { day: { cost: -1 } } } },
    ];
    for (const budget of wrong) assert.match(parsePolicy(JSON.stringify({ budget })).problem ?? '', /"budget"/);
    // Another mistake in the file doesn't lift the budget.
    assert.deepEqual(parsePolicy(JSON.stringify({ budget, rules: [{ comand: 'x' }] })).budget, budget);
  });

  void it('forbids nothing if its file is missing', () => {
    assert.equal(readPolicy(join(folder, 'none', 'policy.json')).takesEverything, true);
  });

  void it('is read only from a file that only administrators can change', { skip: !isPosix }, () => {
    const path = join(folder, 'policy.json');
    const rules = [{ command: 'git push', answer: 'reject_once' }];
    writeFileSync(path, JSON.stringify({ rules }));
    assert.equal(readPolicy(path, () => true).takesEverything, true);
    // Others can write to it, whoever runs the tests. What it rejects is still rejected.
    chmodSync(path, 0o666);
    assert.match(readPolicy(path).problem ?? '', /can change it/);
    assert.deepEqual(readPolicy(path).rules, rules);
    const link = join(folder, 'link.json');
    symlinkSync(path, link);
    assert.match(readPolicy(link).problem ?? '', /regular file/);
    mkdirSync(join(folder, 'directory'));
    assert.match(readPolicy(join(folder, 'directory'), () => true).problem ?? '', /regular file/);
  });

  void it("is in a place that users can't choose", () => {
    assert.equal(policyPath('linux'), '/etc/parley/policy.json');
    assert.equal(policyPath('darwin'), '/Library/Application Support/Parley/policy.json');
    assert.equal(policyPath('win32'), 'C:\\Program Files\\Parley\\policy.json');
  });
});
