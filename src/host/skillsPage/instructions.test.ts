import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, window } from '../../../test/unit-support/vscode';
import { knownAgents, sourceFiles } from './agentFiles';
import { createFrom } from './createFrom';
import { readInstructions } from './readInstructions';

beforeEach(() => editor.reset());

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = tempFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function agentIn(root: string, id: string) {
  return (await readInstructions(root)).agents.find((agent) => agent.id === id);
}

/** Answers the next list with the entry of this label. Returns what was offered. */
function picks(t: TestContext, label: string): string[] {
  const offered: string[] = [];
  const show = (items: readonly { readonly label: string }[]) => {
    offered.push(...items.map((item) => item.label));
    return Promise.resolve(items.find((item) => item.label === label));
  };
  t.mock.method(window as unknown as Record<'showQuickPick', typeof show>, 'showQuickPick', show);
  return offered;
}

const known = (id: string) => knownAgents.find((agent) => agent.id === id) ?? assert.fail(id);

test('the table has whole paths, each once per agent', () => {
  for (const { id, files, main } of knownAgents) {
    const paths = files.map(({ path }) => path);
    assert.equal(new Set(paths).size, paths.length, id);
    assert.ok(paths.includes(main) && sourceFiles.includes(main), id);
    for (const { path, unless = [] } of files) {
      assert.match(path, /^[\w.][\w./-]*\w$/);
      for (const other of unless) assert.ok(paths.includes(other), `${id}: ${other}`);
    }
  }
});

test('lists what exists, what replaces it, and what is missing', async (t) => {
  const root = folderWith(t, {
    'CLAUDE.md': '',
    'AGENTS.md': '',
    '.claude/rules/style.md': '',
    '.claude/rules/notes.txt': '',
  });
  assert.deepEqual(await agentIn(root, 'claude'), {
    id: 'claude',
    name: 'Claude',
    files: [{ path: 'CLAUDE.md' }, { path: 'AGENTS.md', replacedBy: 'CLAUDE.md' }, { path: '.claude/rules/style.md' }],
    others: ['.claude/CLAUDE.md', 'CLAUDE.local.md'],
  });
  assert.deepEqual(await agentIn(root, 'opencode'), {
    id: 'opencode',
    name: 'opencode',
    files: [{ path: 'AGENTS.md' }, { path: 'CLAUDE.md', replacedBy: 'AGENTS.md' }],
    others: ['CONTEXT.md'],
  });
  assert.deepEqual(await agentIn(root, 'gemini'), {
    id: 'gemini',
    name: 'Gemini',
    files: [],
    missing: 'GEMINI.md',
    others: [],
  });
});

test('lists skills with their descriptions and who finds them', posixOnly, async (t) => {
  const outside = folderWith(t, { 'SKILL.md': '---\nname: outside\n---\n' });
  const root = folderWith(t, {
    '.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: >\n  Reads\n  PDF files\u202e\n---\nText',
    '.agents/skills/plain/SKILL.md': 'No front matter',
    '.agents/skills/empty/README.md': '',
    '.claude/skills/own/SKILL.md': '---\nname: own\n---\n',
  });
  symlinkSync(outside, join(root, '.agents', 'skills', 'outside'));
  symlinkSync(join(root, '.claude', 'skills', 'own'), join(root, '.agents', 'skills', 'shared'));
  const { skills } = await readInstructions(root);
  assert.deepEqual(
    skills.map(({ path, name, description }) => [path, name, description]),
    [
      ['.claude/skills/own/SKILL.md', 'own', ''],
      ['.agents/skills/pdf/SKILL.md', 'pdf', 'Reads PDF files\\u{202e}'],
      ['.agents/skills/plain/SKILL.md', 'plain', ''],
      ['.agents/skills/shared/SKILL.md', 'own', ''],
    ],
  );
  assert.deepEqual(skills[0]?.agents, ['Claude', 'opencode', 'Copilot']);
  assert.deepEqual(skills[1]?.agents, ['Codex', 'Gemini', 'opencode', 'Qwen', 'Copilot']);
});

test('says what a file is a link to', posixOnly, async (t) => {
  const root = folderWith(t, { 'AGENTS.md': '' });
  symlinkSync('AGENTS.md', join(root, 'GEMINI.md'));
  assert.deepEqual((await agentIn(root, 'gemini'))?.files, [{ path: 'GEMINI.md', link: 'AGENTS.md' }]);
});

test('creates a file that imports another one, if the agent can', async (t) => {
  const root = folderWith(t, { 'AGENTS.md': '# Rules\n' });
  const offered = picks(t, 'Import AGENTS.md');
  await createFrom(root, known('gemini'));
  assert.deepEqual(offered, ['Import AGENTS.md', 'Copy AGENTS.md', 'Start empty']);
  assert.equal(readFileSync(join(root, 'GEMINI.md'), 'utf8'), '@AGENTS.md\n');
});

test('copies where imports are not understood', async (t) => {
  const root = folderWith(t, { 'CLAUDE.md': '\ufeff# Règles\r\n' });
  const offered = picks(t, 'Copy CLAUDE.md');
  await createFrom(root, known('codex'));
  assert.deepEqual(offered, ['Copy CLAUDE.md', 'Start empty']);
  assert.equal(readFileSync(join(root, 'AGENTS.md'), 'utf8'), '\ufeff# Règles\r\n');
});

test('never overwrites a file, and copies nothing from outside', posixOnly, async (t) => {
  const outside = folderWith(t, { 'secret.md': 'key' });
  const root = folderWith(t, { 'AGENTS.md': 'mine' });
  symlinkSync(join(outside, 'secret.md'), join(root, 'CLAUDE.md'));
  const offered = picks(t, 'Start empty');
  await createFrom(root, known('codex'));
  assert.deepEqual(offered, ['Start empty']);
  assert.equal(readFileSync(join(root, 'AGENTS.md'), 'utf8'), 'mine');
  await createFrom(root, known('claude'));
  assert.equal(readFileSync(join(outside, 'secret.md'), 'utf8'), 'key');
  assert.deepEqual(
    editor.shown.map(({ kind }) => kind),
    ['error', 'error'],
  );
});
