// Which session's changes a review page offers to bring here, with real git.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { Bringing } from '../../../../test/unit-support/bringing';
import { needsGit } from '../../../../test/unit-support/platform';
import { editor } from '../../../../test/unit-support/vscode';
import type { Session } from '../../../session/session';
import type { SessionKey } from '../../../shared/values/ids';
import { canBringFrom } from '../../base/folders';
import { bringableSession } from './bringableSession';

test("offers to bring a worktree's files, but not the user's own", needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  one.session.transcript.view['cwd'] = one.there;
  const here = one.window.session('Here');
  const sessions = [one.session, here] as unknown as readonly Session[];
  const there = pathToFileURL(join(one.there, 'a.txt')).href;
  const own = pathToFileURL(join(one.repository.folder, 'a.txt')).href;
  const { key } = one.session;
  assert.equal(bringableSession(sessions, {}, [there, own]), key);
  assert.equal(bringableSession(sessions, { session: key }, [there]), key);
  assert.equal(bringableSession(sessions, { session: key }, [own]), undefined);
  assert.equal(bringableSession(sessions, { session: here.key }, [there]), undefined);
  assert.equal(bringableSession(sessions, { session: 'gone' as SessionKey }, [there]), undefined);
});

test("brings nothing to a window that is the worktree's own", needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n' });
  assert.equal(canBringFrom(one.there), true);
  assert.equal(canBringFrom(one.repository.folder), false);
  editor.folders = [one.there];
  assert.equal(canBringFrom(one.there), false);
});
