import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsWith } from '../../../test/unit-support/settings';
import { NextEdits, type NextEditsOptions } from './nextEdits';

test('is wanted of each agent here that can suggest edits', (context) => {
  const agents = { chats: {}, onlySuggests: {}, cannot: {}, elsewhere: {} };
  const sessions = Object.entries(agents).map(([name, agent]) => ({
    agent,
    isElsewhere: name === 'elsewhere',
    transcript: { view: { agentName: name, connection: { state: name === 'onlySuggests' ? 'closed' : 'ready' } } },
  }));
  type Known = (typeof sessions)[number];
  const values = { 'nextEditSuggestions.enabled': true };
  const settings = { ...settingsWith(values), onDidChange: () => ({ dispose: () => undefined }) };
  const pool = {
    sessions,
    onDidChangeSessions: () => ({ dispose: () => undefined }),
    runningAgentOf: ({ agent }: Known) => agent,
    canSuggest: ({ agent }: Known) => agent !== agents.cannot,
  };
  const edits = new NextEdits({ pool, settings, log: {} } as unknown as NextEditsOptions);
  context.after(() => edits.dispose());
  assert.deepEqual([...edits['wanted']().values()], ['chats', 'onlySuggests']);
  values['nextEditSuggestions.enabled'] = false;
  assert.equal(edits['wanted']().size, 0);
});
