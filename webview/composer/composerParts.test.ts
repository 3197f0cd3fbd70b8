import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { AvailableCommand } from '../../src/shared/transcript/transcript';
import { awaitedInput, commandQuery, matchNames } from './commandFilter';
import { nothingYet, placeholder, type ComposerState } from './composerParts';
import { worksWithoutAsking } from './configBar';
import { PromptHistory } from './promptHistory';

function command(name: string, hint?: string): AvailableCommand {
  return { name, description: '', ...(hint === undefined ? {} : { hint }) };
}

test('finds a command only while the cursor is in its word', () => {
  assert.equal(commandQuery('/', 1), '');
  assert.equal(commandQuery('/rev', 4), 'rev');
  assert.equal(commandQuery('/rev', 2), 'r');
  assert.equal(commandQuery('/rev', 0), undefined);
  assert.equal(commandQuery('/rev 12', 7), undefined);
  assert.equal(commandQuery('/rev 12', 3), 're');
  assert.equal(commandQuery(' /rev', 5), undefined);
  assert.equal(commandQuery('a/b', 3), undefined);
  assert.equal(commandQuery('', 0), undefined);
});

test('sorts names by prefix, then substring, then letters in order', () => {
  const all = ['compress', 'review', 'pr:review', 'rename', 'make'].map((name) => command(name));
  const found = matchNames(all, 're');
  assert.deepEqual(
    found.map(({ item: { name }, marks }) => [name, marks]),
    [
      ['review', [[0, 2]]],
      ['rename', [[0, 2]]],
      ['compress', [[4, 6]]],
      ['pr:review', [[3, 5]]],
    ],
  );
  assert.deepEqual(
    matchNames(all, 'cps').map(({ marks }) => marks),
    [
      [
        [0, 1],
        [3, 4],
        [6, 7],
      ],
    ],
  );
  assert.deepEqual(matchNames(all, 'RENAME').length, 1);
  assert.deepEqual(matchNames(all, 'zzz'), []);
  assert.deepEqual(
    matchNames(all, '').map(({ item: { name } }) => name),
    all.map(({ name }) => name),
  );
});

test("shows a command's input hint until something is typed", () => {
  const all = [command('review', 'number'), command('login')];
  assert.equal(awaitedInput(all, '/review '), 'number');
  assert.equal(awaitedInput(all, '/review'), 'number');
  assert.equal(awaitedInput(all, '/review 1'), undefined);
  assert.equal(awaitedInput(all, '/login '), undefined);
  assert.equal(awaitedInput(all, '/rev'), undefined);
});

test('moves through the history to both ends and restores the unsent text', () => {
  const history = new PromptHistory();
  const sent = ['one', 'two'];
  assert.equal(history.older(sent, 'draft'), 'two');
  assert.equal(history.older(sent, 'two'), 'one');
  assert.equal(history.older(sent, 'one'), undefined);
  assert.equal(history.newer(sent, 'one'), 'two');
  assert.equal(history.newer(sent, 'two'), 'draft');
  assert.equal(history.newer(sent, 'draft'), undefined);
  assert.equal(new PromptHistory().older([], ''), undefined);
});

test('a changed history text keeps the unsent one', () => {
  const history = new PromptHistory();
  const sent = ['one', 'two'];
  assert.equal(history.older(sent, 'draft'), 'two');
  assert.equal(history.older(sent, 'two, changed'), 'draft');
  assert.equal(history.older(sent, 'draft'), 'two');
  assert.equal(history.newer(sent, 'two'), 'draft');
  assert.equal(history.newer(sent, 'draft'), 'two, changed');
  assert.equal(history.newer(sent, 'two, changed'), undefined);
});

test('a changed history text becomes the unsent one', () => {
  const history = new PromptHistory();
  const sent = ['one', 'two'];
  history.older(sent, '');
  assert.equal(history.newer(sent, 'two, changed'), undefined);
  assert.equal(history.older(sent, 'two, changed'), 'two');
  assert.equal(history.newer(sent, 'two'), 'two, changed');
});

test('recognizes an unrestricted mode by the names that agents use', () => {
  const mode = (value: string, name: string) =>
    worksWithoutAsking([
      {
        configId: 'm',
        name: 'Mode',
        category: 'mode',
        via: 'configOptions',
        type: 'select',
        currentValue: value,
        choices: [{ value, name }],
      },
    ]);
  assert.equal(mode('bypassPermissions', 'Bypass Permissions'), true);
  assert.equal(mode('yolo', 'YOLO'), true);
  assert.equal(mode('agent-full-access', 'Agent (full access)'), true);
  assert.equal(mode('default', 'Always Ask'), false);
  assert.equal(mode('plan', 'Plan'), false);
});

test("the tour agent's placeholder explains how to start the tour", () => {
  const state: ComposerState = { ...nothingYet, agentName: 'Tour agent', startsTour: true };
  assert.equal(placeholder(state), 'Type anything to start the tour');
  assert.equal(placeholder({ ...state, isBusy: true }), 'Queue a follow-up');
  assert.equal(placeholder({ ...state, isBusy: true, sendsAtOnce: true }), 'Add to this turn');
  assert.equal(placeholder({ ...state, startsTour: false }), 'Ask Tour agent, @ to add context');
});
