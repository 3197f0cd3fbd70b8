// What messages carry: files, mentions, problems, prompts, code blocks, links, and where the agent is.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FromSkillsPage } from '../../../src/shared/pages/skillsPage';
import type { FakePage } from '../../unit-support/productWindow';
import { Diagnostic, editor, languages, Range, Uri, window } from '../../unit-support/vscode';
import { commandRows, type ChatRows, type PageRow } from '../row';
import type { Stage } from '../stage';
import { openTab, showsTab } from './parleyPage';
import { quiet } from '../shortTimers';

const attached = (stage: Stage, uri: RegExp) => assert.match(JSON.stringify(stage.posts('attach').attachments), uri);
const problem = () => new Diagnostic(new Range(1, 0, 1, 3), 'It doesn’t compile', 0);
const withProblem = (stage: Stage) => {
  const all = [[Uri.file(stage.path('a.txt')), [problem()]]];
  Object.assign(languages, { getDiagnostics: (uri?: Uri) => (uri ? [problem()] : all) });
};
const drafted = (stage: Stage, words: RegExp) => assert.match(stage.posts('addDraft').text, words);
const asks = (stage: Stage) => [Uri.file(stage.path('a.txt')), [problem()]];

/** The user's prompts. */
const promptsFolder = (stage: Stage) => join(stage.kept.global, 'prompts');
const withPrompt = async (stage: Stage) => {
  mkdirSync(promptsFolder(stage), { recursive: true });
  writeFileSync(join(promptsFolder(stage), 'tidy.md'), 'Tidy up.\n');
  // The editor watches the folder.
  editor.fire('watcher.create', Uri.file(join(promptsFolder(stage), 'tidy.md')));
  await quiet();
};
const promptId = (stage: Stage): string => {
  const listed = stage.page.got.findLast((message) => message.type === 'prompts');
  return listed?.type === 'prompts' ? (listed.prompts[0]?.id ?? 'gone') : 'gone';
};
const savedPrompt = (stage: Stage) =>
  assert.deepEqual(existsSync(promptsFolder(stage)) ? readdirSync(promptsFolder(stage)) : [], ['mine.md']);
const newPromptAnswers = ['Your prompts', 'mine'];

const followed = (stage: Stage) => stage.posts('following').isOn;
const follow = (stage: Stage) => stage.say({ type: 'follow', session: stage.key, action: 'on' });
const works = async (stage: Stage, name: string, line: number) => {
  writeFileSync(stage.path(name), 'x\n'.repeat(20));
  stage.agent.update({
    sessionUpdate: 'tool_call',
    toolCallId: name,
    title: 'Read',
    kind: 'read',
    status: 'in_progress',
    locations: [{ path: stage.path(name), line }],
  });
  await quiet();
};
const walked = async (stage: Stage) => {
  await follow(stage);
  await works(stage, 'b.txt', 3);
  await works(stage, 'c.txt', 5);
};

export const contextCommands = commandRows({
  'parley.addToChat': {
    with: (stage) => [Uri.file(stage.path('a.txt')), []],
    does: (stage) => attached(stage, /a\.txt/),
  },
  'parley.addProblemsToChat': {
    before: withProblem,
    answers: [['It doesn’t compile']],
    does: (stage) => attached(stage, /It doesn’t compile/),
  },
  'parley.addTerminalSelectionToChat': {
    before: (stage) => {
      Object.assign(window, { activeTerminal: { name: 'bash' } });
      stage.desk.clipboard = 'before';
      editor.commands.set('workbench.action.terminal.copySelection', () => {
        stage.desk.clipboard = 'selected in the terminal';
      });
    },
    does: (stage) => {
      attached(stage, /selected in the terminal/);
      assert.equal(stage.desk.clipboard, 'before');
    },
  },
  'parley.fixWithAgent': { with: asks, does: (stage) => drafted(stage, /^Fix this problem/) },
  'parley.explainWithAgent': { with: asks, does: (stage) => drafted(stage, /^Explain this problem/) },
  'parley.newPrompt': { answers: newPromptAnswers, does: savedPrompt, may: { untrusted: ['files'] } },
  'parley.savePrompt': { answers: ['what the user typed', ...newPromptAnswers], does: savedPrompt },
  'parley.showPrompts': {
    before: withPrompt,
    answers: ['/tidy'],
    does: (stage) => assert.match(stage.posts('tookPrompt').text ?? '', /Tidy up/),
    may: { untrusted: ['files'] },
  },
  'parley.showSkills': { does: showsTab('instructions') },
  'parley.follow': { does: (stage) => assert.equal(followed(stage), true) },
  'parley.followBack': {
    scene: 'working',
    before: walked,
    does: (stage) => assert.match(String(stage.executes('vscode.open')[0]), /b\.txt$/),
  },
  'parley.followForward': {
    scene: 'working',
    before: async (stage) => {
      await walked(stage);
      await stage.run('parley.followBack');
    },
    does: (stage) => assert.match(String(stage.executes('vscode.open')[0]), /c\.txt$/),
  },
});

export const contextMessages: ChatRows<
  | 'findMentions'
  | 'takeMention'
  | 'attachUris'
  | 'findPasted'
  | 'readClipboard'
  | 'findTextless'
  | 'previewAttachment'
  | 'openAttachment'
  | 'saveContent'
  | 'openText'
  | 'takePrompt'
  | 'savePrompt'
  | 'follow'
  | 'useCode'
