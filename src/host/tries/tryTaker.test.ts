// Parts of a try are taken with real git and files, where the user has changed the same lines.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Bringing } from '../../../test/unit-support/bringing';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import type { TakenFile, Try, TryGroup } from '../../tries/tryGroup';
import { triedFiles } from '../../tries/triedFiles';
import { bringChangesHere } from '../merging/bringChangesHere';
import { compareWithHanded } from './handedStart';
import { TryTaker, type TryTakerServices } from './tryTaker';

const seven = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const marked = (mine: string, theirs: string) => `<<<<<<< workspace\n${mine}\n=======\n${theirs}\n>>>>>>> parley/fix\n`;

class Taking {
  readonly bringing: Bringing;
  readonly sent: string[] = [];
  one: Try;
  private readonly taker: TryTaker;

  private constructor(bringing: Bringing) {
    this.bringing = bringing;
    const { session, worktree, window, bringer } = bringing;
    const { id, path, branch, base } = worktree.record;
    this.one = {
      session: session.key,
      agentName: 'Fixer',
      worktree: id,
      path,
      branch,
      base,
      use: { ms: 0, costs: [] },
      taken: [],
    };
    Object.assign(session, { sendPrompt: (text: string) => void this.sent.push(text) });
    const { log, disk } = window.review;
    const store = {
      change: (_key: unknown, change: (one: Try) => Try) => void (this.one = change(this.one)),
      groupOf: () => ({ tries: [this.one] }) as unknown as TryGroup,
    };
    bringing.handed = (...all) => compareWithHanded(store, ...all);
    this.taker = new TryTaker({
      store,
      log,
      disk,
      bringer,
      sessionOf: () => Promise.resolve(session as unknown as Session),
    } as unknown as TryTakerServices);
  }

  static async start(t: TestContext): Promise<Taking> {
    return new Taking(await Bringing.start(t, { 'a.txt': seven, 'b.bin': '\0b', 'c.txt': 'c\n' }));
  }

  take(path: string, changes?: readonly number[]): Promise<number> {
    return this.taker.take(this.one, [{ path, ...(changes ? { changes } : {}) }]);
  }

  /** Brings everything here, as in any session. */
  async bring(): Promise<void> {
    const { session, bringer, there } = this.bringing;
    session.transcript.view['cwd'] = there;
    await bringChangesHere(bringer, session as unknown as Session);
  }

  /** The numbers of lines that the try changed, as the page shows them. */
  async counts(): Promise<readonly string[]> {
    const files = await triedFiles(this.one);
    return files.map(({ path, from, added, removed }) =>
      [...(from ? [from] : []), `${path} +${added} -${removed}`].join(' → '),
    );
  }

  still(): Promise<readonly TakenFile[]> {
    return this.taker.stillTaken(this.one, this.bringing.repository.folder, () => undefined);
  }

  async taken(): Promise<readonly string[]> {
    return (await this.still()).map(({ path }) => path);
  }

  /** How many of a file's changes are taken, as the page shows it. */
  async share(): Promise<readonly (readonly [number, number] | 'all')[]> {
    return (await this.still()).map(({ changes, count = 0 }) => (changes ? [changes.length, count] : 'all'));
  }
}

const questions = () => editor.shown.map(({ message, items }) => [message, ...items.slice(1)]);
const question = '1 file has a conflict. How do you want to resolve it?';

test('resolves a conflict of a taken file in the editor', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository, window } = here.bringing;
  repository.write('a.txt', seven.replace('one', 'mine'));
  here.bringing.agent('a.txt', seven.replace('one', 'theirs').replace('seven', 'SEVEN'));
  editor.answers.push('Resolve in Editor');
  assert.equal(await here.take('a.txt'), 1);
  assert.deepEqual(questions(), [[question, 'Resolve in Editor', 'Ask Fixer']]);
  const document = window.documents.open(window.path('a.txt'));
  assert.ok(document.getText().startsWith(`${marked('mine', 'theirs')}two\n`));
  // With markers, the file doesn’t have the try’s version.
  assert.deepEqual(await here.taken(), []);
  await window.undoAll();
  assert.equal(document.getText(), seven.replace('one', 'mine'));
});

