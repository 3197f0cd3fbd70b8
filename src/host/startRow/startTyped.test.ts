// What one Enter starts from the row below the message: the whole product with real git and agents.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { posixOnly } from '../../../test/unit-support/platform';
import { PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { keptState, ProductWindow } from '../../../test/unit-support/productWindow';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentId } from '../../shared/values/ids';
import type { FromWebview, ToWebview } from '../../shared/pages/messages';
import type { StartAgent, StartPlace } from '../../shared/pages/startChoice';

const agents = new PoolHarness();

/** A window on a repository in which the user has worked, and its start page. */
function here(t: TestContext) {
  const removals: (() => Promise<void>)[] = [];
  const repository = new GitRepository({ after: (end: () => Promise<void>) => void removals.push(end) }, 'shop');
  repository.write('a.txt', 'a\n');
  repository.write('.gitignore', '.env\n');
  repository.commit();
  repository.write('a.txt', 'mine\n');
  repository.write('.env', 'KEY=1\n');
  editor.reset();
  editor.folders = [repository.folder];
  const { command, args, env } = agents.spec({ turns: [{ steps: [{ say: 'an answer' }] }] });
  editor.settings['parley.agents'] = { Ada: { command, args, env }, Ben: { command, args, env } };
  const kept = join(repository.around, 'kept');
  mkdirSync(kept);
  const window = new ProductWindow(keptState(kept));
  t.after(async () => {
    await window.stop();
    for (const remove of removals) await remove();
  });
  const page = window.openChat();
  page.say({ type: 'ready', rev: 0 });
  const got = async <Type extends ToWebview['type']>(type: Type) => {
    const all = () => page.got.filter((one): one is Extract<ToWebview, { readonly type: Type }> => one.type === type);
    while (all().length === 0) await page.hearsMore();
    return all().at(-1)!;
  };
  const start = (words: string, place: StartPlace, who: readonly StartAgent[] = []) =>
    page.say({ type: 'startTyped', session: '', text: words, start: { place, agents: who } } satisfies FromWebview);
  return { repository, window, page, got, start };
}

const ada = 'settings:Ada' as AgentId;
const ben = 'settings:Ben' as AgentId;

test('Enter starts a worktree session on a branch named by the message', posixOnly, async (t) => {
  const { repository, window, got, start } = here(t);
  start('Fix the flaky uploads', { kind: 'worktree' });
  assert.deepEqual(await got('typedSent'), { type: 'typedSent', session: '', text: 'Fix the flaky uploads' });
  assert.deepEqual(editor.shown, [], 'nothing is asked');
  const [session] = window.pool.sessions;
  assert.ok(session);
  assert.equal(realpathSync(session.transcript.view.cwd), join(`${repository.folder}.worktrees`, 'fix-flaky-uploads'));
  assert.match(repository.git('branch', '--list', 'parley/*'), /parley\/fix-flaky-uploads/);
  await until(session, (one) => text(one).includes('an answer'));
  assert.match(JSON.stringify([...session.transcript.entries.values()]), /uncommitted changes \(1 file\) aren’t in it/);
});

test('one Enter starts two tries, and what can’t start leaves the message', posixOnly, async (t) => {
  const { window, got, start, page } = here(t);
  start('Port it', { kind: 'here' }, [
    { agent: ada, tries: 1 },
    { agent: ben, tries: 1 },
  ]);
  await got('typedSent');
  assert.deepEqual(
    window.pool.sessions.map(({ transcript }) => transcript.view.agentName),
    ['Ada', 'Ben'],
  );
  page.got.length = 0;
  start('Port it', { kind: 'folder', path: '/etc' });
  assert.match((await got('startFailed')).problem ?? '', /\/etc is no longer a folder/);
  page.got.length = 0;
  start('Port it', { kind: 'here' }, [{ agent: 'settings:Gone' as AgentId, tries: 1 }]);
  assert.match((await got('startFailed')).problem ?? '', /no longer one of your agents/);
  page.got.length = 0;
  start('Port it', { kind: 'elsewhere' } as never);
  assert.equal((await got('startFailed')).problem, undefined);
  assert.equal(window.pool.sessions.length, 2);
});

test('says why there is no worktree outside of a repository', posixOnly, async (t) => {
  const { repository, window, got, start } = here(t);
  const plain = mkdtempSync(join(repository.around, 'plain-'));
  t.after(() => rmSync(plain, { recursive: true, force: true }));
  editor.folders = [plain];
  start('Fix it', { kind: 'worktree' });
  assert.match((await got('startFailed')).problem ?? '', /Git/);
  assert.equal(window.pool.sessions.length, 0);
});

test('lists the other worktrees that say themselves that they are', posixOnly, async (t) => {
  const { repository, got, page } = here(t);
  const other = join(repository.around, 'other');
  repository.git('worktree', 'add', '--quiet', '-b', 'side', other);
  const fake = join(repository.folder, '.git/worktrees/fake');
  mkdirSync(fake);
  repository.write('.git/worktrees/fake/gitdir', '/etc/.git\n');
  page.say({ type: 'findPlaces', session: '' });
  const { places } = await got('startPlaces');
  assert.deepEqual(
    places.worktrees.map(({ name }) => name),
    [basename(other)],
  );
  assert.equal(places.canCopy, true);
});
