import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../e2e/poll';
import type { FakeDocument } from '../unit-support/fakeDocuments';
import { Uri, workspace } from '../unit-support/vscode';
import { agentScene, untilAgreed, untilLogged, type AgentScene } from './agentScene';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, allWays, nameIn, openAndHeld, startModel, tool, type Way } from './support';

/** Where the scene's workspace is; the scripts need absolute paths. */
let folder = '';
/** The command that every agent is made to run. */
const line = 'echo first-line && echo second-line';
/** One that goes on until a file is there. */
const longLine = 'echo first-line; touch started; until [ -e go ]; do sleep 0.1; done; echo second-line';
let command = line;

/** Reads a file, writes one, runs a command, ends. */
function script(request: ModelRequest): ModelStep {
  if (request.tools.includes('apply_patch')) return codexScript(request);
  switch (request.rounds) {
    case 0:
      // Gemini reads by itself, but edits what the editor holds.
      if (request.tools.includes('replace')) {
        const edit = { old_string: 'notes on disk', new_string: 'notes of the agent', instruction: 'Say whose notes' };
        return { text: 'First I edit.', calls: [{ name: 'replace', input: { ...at(request, 'notes.md'), ...edit } }] };
      }
      return {
        text: 'First I read.',
        calls: [{ name: tool(request, 'Read', 'read', 'read_file', 'mcp__acp__Read'), input: at(request, 'notes.md') }],
      };
    case 1: {
      const name = tool(request, 'Write', 'write', 'write_file', 'mcp__acp__Write');
      const input = { ...at(request, 'greeting.md'), content: 'Hello from the agent\n' };
      return { text: 'Now I write a file.', calls: [{ name, input }] };
    }
    case 2: {
      const name = tool(request, 'Bash', 'bash', 'run_shell_command', 'mcp__acp__Bash');
      // The old adapter insists on a number of milliseconds.
      const timeout = name.startsWith('mcp__') ? { timeout: 60_000 } : {};
      const input = { command, description: 'Print two lines', ...timeout };
      return { text: 'Then I run a command.', calls: [{ name, input }] };
    }
    default:
      return { text: 'All of it is **done**.' };
  }
}

/** Codex has no tool that reads, and one that changes several files at once. */
function codexScript(request: ModelRequest): ModelStep {
  switch (request.rounds) {
    case 0: {
      const patch = [
        '*** Begin Patch',
        '*** Update File: notes.md',
        '@@',
        '-notes on disk',
        '+notes of the agent',
        '*** Add File: greeting.md',
        '+Hello from the agent',
        '*** End Patch',
        '',
      ];
      return { text: 'I edit.', calls: [{ name: 'apply_patch', input: { input: patch.join('\n') } }] };
    }
    case 1:
      return { text: 'Then I run a command.', calls: [{ name: 'exec_command', input: { cmd: command } }] };
    default:
      return { text: 'All of it is **done**.' };
  }
}

/** The path of a workspace file as this agent's tools spell it: opencode refuses what the others want. */
function at(request: ModelRequest, name: string): Record<string, string> {
  const key = request.tools.includes('todowrite') ? 'filePath' : 'file_path';
  return { [key]: join(folder, name) };
}

const { seen, setting } = startModel(script);

/** Sends the prompt, allows whatever the agent asks, and resolves when the turn is over, to the commands that were in sight when it asked. */
async function playTurn({ chat, folder: opened }: AgentScene): Promise<readonly string[]> {
  folder = opened;
  seen().length = 0;
  await chat.send('Please read the notes, write a greeting and run the command.');
  const asked = await allowAll(chat);
  return asked.flatMap(({ command }) => command ?? []);
}

/** Opens a tool call's card if it is folded. */
async function unfold(card: Locator): Promise<void> {
  const folded = card.locator('[aria-expanded=false]').first();
  if (await folded.isVisible()) await folded.click();
}

/** What the agent told its model about its `round`th tool. */
function resultOf(round: number): string {
  return (
    seen()
      .flatMap(({ request }) => (request?.rounds === round ? request.result : []))
      .at(-1) ?? ''
  );
}

/** The names of all entries of the transcript and of all changed files. */
async function namesOf({ chat }: AgentScene): Promise<readonly string[]> {
  const entries = await chat.transcript.getByRole('article').all();
  const changed = await chat.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem').allInnerTexts();
  const names = await Promise.all(entries.map(async (entry) => (await entry.getAttribute('aria-label')) ?? ''));
  return [...names, ...changed];
}

const played = new Map<string, readonly string[]>();

/** Sees that an agent's turn looks the same in each way. */
function sameInAll(agent: string, way: Way, names: readonly string[]): void {
  const shown = names.map((name) => name.replaceAll(nameIn(way, agent), agent));
  assert.ok(shown.length > 4, shown.join('\n'));
  const before = played.get(agent);
  if (before) assert.deepEqual(shown, before);
  played.set(agent, shown);
}

const files = { 'notes.md': 'notes on disk\n' };
/** Claude runs what only prints without a question, unless it is told otherwise. */
const asksAboutCommands = { '.claude/settings.json': '{ "permissions": { "ask": ["Bash"] } }\n' };