test('takes what the agent merged with the user’s file', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  repository.write('a.txt', seven.replace('one', 'mine'));
  here.bringing.agent('a.txt', seven.replace('one', 'theirs'));
  editor.answers.push('Ask Fixer');
  assert.equal(await here.take('a.txt'), 0);
  assert.equal(repository.read('a.txt'), seven.replace('one', 'mine'));
  const there = repository.read('a.txt', here.bringing.there);
  assert.equal(there, seven.replace('one\n', marked('mine', 'theirs')));
  assert.equal(here.sent.length, 1);
  assert.deepEqual(await here.taken(), []);
  here.bringing.agent('a.txt', seven.replace('one', 'mine and theirs'));
  // The user goes on in the meantime.
  repository.write('a.txt', seven.replace('one', 'mine').replace('six', 'later'));
  assert.equal(await here.take('a.txt'), 1);
  assert.equal(repository.read('a.txt'), seven.replace('one', 'mine and theirs').replace('six', 'later'));
  assert.deepEqual(await here.taken(), ['a.txt']);
  assert.equal(questions().length, 1);
});

test('offers only the editor for a single change that conflicts', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository, window } = here.bringing;
  repository.write('a.txt', seven.replace('one', 'mine'));
  here.bringing.agent('a.txt', seven.replace('one', 'theirs').replace('seven', 'SEVEN'));
  assert.equal(await here.take('a.txt', [0]), 0);
  assert.deepEqual(questions(), [[question, 'Resolve in Editor']]);
  assert.equal(repository.read('a.txt'), seven.replace('one', 'mine'));
  editor.answers.push('Resolve in Editor');
  assert.equal(await here.take('a.txt', [0]), 1);
  const document = window.documents.open(window.path('a.txt'));
  assert.equal(document.getText(), seven.replace('one\n', marked('mine', 'theirs')));
});

test('takes a file beside one whose conflict stays open', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  repository.write('b.bin', '\0mine');
  here.bringing.agent('b.bin', '\0theirs');
  here.bringing.agent('c.txt', 'agent\n');
  assert.equal(await here.take('c.txt'), 1);
  assert.equal(await here.take('b.bin'), 0);
  assert.deepEqual(questions(), [[question, 'Choose Versions']]);
  assert.equal(repository.read('b.bin'), '\0mine');
  assert.deepEqual(await here.taken(), ['c.txt']);
});

test('counts only taken changes that the try and the user still have', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  here.bringing.agent('a.txt', seven.replace('one', 'ONE').replace('four', 'FOUR').replace('seven', 'SEVEN'));
  await here.take('a.txt', [0]);
  assert.deepEqual(await here.share(), [[1, 3]]);
  await here.take('a.txt', [2]);
  assert.deepEqual(await here.share(), [[2, 3]]);
  assert.equal(repository.read('a.txt'), seven.replace('one', 'ONE').replace('seven', 'SEVEN'));
  // The agent takes one back that the user took, and writes another one again.
  here.bringing.agent('a.txt', seven.replace('one', 'first').replace('seven', 'SEVEN'));
  assert.deepEqual(await here.share(), [[1, 2]]);
  here.bringing.agent('a.txt', seven.replace('seven', 'SEVEN'));
  assert.deepEqual(await here.share(), ['all']);
  repository.write('a.txt', seven);
  assert.deepEqual(await here.share(), []);
});

