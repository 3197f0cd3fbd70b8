import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SkillsShown } from '../../src/shared/pages/skillsPage';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';

/* The tabs of prompts, and of instructions and skills. */

const browser = useBrowser();

const shown: SkillsShown = {
  folders: ['harbor', 'lighthouse'],
  folder: 0,
  agents: [
    {
      id: 'claude',
      name: 'Claude',
      files: [
        { path: 'CLAUDE.md' },
        { path: 'AGENTS.md', replacedBy: 'CLAUDE.md' },
        { path: '.claude/rules/naming-of-components-and-their-tests.md' },
      ],
      others: ['.claude/CLAUDE.md', 'CLAUDE.local.md'],
    },
    { id: 'codex', name: 'Codex', files: [{ path: 'AGENTS.md' }], others: ['AGENTS.override.md'] },
    { id: 'gemini', name: 'Gemini', files: [], missing: 'GEMINI.md', others: [] },
    { id: 'qwen', name: 'Qwen', files: [{ path: 'QWEN.md', link: 'AGENTS.md' }], others: ['.qwen/rules/*.md'] },
  ],
  skills: [
    {
      path: '.agents/skills/pdf/SKILL.md',
      name: 'pdf',
      description: 'Reads, fills in, and joins PDF files. Use it whenever a PDF is mentioned.',
      agents: ['Codex', 'Gemini', 'opencode', 'Qwen', 'Copilot'],
    },
    { path: '.claude/skills/release/SKILL.md', name: 'release', description: '', agents: ['Claude'] },
  ],
  prompts: [
    { id: '/own/explain.md', name: 'explain', title: 'Explain the selection', description: '', folder: '' },
    {
      id: '/harbor/review-branch.md',
      name: 'review-branch',
      title: 'Review a branch',
      description: 'Looks for bugs and missing tests',
      folder: 'harbor',
    },
  ],
  refused: [{ name: '.parley/prompts/huge.md', reason: 'larger than 64 KB' }],
};

type Tab = 'prompts' | 'instructions';

async function show(chat: Chat, tab: Tab, fields: Partial<SkillsShown> = {}): Promise<void> {
  await chat.receive({ type: 'tab', tab });
  await chat.receive({ type: 'skills', shown: { ...shown, ...fields } });
  const name = tab === 'prompts' ? 'Prompts' : 'Instructions and skills';
  await chat.page.getByRole('heading', { name, exact: true }).waitFor();
}

async function openPage(tab: Tab, fields: Partial<SkillsShown> = {}): Promise<Chat> {
  const chat = await browser.open({ page: 'parley', host: 'editor', width: 900 });
  await show(chat, tab, fields);
  return chat;
}

const posted = async (chat: Chat) =>
  (await chat.allPosted()).filter(
    ({ type }) => (type as string) !== 'ready' && (type as string) !== 'showTab',
  ) as readonly unknown[];

testLooks(browser, [
  {
    name: 'instructions-tab',
    page: 'parley',
    height: 1100,
    widths: [290, 1200],
    reach: (chat) => show(chat, 'instructions'),
  },
  { name: 'prompts-tab', page: 'parley', widths: [290, 1200], reach: (chat) => show(chat, 'prompts') },
]);

test('shows what each agent reads, and what is missing', async () => {
  const chat = await openPage('instructions');
  const rows = async (name: string) =>
    (await chat.page.getByRole('group', { name }).getByRole('listitem').allInnerTexts()).map((row) =>
      row.replaceAll(/\s+/g, ' ').trim(),
    );
  assert.deepEqual((await rows('Claude')).slice(0, 2), ['CLAUDE.md', 'AGENTS.md not read, because CLAUDE.md is']);
  assert.deepEqual(await rows('Gemini'), ['GEMINI.md missing Create from…']);
  assert.deepEqual(await rows('Qwen'), ['QWEN.md link to AGENTS.md']);
  await show(chat, 'prompts');
  assert.match(
    await chat.page.getByRole('note').innerText(),
    /\.parley\/prompts\/huge\.md is skipped: larger than 64 KB/,
  );
  await chat.close();
});

test('everything in both tabs works with the keyboard', async () => {
  const chat = await openPage('instructions');
  const { keyboard } = chat.page;
  await chat.page.getByRole('combobox', { name: 'Folder' }).focus();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await chat.button('Create from… GEMINI.md for Gemini').focus();
  await keyboard.press('Enter');
  await chat.page.getByRole('combobox', { name: 'Folder' }).selectOption('lighthouse');
  await show(chat, 'prompts');
  for (const name of ['New prompt', 'Use /explain', 'Open /review-branch']) {
    await chat.button(name).focus();
    await keyboard.press('Enter');
  }
  assert.deepEqual(await posted(chat), [
    { type: 'openFile', path: 'CLAUDE.md' },
    { type: 'createFrom', agent: 'gemini' },
    { type: 'setFolder', folder: 1 },
    { type: 'newPrompt' },
    { type: 'usePrompt', id: '/own/explain.md' },
    { type: 'openPrompt', id: '/harbor/review-branch.md' },
  ]);
  await chat.close();
});

test('a change of files leaves the focus where it is', async () => {
  const chat = await openPage('prompts');
  await chat.button('Use /review-branch').focus();
  await show(chat, 'prompts', { prompts: shown.prompts.slice(1), skills: [] });
  const name = await chat.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  assert.equal(name, 'Use /review-branch');
  await chat.close();
});

test('says what to do without a folder, skills, and prompts', async () => {
  const nothing = { folders: [], agents: [], skills: [], prompts: [], refused: [] };
  const chat = await openPage('instructions', nothing);
  const status = () => chat.page.getByRole('status').allInnerTexts();
  assert.deepEqual(await status(), ['Open a folder to see what agents read in it.']);
  await show(chat, 'prompts', nothing);
  assert.deepEqual(await status(), ['There are no prompts yet.']);
  await show(chat, 'instructions', { skills: [] });
  assert.match(await chat.page.getByRole('status').innerText(), /There are no skills in this folder/);
  await chat.close();
});
