import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import { editor, Uri } from '../../../../test/unit-support/vscode';
import type { Mention } from '../../../shared/pages/messages';
import type { FoundMention, MentionSource } from './mentionSource';
import { linkMentions, Mentions } from './mentions';
import { SessionMentions } from './sessionMentions';
import { WorkspaceFiles } from '../search/workspaceFiles';

const sessions = new SessionMentions({
  list: () => [
    { key: 'one', title: 'Fix the retry queue', agentName: 'Claude' },
    { key: 'two', title: 'Docs pass / second', agentName: 'Codex' },
  ],
  textOf: (key) => Promise.resolve(key === 'two' ? 'You:\n  Hello\n' : undefined),
});
const symbol: FoundMention = {
  id: 'symbol:parseUser',
  kind: 'symbol',
  group: 'symbol',
  label: 'parseUser',
  detail: 'src/user.ts:3',
  icon: 'symbol-method',
  take: () => Promise.resolve([{ type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' }]),
};
const symbols: MentionSource = { find: () => Promise.resolve([]) };

function mentionsIn(t: TestContext, ...paths: readonly string[]) {
  const root = tempFolder(t);
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  editor.folders = [root];
  const files = new WorkspaceFiles();
  const mentions = new Mentions(files, { symbol: symbols, session: sessions, link: linkMentions });
  /** Resolves to the last answer. */
  const find = async (query: string) => {
    let found: readonly Mention[] = [];
    await mentions.find(query, (answer) => (found = answer));
    return found;
  };
  return { root, files, mentions, find };
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

  void it('an ignored file is found by its whole path only', async (t) => {
    const { root, find } = mentionsIn(t, 'dist/out/app.js', 'src/app.js', '.gitignore');
    writeFileSync(join(root, '.gitignore'), 'dist/\n');
    const paths = async (query: string) =>
      (await find(query)).flatMap(({ attachment }) => (attachment ? [attachment.uri] : []));
    const uri = Uri.file(join(root, 'dist/out/app.js')).toString();
    for (const query of [
      'dist/out/app.js',
      './dist/out/app.js',
      'file:dist/out/app.js',
      join(root, 'dist/out/app.js'),
    ]) {
      assert.equal((await paths(query))[0], uri, query);
    }
    const folder = `${Uri.file(join(root, 'dist/out')).toString()}/`;
    for (const query of ['dist/out/', 'dist/out', 'folder:dist/out'])
      assert.equal((await paths(query))[0], folder, query);
    for (const query of ['dist/out/ap', 'app.js', 'file:dist/out']) {
      assert.equal(
        (await paths(query)).some((one) => one?.includes('/dist/')),
        false,
        query,
      );
    }
    const elsewhere = tempFolder(t);
    writeFileSync(join(elsewhere, 'other.txt'), '');
    assert.deepEqual(await paths(join(elsewhere, 'other.txt')), []);
    assert.deepEqual(await paths('src/app.js'), [Uri.file(join(root, 'src/app.js')).toString()]);
  });

  void it("typing the start of a kind's name offers the kind", async (t) => {
    const { find } = mentionsIn(t, 'a.ts');
    assert.deepEqual(
      (await find('sess')).map(({ id }) => id),
      ['kinds:session'],
    );
  });

  void it('a typed kind comes before files whose letters match', async (t) => {
    const { find } = mentionsIn(t, 'session.ts', 'lib/symbols.ts');
    const ids = async (query: string) => (await find(query)).map(({ id }) => id.replace(/^file:.*\//, ''));
    assert.deepEqual(await ids('sess'), ['kinds:session', 'session.ts']);
    assert.deepEqual(await ids('sym'), ['kinds:symbol', 'symbols.ts']);
    // With fewer letters, a file is at least as likely.
    assert.deepEqual((await ids('s')).slice(-2), ['kinds:symbol', 'kinds:session']);
  });

  void it('a symbol is found without its kind, before files that match worse', async (t) => {
    const source: MentionSource = { find: (typed) => Promise.resolve(typed === 'parseUser' ? [symbol] : []) };
    const { files } = mentionsIn(t, 'src/parser/useSerialize.ts', 'parseUserName.md');
    const find = async (query: string) => {
      const answers: string[][] = [];
      await new Mentions(files, { symbol: source }).find(query, (found) =>
        answers.push(found.map(({ label }) => label)),
      );
      return answers.at(-1);
    };
    assert.deepEqual(await find('parseUser'), ['parseUserName.md', 'useSerialize.ts', 'parseUser']);
    rmSync(join(editor.folders[0] ?? '', 'parseUserName.md'));
    const fresh = new Mentions(new WorkspaceFiles(), { symbol: source });
    const labels: string[][] = [];
    await fresh.find('parseUser', (found) => labels.push(found.map(({ label }) => label)));
    assert.deepEqual(labels.at(-1), ['parseUser', 'useSerialize.ts']);
  });

  void it('symbols that cannot be read leave the files', async (t) => {
    const { files } = mentionsIn(t, 'parser.ts');
    const source: MentionSource = { find: () => Promise.reject(new Error('The language server has crashed.')) };
    const answers: string[][] = [];
    await new Mentions(files, { symbol: source }).find('parse', (found) =>
      answers.push(found.map(({ label }) => label)),
    );
    assert.deepEqual(answers.at(-1), ['parser.ts']);
  });

  void it('what needs no name comes after the kinds and can be typed', async (t) => {
    const { files } = mentionsIn(t, 'a.ts');
    const here: FoundMention = { ...symbol, id: 'here:files', kind: 'file', group: 'kinds', label: 'Browse files…' };
    const answers: string[][] = [];
    const mentions = new Mentions(files, {}, () => [here]);
    for (const query of ['', 'brow'])
      await mentions.find(query, (found) => answers.push(found.map(({ label }) => label)));
    assert.deepEqual(answers[0]?.at(-1), 'Browse files…');
    assert.deepEqual(answers.at(-1), ['Browse files…']);
    assert.deepEqual(await mentions.take('here:files'), [
      { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' },
    ]);
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
