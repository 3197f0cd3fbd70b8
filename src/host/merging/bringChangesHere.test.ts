// What the user is asked and told when changes are brought here, with real git and files.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bringing } from '../../../test/unit-support/bringing';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { bringChangesHere } from './bringChangesHere';
import { mergingFeature } from './feature';

const seven = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

function here(one: Bringing) {
  const sent: string[] = [];
  Object.assign(one.session, { sendPrompt: (text: string) => void sent.push(text) });
  one.session.transcript.view['cwd'] = one.there;
  return { sent, bring: () => bringChangesHere(one.bringer, one.session as unknown as Session) };
}

const messages = () => editor.shown.map(({ message }) => message);

test('brings only what is new since the last time', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven, 'b.txt': 'b\n' });
  const { bring } = here(one);
  one.agent('a.txt', seven.replace('one', 'ONE'));
  await bring();
  one.repository.write('a.txt', seven);
  one.agent('b.txt', 'agent\n');
  await bring();
  assert.equal(one.repository.read('a.txt'), seven);
  assert.equal(one.repository.read('b.txt'), 'agent\n');
  await bring();
  assert.equal(one.repository.read('a.txt'), seven);
  assert.deepEqual(messages().slice(-1), ['There are no new changes in “fix”. Bring the earlier ones again?']);
  editor.answers.push('Bring Again');
  await bring();
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'ONE'));
});

test('says that there is nothing to bring', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven });
  await here(one).bring();
  assert.deepEqual(messages(), ['“fix” has no changes.']);
});

test('brings nothing while the agent works', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven });
  one.agent('a.txt', 'agent\n');
  one.session.begin();
  await here(one).bring();
  assert.deepEqual(messages(), ['Fixer is still working. Wait until its turn ends, or stop it.']);
  assert.equal(one.repository.read('a.txt'), seven);
});

test('resolves a conflict in the editor, and remembers that', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven });
  const { bring } = here(one);
  const mine = seven.replace('one', 'mine');
  one.repository.write('a.txt', mine);
  one.agent('a.txt', seven.replace('one', 'theirs'));
  editor.answers.push('Resolve in Editor');
  await bring();
  const document = one.window.documents.open(one.window.path('a.txt'));
  assert.ok(document.isDirty);
  assert.match(document.getText(), /^<{7} workspace\nmine\n={7}\ntheirs\n>{7} parley\/fix\ntwo\n/);
  assert.equal(one.repository.read('a.txt'), mine);
  await one.window.undoAll();
  assert.equal(document.getText(), mine);
  await bring();
  assert.deepEqual(messages().slice(-1), ['There are no new changes in “fix”. Bring the earlier ones again?']);
});

test('lets the agent resolve a conflict in its worktree', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven });
  const { bring, sent } = here(one);
  one.repository.write('a.txt', seven.replace('one', 'mine').replace('four', 'also mine'));
  one.agent('a.txt', seven.replace('one', 'theirs').replace('seven', 'SEVEN'));
  editor.answers.push('Ask Fixer');
  await bring();
  const marked = one.repository.read('a.txt', one.there);
  const conflict = '<<<<<<< workspace\nmine\n=======\ntheirs\n>>>>>>> parley/fix';
  assert.ok(marked.startsWith(`${conflict}\ntwo\nthree\nalso mine\n`));
  assert.ok(sent[0]?.includes(`a.txt:\n\`\`\`\n${conflict}\n\`\`\``));
  one.agent('a.txt', marked.replace(conflict, 'mine and theirs'));
  await bring();
  assert.deepEqual(sent.length, 1);
  const both = seven.replace('one', 'mine and theirs').replace('four', 'also mine').replace('seven', 'SEVEN');
  assert.equal(one.repository.read('a.txt'), both);
});

test('offers a conflict again that was not decided', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': 'a\n', 'b.bin': '\0a' });
  const { bring } = here(one);
  one.repository.write('b.bin', '\0mine');
  one.agent('b.bin', '\0theirs');
  await bring();
  editor.answers.push('Choose Versions');
  await bring();
  assert.equal(one.repository.read('b.bin'), '\0mine');
  assert.equal(messages().filter((one) => one === '1 file has a conflict. How do you want to resolve it?').length, 2);
});

test('merges a file again that could not be written, beside conflicts', needsGit, async (t) => {
  for (const answer of [undefined, 'Resolve in Editor', 'Ask Fixer']) {
    const one = await Bringing.start(t, { 'a.txt': seven, 'old/b.txt': seven, 'old/gone.txt': 'gone\n' });
    const { bring } = here(one);
    if (answer !== undefined) one.repository.write('a.txt', seven.replace('one', 'mine'));
    one.agent('a.txt', seven.replace('one', 'theirs'));
    one.agent('old/b.txt', seven.replace('two', 'agent'));
    one.agent('new/c.txt', 'new\n');
    // A file in the place of a folder.
    one.repository.write('new', 'in the way\n');
    if (answer !== undefined) editor.answers.push(answer);
    await bring();
    assert.equal(one.repository.read('old/b.txt'), seven.replace('two', 'agent'));
    assert.equal(one.repository.read('new'), 'in the way\n');
    rmSync(join(one.repository.folder, 'new'));
    await bring();
    assert.equal(one.repository.read('new/c.txt'), 'new\n', answer);
  }
});

test('a stored session is opened to bring its changes', needsGit, async (t) => {
  const one = await Bringing.start(t, { 'a.txt': seven });
  here(one);
  one.agent('a.txt', seven.replace('one', 'agent'));
  const session = one.session as unknown as Session;
  const pool = { sessions: [] as Session[], move: () => undefined };
  const opened: string[] = [];
  const { commands } = mergingFeature({
    pool,
    pages: { activeSession: undefined },
    bringer: () => Promise.resolve(one.bringer),
    openSession: async (key: string) => {
      opened.push(key);
      if (key !== session.key) throw new Error('This session was deleted.');
      return Promise.resolve(void pool.sessions.push(session));
    },
    log: { error: () => undefined },
  } as unknown as Parameters<typeof mergingFeature>[0]);
  await commands['parley.bringChanges'](session.key);
  assert.equal(one.repository.read('a.txt'), seven.replace('one', 'agent'));
  await commands['parley.bringChanges']('session:gone');
  assert.deepEqual([opened, messages().slice(-1)], [[session.key, 'session:gone'], ['This session was deleted.']]);
});
