import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import { SettingsReview } from './reviewSettings';
import type { Settings } from './settings';

/** A window whose workspace has settings to approve, which the user reviews with an answer. */
async function review(answer: string | undefined): Promise<readonly unknown[]> {
  editor.reset();
  const answers: unknown[] = [];
  const found = { print: 'p', answer: 'yes', describe: () => ['parley.agents: Mine'] };
  const settings = {
    onDidChange: () => ({ dispose: () => undefined }),
    ofWorkspace: found,
    answer: async (about: unknown, given: unknown) => void answers.push(about === found, given),
  };
  if (answer !== undefined) editor.answers.push(answer);
  await new SettingsReview(settings as unknown as Settings).review();
  assert.deepEqual(editor.shown.at(-1)?.items.slice(1), ['Use', 'Don’t Use']);
  return answers;
}

test('the user takes back an approval of the workspace’s settings', async () => {
  assert.deepEqual(await review('Use'), [true, 'yes']);
  assert.deepEqual(await review('Don’t Use'), [true, 'no']);
  assert.deepEqual(await review(undefined), []);
});
