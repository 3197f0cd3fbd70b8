import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedComments, planPrompt, type PlanComment } from './planComments';

const comment = (line: number, quote: string, isSent = false): PlanComment => {
  return { id: quote, line, quote, text: `About ${quote}`, isSent };
};

test('comments stay at their lines in the next version', () => {
  const before = '# Plan\n1. read\n2. write\n3. test\n';
  const after = '# Plan\n0. ask\n1. read\n2. rewrite\n3. test\n';
  const comments = [comment(1, 'read', true), comment(2, 'write'), comment(3, 'test', true)];
  assert.deepEqual(
    movedComments(comments, before, after).map(({ line, isSent }) => [line, isSent]),
    [
      [2, true],
      [3, false],
      [4, true],
    ],
  );
  assert.equal(movedComments([comment(3, 'test')], before, '')[0]?.line, 0);
});

test('quotes each line with its comment, and changes as a diff', () => {
  const plan = { agents: 'a\nb\n', mine: 'a\nc\n', comments: [comment(0, 'a'), comment(1, 'b', true)] };
  assert.equal(
    planPrompt(plan, false),
    [
      "I don't approve the plan yet. Change it as follows, and then ask again.",
      'This is the difference between your plan and mine:',
      '```diff\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n```',
      'My comment:',
      'Line 1:\n> a',
      'About a',
    ].join('\n\n'),
  );
  assert.match(
    planPrompt({ ...plan, mine: plan.agents }, true),
    /^I approve the plan with the changes below\..*\n\nMy comment:/,
  );
});