for (const [way, words] of openAndHeld) {
  agentScene(
    way,
    `Gemini and the user edit one unsaved file without losses${words}`,
    { agents: setting('gemini', way), files },
    async (scene) => {
      const { desk, chat, file } = scene;
      await desk.run('vscode.open', Uri.file(file('notes.md')));
      const [document] = workspace.textDocuments as unknown as readonly FakeDocument[];
      document?.type('unsaved words, notes on disk\n');
      assert.deepEqual(await playTurn(scene), [line]);
      assert.equal(await readFile(file('greeting.md'), 'utf8'), 'Hello from the agent\n');
      const notes = 'unsaved words, notes of the agent';
      assert.equal(await readFile(file('notes.md'), 'utf8'), `${notes}\n`);
      assert.equal(desk.documents.text, `${notes}\n`);
      await chat.untilText(chat.article('Gemini').last(), 'All of it is done.');
      await untilAgreed(scene, way);
    },
  );
}

for (const [way, words] of allWays) {
  agentScene(
    way,
    `Claude writes directly and shows its commands as terminals${words}`,
    { agents: setting('claude', way), files: { ...files, ...asksAboutCommands } },
    async (scene) => {
      const { chat, file } = scene;
      command = longLine;
      const turn = playTurn(scene);
      const card = chat.toolCall('').filter({ hasText: 'echo first-line' });
      await until(() => existsSync(file('started')), 'The command did not start.');
      await card.getByRole('region', { name: `Terminal: ${longLine}`, exact: true }).waitFor();
      await writeFile(file('go'), '');
      assert.deepEqual(await turn, [longLine]);
      command = line;
      assert.equal(await readFile(file('greeting.md'), 'utf8'), 'Hello from the agent\n');
      await chat.untilText(chat.article('Claude').last(), 'All of it is done.');
      await unfold(card);
      await chat.untilText(card.getByRole('region', { name: `Terminal: ${longLine}`, exact: true }), 'second-line');
      sameInAll('Claude', way, await namesOf(scene));
      await untilAgreed(scene, way);
    },
  );
}

for (const [way, words] of openAndHeld) {
  agentScene(
    way,
    `opencode asks with its diff and writes through the editor${words}`,
    { agents: setting('opencode', way), files },
    async (scene) => {
      const { chat, file } = scene;
      assert.deepEqual(await playTurn(scene), [line]);
      assert.equal(await readFile(file('greeting.md'), 'utf8'), 'Hello from the agent\n');
      await chat.untilText(chat.article('opencode').last(), 'All of it is done.');
      const card = chat.toolCall('').filter({ hasText: 'greeting.md' });
      assert.match(await card.innerText(), /\+1/);
      await unfold(card);
      await card.getByRole('figure', { name: /^Diff: .*greeting\.md/ }).waitFor();
      await untilAgreed(scene, way);
      await untilLogged(scene, '"fs/write_text_file"');
    },
  );
}

for (const [way, words] of allWays) {
  agentScene(
    way,
    `Codex patches two files directly, and both are pending${words}`,
    { agents: setting('codex', way), files },
    async (scene) => {
      const { desk, chat, file } = scene;
      await playTurn(scene);
      await chat.untilText(chat.article('Codex').last(), 'All of it is done.');
      assert.equal(await readFile(file('notes.md'), 'utf8'), 'notes of the agent\n');
      assert.equal(await readFile(file('greeting.md'), 'utf8'), 'Hello from the agent\n');
      const changed = chat.page.getByRole('list', { name: 'Changed files' });
      for (const name of ['notes.md', 'greeting.md']) await changed.getByText(name).waitFor({ state: 'attached' });
      const card = chat.toolCall('').filter({ hasText: 'echo first-line' });
      await unfold(card);
      await chat.untilText(card.getByRole('region', { name: `Terminal: ${line}`, exact: true }), 'second-line');
      const names = await namesOf(scene);
      await desk.run('parley.review.undoAll');
      await until(() => !existsSync(file('greeting.md')), 'greeting.md is still there.');
      await until(() => readFileSync(file('notes.md'), 'utf8') === 'notes on disk\n', 'notes.md still differs.');
      await changed.waitFor({ state: 'hidden' });
      sameInAll('Codex', way, names);
      await untilAgreed(scene, way);
    },
  );
}

agentScene(
  1,
  "the old Claude adapter's commands run in Parley's terminals",
  { agents: setting('claudeOld'), files },
  async (scene) => {
    const { chat, file } = scene;
    assert.deepEqual(await playTurn(scene), [line]);
    assert.equal(await readFile(file('greeting.md'), 'utf8'), 'Hello from the agent\n');
    assert.match(resultOf(3), /first-line[\s\S]*second-line/);
    const card = chat.toolCall('').filter({ hasText: 'echo first-line' });
    await unfold(card);
    await chat.untilText(card.getByRole('region', { name: `Terminal: ${line}`, exact: true }), 'second-line');
    await untilLogged(scene, '"terminal/create"');
  },
);
