import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { allowAll } from '../../agents/support';
import { files, prompt, startToolCaller, toldAll } from '../../agents/toolCaller';
import { typeScriptSettings } from '../../workbench/typeScript.mjs';
import { scene, type Scene } from '../harness';
import { until } from '../poll';
import { waitingChanges } from '../reviewParts';

const { seen, setting, results } = startToolCaller();

/** Undoes the change with the editor's own undo: one step in both files. */
async function undoInEditor({ workbench }: Scene): Promise<void> {
  const { page } = workbench;
  await workbench.openFile('total.ts');
  await page.locator('.editor-instance .view-line', { hasText: 'function sum' }).click();
  await page.keyboard.press('Control+z');
  await page.locator('.editor-instance .view-line', { hasText: 'function total' }).waitFor();
  // The other file follows a moment later.
  await page.locator('.tabs-container .tab.dirty', { hasText: 'use.ts' }).waitFor();
  await workbench.runCommand('File: Save All Files');
}

async function callsTools(stage: Scene, name: string): Promise<void> {
  const { workbench, chat, openChat, screenshot } = stage;
  seen().length = 0;
  await openChat();
  await chat.send(prompt);
  const asked = await allowAll(chat, true);
  await chat.untilText(chat.article(name).last(), 'The function is renamed.');
  await screenshot(`editor-tools-${name}`);
  toldAll(results());
  assert.match(await readFile(workbench.file('total.ts'), 'utf8'), /^export function sum\(a/);
  const [renaming] = asked.filter(({ title }) => title.includes('Rename total to sum'));
  assert.equal(renaming?.diffs.length, 2, 'Parley asked, with what is to change.');
  // Both files wait for review, as if the agent had written them itself.
  const changed = chat.page.getByRole('list', { name: 'Changed files' });
  for (const file of ['total.ts', 'use.ts']) await changed.getByText(file).waitFor({ state: 'attached' });
  await undoInEditor(stage);
  const text = (file: 'total.ts' | 'use.ts') => readFileSync(workbench.file(file), 'utf8');
  await until(() => text('total.ts') === files['total.ts'], 'total.ts still differs.');
  await until(() => text('use.ts') === files['use.ts'], 'use.ts still differs.');
  await waitingChanges(workbench).waitFor({ state: 'hidden' });
}

for (const [key, name] of [
  ['claude', 'Claude'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini'],
  ['opencode', 'opencode'],
  ['qwen', 'Qwen'],
  ['copilot', 'Copilot'],
] as const) {
  scene(
    `${name} reads problems and references and renames through the editor`,
    {
      agents: setting(key),
      settings: { ...typeScriptSettings, 'parley.editorTools.more': ['renameSymbol'] },
      files,
      timeoutMs: 180_000,
    },
    (stage) => callsTools(stage, name),
  );
}
