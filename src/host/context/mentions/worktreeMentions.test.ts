// What can be mentioned in a session in a worktree, with real git.
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { workInWorktree } from '../../../../test/unit-support/fixWorktree';
import { GitRepository } from '../../../../test/unit-support/gitRepository';
import { needsGit } from '../../../../test/unit-support/platform';
import { editor, extensions, Range, Uri, window } from '../../../../test/unit-support/vscode';
import type { Attachment } from '../../../shared/transcript/content';
import { ChangeMentions, CommitMentions } from './gitMentions';
import type { FoundMention } from './mentionSource';
import { SymbolMentions } from './symbolMentions';

/** A window in which the git extension has the repository and another one open, but not the worktree. */
async function start(t: TestContext) {
  const { repository, path } = await workInWorktree(t);
  const other = new GitRepository(t, 'other');
  other.write('o.txt', 'o\n');
  other.commit('Other');
  editor.folders = [repository.folder, other.folder];
  const open = [repository, other].map(({ folder }) => ({
    rootUri: Uri.file(folder),
    state: { indexChanges: [], workingTreeChanges: [{ uri: Uri.file(join(folder, 'mine.txt')) }] },
    log: () => Promise.resolve([{ hash: '0'.repeat(40), message: `In ${folder}`, authorName: 'Ada' }]),
  }));
  const api = { repositories: open, getRepository: () => null };
  const { getExtension } = extensions;
  Object.assign(extensions, { getExtension: () => ({ activate: () => Promise.resolve({ getAPI: () => api }) }) });
  t.after(() => void Object.assign(extensions, { getExtension }));
  return { repository, other, path };
}

const labels = (found: readonly FoundMention[]) => found.map(({ label }) => label);

async function textOf(found: readonly FoundMention[], label: string): Promise<readonly string[]> {
  const attachments = await found.find((one) => one.label === label)?.take?.();
  return (attachments ?? []).map((one: Attachment) => ('text' in one ? one.text : `${one.type} ${one.name}`));
}

test('a session in a worktree mentions the changes there', needsGit, async (t) => {
  const { repository, path } = await start(t);
  repository.write('a.txt', 'three\n', path);
  repository.write('[x] b.txt', 'staged\n', path);
  repository.gitIn(path, 'add', '[x] b.txt');
  const found = await new ChangeMentions().find('', path);
  const all = ['All changes', 'Staged changes', 'Changes', '[x] b.txt', 'a.txt', 'new.txt'];
  assert.deepEqual(labels(found), [...all, 'Changes', 'mine.txt']);
  assert.match((await textOf(found, 'a.txt'))[0] ?? '', /-two\n\+three\n/);
  assert.match((await textOf(found, '[x] b.txt'))[0] ?? '', /\+staged\n/);
  const [diff, fresh, ...more] = await textOf(found, 'Changes');
  assert.match(diff ?? '', /^diff --git a\/a\.txt b\/a\.txt[^]*-two\n\+three\n$/);
  assert.deepEqual([fresh, more], ['resource_link new.txt', []]);
  assert.deepEqual(labels(await new ChangeMentions().find('')), ['Changes', 'mine.txt', 'Changes', 'mine.txt']);
});

test('a session in a worktree mentions the commits there', needsGit, async (t) => {
  const { repository, other, path } = await start(t);
  repository.gitIn(path, 'commit', '--quiet', '--allow-empty', '--message', 'Two lines\n\nof words');
  const found = await new CommitMentions().find('', path);
  assert.deepEqual(labels(found), ['Two lines', 'Work', 'First', `In ${other.folder}`]);
  assert.match((await textOf(found, 'Work'))[0] ?? '', /Work\n[^]*-one\n\+two\n/);
});

test('a session in a worktree mentions symbols of its files', needsGit, async (t) => {
  const { repository, path } = await start(t);
  const uriOf = (folder: string, name: string) => Uri.file(join(folder, name));
  const asked: string[] = [];
  const symbol = (name: string, line: number) => ({ name, kind: 11, range: new Range(line, 0, line, 1), children: [] });
  editor.commands.set('vscode.executeDocumentSymbolProvider', (uri) => {
    asked.push((uri as Uri).fsPath);
    return [symbol('other', 2), symbol('work', 7)];
  });
  const found = ['a.txt', 'gone.txt'].map((name) => ({
    name: 'work',
    kind: 11,
    location: { uri: uriOf(repository.folder, name), range: new Range(3, 0, 3, 1) },
  }));
  editor.commands.set('vscode.executeWorkspaceSymbolProvider', () => found);
  const mentioned = async (folder?: string) =>
    (await new SymbolMentions().find('work', folder)).map(({ attachment }) => attachment?.uri);
  assert.deepEqual(await mentioned(path), [`${uriOf(path, 'a.txt').toString()}#L8`]);
  const here = ['a.txt', 'gone.txt'].map((name) => `${uriOf(repository.folder, name).toString()}#L4`);
  assert.deepEqual(await mentioned(), here);
  assert.deepEqual(asked, [join(path, 'a.txt')]);
  // The active editor's file is the worktree's, too.
  Object.assign(window, { activeTextEditor: { document: { uri: uriOf(repository.folder, 'a.txt') } } });
  t.after(() => void Object.assign(window, { activeTextEditor: undefined }));
  const [first, second] = await new SymbolMentions().find('', path);
  assert.deepEqual([first?.label, second?.label, first?.detail], ['other', 'work', 'fix/a.txt:3']);
  rmSync(join(path, 'a.txt'));
  renameSync(join(path, 'new.txt'), join(path, 'other.txt'));
  assert.deepEqual(await new SymbolMentions().find('', path), []);
});
