import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, Uri } from '../../../test/unit-support/vscode';
import type { Mention } from '../../shared/messages';
import type { MentionSource } from './mentionSource';
import { linkMentions, Mentions } from './mentions';
import { SessionMentions } from './sessionMentions';
import { WorkspaceFiles } from './workspaceFiles';

const sessions = new SessionMentions({
  list: () => [
    { key: 'one', title: 'Fix the retry queue', agentName: 'Claude' },
    { key: 'two', title: 'Docs pass / second', agentName: 'Codex' },
  ],
  textOf: (key) => Promise.resolve(key === 'two' ? 'You:\n  Hello\n' : undefined),
});
const symbols: MentionSource = { find: () => Promise.resolve([]) };

function mentionsIn(t: TestContext, ...paths: readonly string[]) {
  const root = tempFolder(t);
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  editor.folders = [root];
  const mentions = new Mentions(new WorkspaceFiles(), { symbol: symbols, session: sessions, link: linkMentions });
  /** Resolves to the last answer. */
  const find = async (query: string) => {
    let found: readonly Mention[] = [];
    await mentions.find(query, (answer) => (found = answer));
    return found;
  };
  return { root, mentions, find };
}

void describe('mentions', () => {
  beforeEach(() => editor.reset());

  void it('a bare @ offers the kinds that have a source', async (t) => {
    const { find } = mentionsIn(t, 'a.ts');
    const found = await find('');
    assert.deepEqual(
      found.map(({ kind, group }) => [kind, group]),
      ['file', 'folder', 'symbol', 'session', 'link'].map((kind) => [kind, 'kinds']),
    );
  });

  void it("files and folders have URIs, and a folder's ends in a slash", async (t) => {
    const { root, find } = mentionsIn(t, 'src/upload/retry.ts', 'src/other.ts');
    const [file] = await find('retry');
    assert.deepEqual(
      [file?.label, file?.detail, file?.letters, file?.attachment?.uri],
      ['retry.ts', 'src/upload', [0, 1, 2, 3, 4], Uri.file(join(root, 'src/upload/retry.ts')).toString()],
    );
    const folders = await find('folder:up');
    assert.deepEqual(
      folders.map(({ label, attachment }) => [label, attachment?.uri]),
      [['upload', `${Uri.file(join(root, 'src/upload')).toString()}/`]],
    );
    assert.deepEqual(
      (await find('file:')).map(({ label }) => label),
      ['other.ts', 'retry.ts'],
    );
  });

  void it("typing the start of a kind's name offers the kind", async (t) => {
    const { find } = mentionsIn(t, 'a.ts');
    assert.deepEqual(
      (await find('sess')).map(({ id }) => id),
      ['kinds:session'],
    );
  });

  void it('a session is found by its title and attached as text', async (t) => {
    const { mentions, find } = mentionsIn(t);
    const [found, ...others] = await find('session:docs');
    assert.deepEqual([found?.label, others], ['Docs pass / second', []]);
    assert.deepEqual(await mentions.take(found?.id ?? ''), [
      {
        type: 'resource',
        uri: 'attachment:///Docs%20pass%20-%20second.md',
        name: 'Docs pass - second.md',
        text: 'You:\n  Hello\n',
      },
    ]);
    const [missing] = await find('session:retry');
    await assert.rejects(mentions.take(missing?.id ?? ''), /Couldn’t read the session “Fix the retry queue”/);
    await assert.rejects(mentions.take('session:unknown'), /no longer available/);
  });

  void it('answers nothing once the search is stale', async (t) => {
    const { mentions } = mentionsIn(t, 'a.ts');
    let isStale = false;
    const [late, early]: [unknown[], unknown[]] = [[], []];
    const source: MentionSource = {
      find: () => {
        isStale = true;
        return Promise.resolve([]);
      },
    };
    const slow = new Mentions(new WorkspaceFiles(), { symbol: source, session: sessions, link: linkMentions });
    await slow.find(
      'symbol:x',
      (answer) => late.push(answer),
      () => isStale,
    );
    assert.equal(late.length, 0);
    await mentions.find('a', (answer) => early.push(answer));
    assert.ok(early.length > 0);
  });

  void it('a URL is attached only as a link', async (t) => {
    const { mentions, find } = mentionsIn(t);
    const [found] = await find('https://example.com/a?b#c');
    assert.deepEqual(await mentions.take(found?.id ?? ''), [
      { type: 'resource_link', uri: 'https://example.com/a?b#c', name: 'example.com', linkOnly: true },
    ]);
    assert.deepEqual(await find('https://'), []);
  });
});