> = {
  findMentions: {
    before: withProblem,
    message: () => ({ type: 'findMentions', query: 'problem:' }),
    does: (stage) => assert.match(JSON.stringify(stage.posts('foundMentions').mentions), /It doesn’t compile/),
  },
  takeMention: {
    before: async (stage) => {
      withProblem(stage);
      await stage.say({ type: 'findMentions', query: 'problem:' });
    },
    message: (stage) => {
      const found = stage.page.got.findLast((message) => message.type === 'foundMentions');
      return { type: 'takeMention', id: (found?.type === 'foundMentions' && found.mentions[0]?.id) || 'gone' };
    },
    does: (stage) => assert.equal(stage.posts('tookMention').attachments.length, 1),
  },
  attachUris: {
    message: (stage) => ({ type: 'attachUris', uris: [stage.uri('a.txt')] }),
    does: (stage) => attached(stage, /a\.txt/),
  },
  findPasted: {
    message: () => ({ type: 'findPasted', id: 4, text: 'pasted' }),
    does: (stage) => assert.equal(stage.posts('foundPasted').id, 4),
  },
  readClipboard: {
    before: (stage) => {
      stage.desk.clipboard = 'copied elsewhere';
    },
    message: () => ({ type: 'readClipboard' }),
    does: (stage) => assert.equal(stage.posts('clipboardText').text, 'copied elsewhere'),
  },
  findTextless: {
    message: (stage) => ({ type: 'findTextless', uris: [stage.uri('a.txt'), stage.uri('missing.txt')] }),
    does: (stage) => assert.deepEqual(stage.posts('foundTextless').uris, [stage.uri('missing.txt')]),
  },
  previewAttachment: {
    message: (stage) => ({ type: 'previewAttachment', uri: stage.uri('a.txt') }),
    does: (stage) => assert.match(JSON.stringify(stage.posts('attachmentPreview')), /three/),
  },
  openAttachment: {
    message: (stage) => ({ type: 'openAttachment', uri: stage.uri('a.txt') }),
    does: (stage) => assert.equal(String(stage.executes('vscode.open')[0]), stage.uri('a.txt')),
  },
  saveContent: {
    answers: (stage) => [`${stage.root}/saved.png`],
    message: () => ({ type: 'saveContent', block: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } }),
    does: (stage) => void stage.saved('saved.png'),
  },
  openText: {
    message: () => ({ type: 'openText', uri: 'attachment:///note.txt', text: 'a note' }),
    does: (stage) => assert.match(stage.documents.join(), /note/),
  },
  takePrompt: {
    before: withPrompt,
    message: (stage) => ({ type: 'takePrompt', id: promptId(stage) }),
    does: (stage) => assert.match(stage.posts('tookPrompt').text ?? '', /Tidy up/),
  },
  savePrompt: {
    answers: newPromptAnswers,
    message: () => ({ type: 'savePrompt', text: 'Tidy up' }),
    does: savedPrompt,
    may: { untrusted: ['files'] },
  },
  follow: {
    message: (stage) => ({ type: 'follow', session: stage.key, action: 'on' }),
    does: (stage) => assert.equal(followed(stage), true),
  },
  useCode: {
    message: (stage) => ({
      type: 'useCode',
      session: stage.key,
      action: 'run',
      text: 'npm test',
      info: 'sh',
      hints: [],
    }),
    answers: ['Run in Terminal'],
    does: (stage) => void stage.uses('window.createTerminal'),
  },
};

export const openSkillsTab = (stage: Stage): Promise<FakePage> => openTab(stage, 'parley.showSkills');

type Rows = { readonly [Type in FromSkillsPage['type']]: PageRow<FromSkillsPage & { readonly type: Type }> };
const shown = (stage: Stage) =>
  stage.since('parley.page').findLast(({ type }) => type === 'skills')?.['shown'] as
    { readonly folder: number } | undefined;

export const skillsTabMessages: Rows = {
  setFolder: {
    before: (stage) => {
      editor.folders = [stage.project, join(stage.root, 'outside')];
    },
    message: () => ({ type: 'setFolder', folder: 1 }),
    does: (stage) => assert.equal(shown(stage)?.folder, 1),
  },
  openFile: {
    before: (stage) => writeFileSync(stage.path('AGENTS.md'), 'Be brief.\n'),
    message: () => ({ type: 'openFile', path: 'AGENTS.md' }),
    does: (stage) => assert.deepEqual(stage.documents, ['AGENTS.md']),
  },
  createFrom: {
    message: () => ({ type: 'createFrom', agent: 'claude' }),
    before: (stage) => writeFileSync(stage.path('AGENTS.md'), 'Be brief.\n'),
    answers: [(items) => items.slice(0, 1)],
    does: (stage) => assert.ok(existsSync(stage.path('CLAUDE.md'))),
    // The user asked for the file, which nothing runs.
    may: { untrusted: ['files'] },
  },
  usePrompt: {
    before: withPrompt,
    message: (stage) => ({ type: 'usePrompt', id: promptId(stage) }),
    does: (stage) => assert.match(stage.posts('tookPrompt').text ?? '', /Tidy up/),
  },
  openPrompt: {
    before: withPrompt,
    message: (stage) => ({ type: 'openPrompt', id: promptId(stage) }),
    does: (stage) => assert.match(stage.documents.join(), /tidy\.md/),
  },
  newPrompt: {
    answers: newPromptAnswers,
    message: () => ({ type: 'newPrompt' }),
    does: savedPrompt,
    may: { untrusted: ['files'] },
  },
};
