// Two agents at once in two working trees: whose changes are whose, with real git and files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bringing } from '../../../test/unit-support/bringing';
import { needsGit } from '../../../test/unit-support/platform';

test('a change in a worktree is its session’s, also after the turn', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  const { window, session: there } = one;
  there.transcript.view['cwd'] = one.there;
  const here = window.session('Here');
  // Whoever began last would get what belongs to nobody else.
  await window.begin(there);
  await window.begin(here);
  one.agent('a.txt', 'there\n');
  one.repository.write('a.txt', 'here\n');
  await window.end(there);
  await window.end(here);
  assert.deepEqual(
    window.listed(there).map(({ status }) => status),
    ['modified'],
  );
  const authors = window.review.log.uris.map((uri) => [
    uri.includes('.worktrees/'),
    window.review.log.counts(uri).authors.map((author) => author.kind === 'agent' && author.agentName),
  ]);
  assert.deepEqual(authors.sort(), [
    [false, ['Here']],
    [true, ['Fixer']],
  ]);
});
