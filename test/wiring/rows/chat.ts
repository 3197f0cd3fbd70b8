// The conversation: what the page and commands ask of a session.
import assert from 'node:assert/strict';
import type { EntryId, RequestKey, SessionId, TerminalId, ToolCallId } from '../../../src/shared/values/ids';
import { editor } from '../../unit-support/vscode';
import { commandRows, type ChatRows } from '../row';
import { typed, type Stage } from '../stage';
import { quiet } from '../shortTimers';
import type { WiringAgent } from '../wiringAgent';

const modes = [
  {
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue: 'ask',
    options: [
      { value: 'ask', name: 'Ask' },
      { value: 'code', name: 'Code' },
    ],
  },
];
const withModes = (agent: WiringAgent) => {
  agent.configOptions = modes;
};

/** The id of an entry of a kind; the newest one. */
export function entryOf(stage: Stage, kind: string): EntryId {
  const session = stage.window.pool.sessions.at(-1);
  const entries = session ? [...session.transcript.entries.values()] : [];
  return entries.findLast((entry) => entry.kind === kind)?.id ?? ('entry:gone' as EntryId);
}

/** The key of the open request. */
export function requestOf(stage: Stage): RequestKey {
  const session = stage.window.pool.sessions.at(-1);
  for (const entry of session?.transcript.entries.values() ?? []) {
    if (entry.kind === 'tool_call' && entry.permission.state === 'asked') return entry.permission.request;
    if (entry.kind === 'elicitation' && entry.question.state === 'asked') return entry.question.request;
  }
  return 'request:gone' as RequestKey;
}

const isStopped = (stage: Stage) => {
  stage.hears('session/cancel');
  assert.equal(stage.session.transcript.view.activity.state, 'idle');
};
/** What was asked to stop. */
const stopped = new WeakMap<Stage, readonly (readonly unknown[])[]>();

export const chatCommands = commandRows({
  'parley.openChat': { does: (stage) => void stage.posts('focusComposer') },
  'parley.openChatInEditor': {
    does: (stage) => {
      const page = stage.opensPage('parley.chatPanel');
      assert.match(page.html, /data-host="editor"/);
    },
  },
  'parley.sendPrompt': {
    with: () => ['more'],
    does: (stage) => {
      assert.deepEqual(stage.hears('session/prompt')['prompt'], [{ type: 'text', text: 'more' }]);
    },
    // A text that isn't empty is a message.
    may: { working: [], hostile: ['wire'] },
    working: (stage) => assert.equal(stage.session.transcript.view.queue.length, 1),
  },
  'parley.answerRequest': {
    scene: 'asking',
    does: (stage) => {
      stage.posts('uncoverSession');
      stage.posts('focusRequest');
    },
  },
  'parley.cancelTurn': { scene: 'working', does: isStopped, working: isStopped },
  'parley.cycleMode': {
    prepare: withModes,
    does: (stage) => {
      const { configId, value } = stage.hears('session/set_config_option');
      assert.deepEqual([configId, value], ['mode', 'code']);
    },
    may: { working: ['wire'] },
  },
  'parley.changeToolDetail': {
    does: (stage) => {
      assert.equal(editor.settings['parley.toolDetail'], 'everything');
      assert.equal(stage.posts('page').page.toolDetail, 'everything');
    },
    may: { untrusted: ['settings'], empty: ['settings'], working: ['settings'] },
  },
  'parley.showKeys': {
    does: (stage) =>
      assert.deepEqual(stage.executes('workbench.action.openGlobalKeybindings'), ['@ext:parley.parley-acp']),
  },
  'parley.openWalkthrough': {
    does: (stage) =>
      assert.deepEqual(stage.executes('workbench.action.openWalkthrough'), ['parley.parley-acp#parley.start', false]),
  },
  'parley.find': { does: (stage) => void stage.posts('openFind') },
  'parley.nextTurn': { does: (stage) => assert.equal(stage.posts('stepTurn').by, 1) },
  'parley.previousTurn': { does: (stage) => assert.equal(stage.posts('stepTurn').by, -1) },
  'parley.goToTurn': {
    answers: [(items) => items.slice(-1)],
    does: (stage) => assert.equal(stage.posts('revealEntry').entry, entryOf(stage, 'user_message')),
  },
});

