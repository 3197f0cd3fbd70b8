import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { mostBytes, mostPrompts, readPrompt, readPromptFolder } from './promptFolder';

function workspace(t: TestContext, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const root = tempFolder(t);
  const path = join(root, '.parley', 'prompts');
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return { root, path };
}

test('lists Markdown files by name, with title and description', async (t) => {
  const { path } = workspace(t, {
    'review.md': '---\ntitle: Review a branch\ndescription: Looks for bugs\n---\n\nReview {{branch}}.\n',
    'Fix It.MD': 'Fix it.',
    'notes.txt': 'no prompt',
    '.hidden.md': 'no prompt',
  });
  mkdirSync(join(path, 'folder.md'));
  const { prompts, problems } = await readPromptFolder({ path, folder: 'harbor' });
  assert.deepEqual(prompts, [
    { path: join(path, 'Fix It.MD'), name: 'Fix-It', title: '', description: '' },
    { path: join(path, 'review.md'), name: 'review', title: 'Review a branch', description: 'Looks for bugs' },
  ]);
  assert.deepEqual(problems, [{ path: join(path, 'folder.md'), problem: 'unreadable' }]);
  const read = await readPrompt(join(path, 'review.md'));
  assert.equal(typeof read === 'string' ? read : read.text, 'Review {{branch}}.');
});

test('offers no file that is too large, binary, empty, or oddly named', posixOnly, async (t) => {
  const { path } = workspace(t, {
    'big.md': 'x'.repeat(mostBytes + 1),
    'binary.md': Uint8Array.from([0xff, 0xfe, 0x00]),
    'null.md': 'a\0b',
    'empty.md': '---\ntitle: Nothing\n---\n \n',
    'a\u202eb.md': 'text',
  });
  const { prompts, problems } = await readPromptFolder({ path, folder: 'harbor' });
  assert.deepEqual(prompts, []);
  assert.deepEqual(
    problems.map(({ path: one, problem }) => [basename(one), problem]),
    [
      ['a\u202eb.md', 'name'],
      ['big.md', 'size'],
      ['binary.md', 'binary'],
      ['empty.md', 'empty'],
      ['null.md', 'binary'],
    ],
  );
});

test('shows titles on one line, short, with hidden characters', async (t) => {
  const { path } = workspace(t, {
    'a.md': `---\ntitle: a\u202eb\ndescription: ${'d'.repeat(500)}\n---\ntext`,
  });
  const [found] = (await readPromptFolder({ path, folder: 'harbor' })).prompts;
  assert.equal(found?.title, 'a\\u{202e}b');
  assert.equal(found.description, `${'d'.repeat(200)}…`);
});

test('reads a limited number of prompts', async (t) => {
  const names = Array.from({ length: mostPrompts + 3 }, (_, at) => [`p${String(at).padStart(4, '0')}.md`, 'text']);
  const { path } = workspace(t, Object.fromEntries(names) as Record<string, string>);
  const found = await readPromptFolder({ path, folder: 'harbor' });
  assert.equal(found.prompts.length, mostPrompts);
  assert.equal(found.skipped, 3);
});

test('never follows links of a workspace', posixOnly, async (t) => {
  const elsewhere = tempFolder(t);
  writeFileSync(join(elsewhere, 'secret.md'), 'key');
  const { path } = workspace(t);
  symlinkSync(join(elsewhere, 'secret.md'), join(path, 'link.md'));
  const { prompts, problems } = await readPromptFolder({ path, folder: 'harbor' });
  assert.deepEqual([prompts, problems], [[], [{ path: join(path, 'link.md'), problem: 'link' }]]);
  const root = tempFolder(t);
  mkdirSync(join(root, '.parley'));
  symlinkSync(elsewhere, join(root, '.parley', 'prompts'));
  const linked = join(root, '.parley', 'prompts');
  assert.deepEqual((await readPromptFolder({ path: linked, folder: 'harbor' })).prompts, []);
  // The user's own folder may be elsewhere.
  assert.equal((await readPromptFolder({ path: linked, folder: '' })).prompts.length, 1);
});

test('finds nothing in a folder that does not exist', async (t) => {
  const path = join(tempFolder(t), '.parley', 'prompts');
  assert.deepEqual(await readPromptFolder({ path, folder: 'harbor' }), { prompts: [], problems: [], skipped: 0 });
});