test('counts no lines of the user that the agent merged in', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  repository.write('a.txt', seven.replace('one', 'mine').replace('four', 'also mine'));
  here.bringing.agent('a.txt', seven.replace('one', 'theirs').replace('seven', 'SEVEN'));
  editor.answers.push('Ask Fixer');
  await here.take('a.txt');
  const merged = seven.replace('one', 'mine\ntheirs').replace('four', 'also mine').replace('seven', 'SEVEN');
  here.bringing.agent('a.txt', merged);
  // “theirs” is added after the user's line. “SEVEN” was taken before the agent was asked, as it conflicted with nothing.
  assert.deepEqual(await here.counts(), ['a.txt +1 -0']);
  assert.equal(repository.read('a.txt'), merged.replace('mine\ntheirs', 'mine'));
  // A single change of it is taken without the user's lines, too.
  assert.equal(await here.take('a.txt', [0]), 1);
  assert.equal(repository.read('a.txt'), merged);
  assert.deepEqual(await here.share(), ['all']);
  // An agent that resolves it as the user has it changed nothing.
  here.bringing.agent('a.txt', merged.replace('mine\ntheirs', 'mine'));
  assert.deepEqual(await here.counts(), []);
});

test('counts no line breaks that Git converts as merged by the agent', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  repository.git('config', 'core.autocrlf', 'true');
  const returns = (text: string) => text.replaceAll('\n', '\r\n');
  repository.write('a.txt', returns(seven.replace('one', 'mine')));
  here.bringing.agent('a.txt', returns(seven.replace('one', 'theirs')));
  editor.answers.push('Ask Fixer');
  await here.take('a.txt');
  here.bringing.agent('a.txt', returns(seven.replace('one', 'mine\ntheirs')));
  const [file] = await triedFiles(here.one);
  assert.deepEqual([file?.added, file?.removed], [1, 0]);
});

test('counts no lines of the user after all changes were brought', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  const mine = seven.replace('one', 'mine').replace('four', 'also mine');
  repository.write('a.txt', mine);
  here.bringing.agent('a.txt', seven.replace('one', 'theirs'));
  here.bringing.agent('c.txt', 'agent\n');
  editor.answers.push('Ask Fixer');
  await here.bring();
  here.bringing.agent('a.txt', mine.replace('mine', 'mine\ntheirs'));
  // What was brought is still the try's.
  assert.deepEqual(await here.counts(), ['a.txt +1 -0', 'c.txt +1 -1']);
  await here.bring();
  assert.equal(repository.read('a.txt'), mine.replace('mine', 'mine\ntheirs'));
  assert.equal(repository.read('c.txt'), 'agent\n');
  // Git would delete the commit otherwise.
  const kept = repository.git('for-each-ref', '--format=%(objectname)', 'refs/parley/start');
  assert.equal(kept, here.one.start);
});

test('counts no lines of the user in a renamed file', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  const mine = seven.replace('one', 'mine');
  repository.write('a.txt', mine);
  repository.gitIn(here.bringing.there, 'mv', 'a.txt', 'moved.txt');
  here.bringing.agent('moved.txt', seven.replace('one', 'theirs'));
  editor.answers.push('Ask Fixer');
  await here.bring();
  here.bringing.agent('moved.txt', mine.replace('mine', 'mine\ntheirs'));
  assert.deepEqual(await here.counts(), ['a.txt → moved.txt +1 -0']);
  await here.bring();
  assert.equal(repository.has('a.txt'), false);
  assert.equal(repository.read('moved.txt'), mine.replace('mine', 'mine\ntheirs'));
});

test('brings nothing again that was brought before the agent merged a file', needsGit, async (t) => {
  const here = await Taking.start(t);
  const { repository } = here.bringing;
  here.bringing.agent('c.txt', 'agent\n');
  await here.bring();
  repository.write('c.txt', 'changed since\n');
  repository.write('a.txt', seven.replace('one', 'mine'));
  here.bringing.agent('a.txt', seven.replace('one', 'theirs'));
  editor.answers.push('Ask Fixer');
  await here.take('a.txt');
  here.bringing.agent('a.txt', seven.replace('one', 'both'));
  await here.bring();
  assert.equal(repository.read('a.txt'), seven.replace('one', 'both'));
  assert.equal(repository.read('c.txt'), 'changed since\n');
});