export const chatMessages: ChatRows<
  | 'ready'
  | 'focusChanged'
  | 'fetchOlder'
  | 'fetchSnapshot'
  | 'selectSession'
  | 'sendPrompt'
  | 'changeQueue'
  | 'changeScheduled'
  | 'resumeQueue'
  | 'cancelTurn'
  | 'stopLateWork'
  | 'showKeys'
  | 'answerPermission'
  | 'answerElicitation'
  | 'cancelStart'
  | 'stopSubagent'
  | 'stopWork'
  | 'setConfigOption'
  | 'errorAction'
  | 'openTerminal'
  | 'stopTerminal'
  | 'resizeTerminal'
  | 'openLocation'
  | 'findPaths'
  | 'setToolDetail'
  | 'openDiff'
  | 'openLink'
  | 'insertAtCursor'
  | 'copyText'
  | 'pageError'
  | 'findInSession'
  | 'goToEarlierTurn'
  | 'showTurns'
  | 'copyMarkdown'
  | 'copyLink'
  | 'notificationShown'
  | 'notificationClicked'
  | 'startAgent'
  | 'newSession'
  | 'closeSession'
> = {
  ready: {
    message: () => ({ type: 'ready', rev: 0 }),
    does: (stage) => {
      stage.posts('page');
      assert.equal(stage.posts('snapshot').session, stage.key);
    },
  },
  focusChanged: {
    message: () => ({ type: 'focusChanged', hasFocus: true }),
    does: (stage) => assert.deepEqual(stage.executes('setContext'), ['parley.chatFocused', true]),
  },
  fetchOlder: {
    message: (stage) => ({ type: 'fetchOlder', session: stage.key, before: entryOf(stage, 'agent_message') }),
    does: async (stage) => {
      assert.equal(stage.posts('older').entries.length, 1);
      // The entry went with the messages that a rewind took back.
      const count = () => stage.page.got.filter(({ type }) => type === 'older').length;
      const before = count();
      await stage.say({ type: 'fetchOlder', session: stage.key, before: 'gone' as EntryId });
      assert.equal(count(), before);
    },
  },
  fetchSnapshot: {
    message: (stage) => ({ type: 'fetchSnapshot', session: stage.key }),
    does: (stage) => assert.equal(stage.posts('snapshot').session, stage.key),
  },
  selectSession: {
    message: () => ({ type: 'selectSession', session: '' }),
    does: (stage) => assert.equal(stage.posts('page').page.active, ''),
  },
  sendPrompt: {
    message: (stage) => ({ type: 'sendPrompt', session: stage.key, text: 'more' }),
    does: (stage) => assert.deepEqual(stage.hears('session/prompt')['prompt'], [{ type: 'text', text: 'more' }]),
    // A message without a session opens one.
    may: { empty: ['agents', 'wire'], hostile: ['agents', 'wire'] },
    untrusted: (stage) => assert.equal(stage.posts('promptReturned').text, 'more'),
    working: (stage) => assert.equal(stage.session.transcript.view.queue.length, 1),
  },
  changeQueue: {
    scene: 'working',
    before: (stage) => stage.say({ type: 'sendPrompt', session: stage.key, text: 'next' }),
    message: (stage) => ({
      type: 'changeQueue',
      session: stage.key,
      id: stage.window.pool.sessions.at(-1)?.transcript.view.queue[0]?.id ?? '',
      change: { kind: 'remove' },
    }),
    does: (stage) => assert.deepEqual(stage.session.transcript.view.queue, []),
  },
  changeScheduled: {
    before: (stage) => stage.session.scheduled.scheduleLast(Date.now() + 3_600_000),
    message: (stage) => ({ type: 'changeScheduled', session: stage.key, action: 'send' }),
    does: (stage) => assert.deepEqual(stage.hears('session/prompt')['prompt'], [{ type: 'text', text: typed }]),
  },
  resumeQueue: {
    scene: 'working',
    before: async (stage) => {
      await stage.say({ type: 'sendPrompt', session: stage.key, text: 'next' });
      await stage.say({ type: 'cancelTurn', session: stage.key });
    },
    message: (stage) => ({ type: 'resumeQueue', session: stage.key }),
    does: (stage) => assert.deepEqual(stage.hears('session/prompt')['prompt'], [{ type: 'text', text: 'next' }]),
  },
  cancelTurn: {
    scene: 'working',
    message: (stage) => ({ type: 'cancelTurn', session: stage.key }),
    does: isStopped,
    working: isStopped,
  },
  stopLateWork: {
    before: async (stage) => {
      stage.agent.update({
        sessionUpdate: 'tool_call',
        toolCallId: 'late',
        title: 'Late',
        kind: 'execute',
        status: 'in_progress',
      });
      await quiet();
    },
    message: (stage) => ({ type: 'stopLateWork', session: stage.key }),
    does: (stage) => void stage.hears('session/cancel'),
    working: () => undefined,
  },
  showKeys: {
    message: () => ({ type: 'showKeys' }),
    does: (stage) => void stage.executes('workbench.action.openGlobalKeybindings'),
  },
  answerPermission: {
    scene: 'asking',
    message: (stage) => ({ type: 'answerPermission', session: stage.key, request: requestOf(stage), optionId: 'yes' }),
    does: (stage) =>
      assert.deepEqual(stage.agent.answerTo('r1')?.['result'], { outcome: { outcome: 'selected', optionId: 'yes' } }),
  },
  answerElicitation: {
    scene: 'working',
    before: async (stage) => {
      stage.agent.ask('elicitation/create', {
        mode: 'form',
        message: 'Which?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      await quiet();
    },
    message: (stage) => ({
      type: 'answerElicitation',
      session: stage.key,
      request: requestOf(stage),
      answer: { action: 'decline' },
    }),
    does: (stage) => assert.deepEqual(stage.agent.answerTo('r1')?.['result'], { action: 'decline' }),
  },
  cancelStart: {
    scene: 'empty',
    prepare: (agent) => agent.responders.set('session/new', () => undefined),
    before: (stage) => stage.send(),
    message: (stage) => ({ type: 'cancelStart', session: stage.key }),
    does: (stage) => assert.equal(stage.session.transcript.view.connection.state, 'closed'),
    // Its agents never open a session.
    working: (stage) => assert.equal(stage.session.transcript.view.connection.state, 'closed'),
  },
  stopSubagent: {
    scene: 'working',
    before: async (stage) => {
      stage.agent.update({
        sessionUpdate: 'subagent_update',
        sessionId: 'sub',
        title: 'Helper',
        capabilities: { cancel: {} },
        state: { state: 'running' },
      });
      await quiet();
    },
    message: (stage) => ({ type: 'stopSubagent', session: stage.key, subagent: 'sub' as SessionId }),
    does: (stage) => assert.equal(stage.hears('session/cancel')['sessionId'], 'sub'),
  },
  stopWork: {
    // Only agents of version 2 can stop one tool call.
    before: (stage) => void stopped.set(stage, stage.notesCalls(stage.session.work, 'stop')),
    message: (stage) => ({ type: 'stopWork', session: stage.key, toolCall: 't' as ToolCallId }),
    does: (stage) => assert.deepEqual(stopped.get(stage), [[{ toolCall: 't', terminal: undefined }]]),
  },
  setConfigOption: {
    prepare: withModes,
    message: (stage) => ({ type: 'setConfigOption', session: stage.key, configId: 'mode', value: 'code' }),
    does: (stage) => assert.equal(stage.hears('session/set_config_option')['value'], 'code'),
    may: { working: ['wire'] },
  },
  errorAction: {
    message: (stage) => ({ type: 'errorAction', session: stage.key, entry: '', action: 'openSettings' }),
    does: (stage) => assert.deepEqual(stage.executes('workbench.action.openSettings'), ['parley.agents']),
  },
  openTerminal: {
    scene: 'working',
    before: ownTerminal,
    message: (stage) => ({ type: 'openTerminal', session: stage.key, terminal: terminalOf(stage) }),
    does: (stage) => void stage.uses('window.createTerminal'),
  },
  stopTerminal: {
    scene: 'working',
    before: ownTerminal,
    message: (stage) => ({ type: 'stopTerminal', session: stage.key, terminal: terminalOf(stage) }),
    does: (stage) => void stage.hears('session/cancel'),
    // A command that Parley doesn't run ends with its turn.
    working: (stage) => assert.equal(stage.window.pool.sessions.length, 1),
    may: { hostile: ['wire'] },
  },
  resizeTerminal: {
    scene: 'working',
    before: async (stage) => {
      const resized: unknown[] = [];
      Object.assign(stage.window.terminals, { resize: (...args: unknown[]) => resized.push(args) });
      Object.assign(stage, { resized });
      await Promise.resolve();
    },
    message: (stage) => ({
      type: 'resizeTerminal',
      session: stage.key,
      terminal: 't' as TerminalId,
      columns: 90,
      rows: 30,
    }),
    does: (stage) => {
      const { resized } = stage as unknown as { readonly resized: readonly unknown[] };
      assert.deepEqual(resized, [[stage.key, 't', 90, 30]]);
    },
  },
  openLocation: {
    message: (stage) => ({ type: 'openLocation', session: stage.key, path: 'a.txt', line: 2 }),
    does: (stage) => {
      const [uri, options] = stage.executes('vscode.open');
      assert.equal(String(uri), stage.uri('a.txt'));
      assert.equal((options as { selection: { start: { line: number } } }).selection.start.line, 1);
    },
  },
  findPaths: {
    message: (stage) => ({ type: 'findPaths', session: stage.key, paths: ['a.txt', 'b.txt'] }),
    does: (stage) =>
      assert.deepEqual(
        stage.posts('foundPaths').found.map(({ path }) => path),
        ['a.txt'],
      ),
  },
  setToolDetail: {
    message: () => ({ type: 'setToolDetail', detail: 'compact' }),
    does: () => assert.equal(editor.settings['parley.toolDetail'], 'compact'),
    may: { untrusted: ['settings'], empty: ['settings'], working: ['settings'] },
  },
  openDiff: {
    before: async (stage) => {
      const content = [{ type: 'diff', path: stage.path('a.txt'), oldText: 'one', newText: 'two' }];
      stage.agent.update({
        sessionUpdate: 'tool_call',
        toolCallId: 'd',
        title: 'Edit',
        kind: 'edit',
        status: 'completed',
        content,
      });
      await quiet();
    },
    message: (stage) => ({ type: 'openDiff', session: stage.key, toolCall: 'd' as ToolCallId, index: 0 }),
    does: (stage) => void stage.executes('vscode.diff'),
  },
  openLink: {
    message: () => ({ type: 'openLink', href: 'https://example.com/a%26b' }),
    does: () => assert.deepEqual(editor.opened, ['https://example.com/a%26b']),
    may: { untrusted: ['opened'], empty: ['opened'], working: ['opened'] },
  },
  insertAtCursor: {
    before: (stage) => void stage.desk.show(stage.desk.documents.open(stage.path('a.txt'))),
    message: () => ({ type: 'insertAtCursor', text: 'inserted' }),
    does: (stage) => assert.match(stage.desk.documents.open(stage.path('a.txt')).getText(), /inserted/),
  },
  copyText: {
    message: () => ({ type: 'copyText', text: 'copied' }),
    does: (stage) => assert.equal(stage.desk.clipboard, 'copied'),
  },
  pageError: {
    message: () => ({ type: 'pageError', message: 'it broke' }),
    does: () => assert.ok(editor.logged.includes('Chat page: it broke')),
  },
  findInSession: {
    message: (stage) => ({
      type: 'findInSession',
      session: stage.key,
      id: 3,
      query: { text: 'answer', matchCase: false, wholeWord: false, isRegex: false },
    }),
    does: (stage) => assert.equal(stage.posts('foundInSession').found?.length, 1),
  },
  goToEarlierTurn: {
    message: (stage) => ({ type: 'goToEarlierTurn', session: stage.key, before: entryOf(stage, 'agent_message') }),
    does: (stage) => assert.equal(stage.posts('revealEntry').entry, entryOf(stage, 'user_message')),
  },
  showTurns: {
    message: () => ({ type: 'showTurns' }),
    answers: [(items) => items.slice(-1)],
    does: (stage) => void stage.posts('revealEntry'),
  },
  copyMarkdown: {
    message: (stage) => ({
      type: 'copyMarkdown',
      session: stage.key,
      entry: entryOf(stage, 'agent_message'),
      scope: 'entry',
    }),
    does: (stage) => assert.match(stage.desk.clipboard, /the answer/),
  },
  copyLink: {
    message: (stage) => ({ type: 'copyLink', session: stage.key, entry: entryOf(stage, 'agent_message') }),
    does: (stage) => assert.match(stage.desk.clipboard, /^vscode:\/\/parley\.parley-acp\/.*turn=1/),
  },
  notificationShown: {
    scene: 'working',
    before: notified,
    message: (stage) => ({ type: 'notificationShown', id: notificationOf(stage), isShown: true }),
    does: async (stage) => {
      // It was shown, so it can be withdrawn once it no longer applies.
      await stage.say({ type: 'cancelTurn', session: stage.key });
      stage.posts('withdrawNotification');
    },
  },
  notificationClicked: {
    scene: 'working',
    before: async (stage) => {
      await notified(stage);
      await stage.say({ type: 'notificationShown', id: notificationOf(stage), isShown: true });
      await stage.say({ type: 'selectSession', session: '' });
    },
    message: (stage) => ({ type: 'notificationClicked', id: notificationOf(stage) }),
    does: (stage) => assert.equal(stage.posts('page').page.active, stage.key),
  },
  startAgent: {
    message: () => ({ type: 'startAgent', agent: 'settings:Gemini' as never }),
    does: (stage) => {
      assert.equal(stage.window.pool.sessions.length, 2);
      assert.equal(stage.session.transcript.view.agentName, 'Gemini');
    },
    may: { empty: ['agents', 'wire'], hostile: ['agents', 'wire'] },
    working: (stage) => assert.equal(stage.window.pool.sessions.length, 2),
  },
  newSession: {
    message: () => ({ type: 'newSession' }),
    does: (stage) => assert.equal(stage.window.pool.sessions.length, 2),
    may: { empty: ['agents', 'wire'] },
    working: (stage) => assert.equal(stage.window.pool.sessions.length, 2),
  },
  closeSession: {
    message: (stage) => ({ type: 'closeSession', session: stage.key }),
    does: (stage) => assert.deepEqual(stage.window.pool.sessions, []),
    working: (stage) => assert.deepEqual(stage.window.pool.sessions, []),
    may: {},
  },
};

/** A command that the agent runs itself. */
async function ownTerminal(stage: Stage): Promise<void> {
  stage.agent.update({
    sessionUpdate: 'tool_call',
    toolCallId: 'x',
    title: 'sleep',
    kind: 'execute',
    status: 'in_progress',
    content: [{ type: 'content', content: { type: 'text', text: 'out' } }],
    _meta: { terminal_info: { terminal_id: 'own', cwd: stage.project } },
  });
  await quiet();
}

function terminalOf(stage: Stage): TerminalId {
  const [id] = stage.window.pool.sessions.at(-1)?.transcript.terminals.keys() ?? [];
  return id ?? ('gone' as TerminalId);
}

/** The window isn't focused, so a request is told by the system. */
async function notified(stage: Stage): Promise<void> {
  stage.desk.isFocused = false;
  await stage.ask();
}

function notificationOf(stage: Stage): string {
  const notice = stage.page.got.findLast((message) => message.type === 'notify');
  return notice?.type === 'notify' ? notice.id : 'gone';
}
