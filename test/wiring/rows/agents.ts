// Agents: adding, configuring, and logging in to them, what they are held to, presets, usage, logs, and the setup.
import assert from 'node:assert/strict';
import type { FromProvidersPage } from '../../../src/shared/pages/modelProviders';
import type { FakePage } from '../../unit-support/productWindow';
import { editor } from '../../unit-support/vscode';
import { DefaultSandbox } from '../../../src/host/sandbox/defaultSandbox';
import { NextEdits } from '../../../src/host/nextEdits/nextEdits';
import type { AgentId } from '../../../src/shared/values/ids';
import type { AgentOffer } from '../../../src/shared/pages/messages';
import { commandRows, type ChatRows, type CommandRow } from '../row';
import type { Stage } from '../stage';
import { programs } from '../programs';
import { quiet } from '../shortTimers';
import { requestOf } from './chat';
import { lastOn, showsTab, type PageRows } from './parleyPage';

const warned = (stage: Stage) => stage.shows(/warning:.*isn’t trusted/);
const starts = ['agents', 'wire'] as const;
const everything = (stage: Stage) => stage.posts('page').page.sessions[0]?.freedom;
/** The agent that is offered, as the page shows it. */
const offer = (stage: Stage): AgentOffer | undefined => {
  const state = stage.page.got.findLast((message) => message.type === 'page');
  return state?.type === 'page' ? state.page.offers?.find(({ id }) => id === 'gemini') : undefined;
};

/** What was called since the row began. */
const called = new WeakMap<Stage, readonly (readonly unknown[])[]>();
const isCalled = (stage: Stage) => assert.equal(called.get(stage)?.length, 1);

/** The editor's language client shows suggestions, and it isn't here. */
const nextEdit = (name: 'accept' | 'dismiss'): CommandRow => ({
  before: (stage) => {
    const away = {};
    called.set(stage, stage.notesCalls(away, name));
    stage.givesPart(NextEdits.prototype, 'away', away);
  },
  does: isCalled,
});
const allowing = {
  answers: ['Allow Everything'],
  does: (stage: Stage) => assert.equal(everything(stage), 'everything'),
};

export const agentCommands = commandRows({
  'parley.addAgent': { does: (stage) => stage.shows(/quickPick:.*[aA]gent/), untrusted: warned },
  'parley.updateAgents': { does: (stage) => stage.shows(/quickPick:.*[aA]gent/), untrusted: warned },
  'parley.login': {
    answers: ['Codex', 'Use a key'],
    does: (stage) => assert.deepEqual(stage.hears('authenticate')['methodId'], 'key'),
    untrusted: warned,
  },
  'parley.logout': {
    answers: ['Codex'],
    does: (stage) => {
      stage.hears('logout');
      stage.shows(/Logged out of Codex/);
    },
  },
  'parley.configureProviders': {
    answers: ['Gemini'],
    does: (stage) => assert.match(stage.opensPage('parley.providers').html, /providers\.js/),
    untrusted: warned,
  },
  'parley.configureEditorTools': {
    answers: ['Codex'],
    does: (stage) => assert.match(stage.opensPage('parley.providers').html, /providers\.js/),
    untrusted: warned,
  },
  'parley.reviewWorkspaceSettings': {
    does: (stage) => stage.shows(/No settings in this workspace need your approval/),
    untrusted: (stage) => stage.shows(/isn’t trusted/),
  },
  'parley.mcp.forgetAnswers': { does: (stage) => stage.shows(/MCP server choices and values were reset/) },
  'parley.showPermissionRules': {
    with: () => ['rule'],
    does: async (stage) => {
      const page = stage.opensPage('parley.page');
      await stage.sayOn(page, { type: 'ready' });
      assert.deepEqual(page.got.at(-1), { type: 'focusRule', id: 'rule' });
    },
  },
  'parley.openPage': { does: showsTab('agents') },
  'parley.showUsage': { does: showsTab('usage') },
  'parley.allowEverything': allowing,
  'parley.workFreely': allowing,
  'parley.stopAllowingEverything': {
    before: async (stage) => {
      stage.desk.answers.push('Allow Everything');
      await stage.run('parley.allowEverything');
    },
    does: (stage) => assert.equal(everything(stage), undefined),
  },
  'parley.changeSandbox': {
    scene: 'empty',
    answers: ['Files and network'],
    does: () => assert.equal(editor.settings['parley.sandbox'], 'filesAndNetwork'),
    may: { untrusted: ['settings'] },
  },
  'parley.savePreset': {
    answers: ['Mine'],
    does: () => assert.deepEqual(editor.settings['parley.presets'], [{ name: 'Mine', agent: 'Codex' }]),
  },
  'parley.managePresets': { does: showsTab('presets') },
  'parley.showProtocolLog': {
    with: (stage) => [stage.window.pool.traffic[0]?.startedAt],
    does: (stage) => assert.match(stage.documents.join(), /Codex .*\.jsonl/),
  },
  'parley.exportProtocolLog': {
    before: (stage) => stage.run('parley.showProtocolLog'),
    answers: (stage) => [`${stage.root}/log.jsonl`],
    does: (stage) => void stage.saved('log.jsonl'),
  },
  'parley.checkSetup': { does: showsTab('setup') },
  'parley.saveSupportBundle': {
    does: (stage) => {
      stage.shows(/This is the support bundle/);
      assert.match(stage.documents.join(), /support bundle/);
    },
    // The check asks each agent whether it works.
    may: { empty: ['agents', 'wire', 'programs'], working: ['agents', 'wire', 'programs'] },
  },
  'parley.nextEdit.accept': nextEdit('accept'),
  'parley.nextEdit.dismiss': nextEdit('dismiss'),
  'parley.nextEdit.suggest': { does: (stage) => void stage.executes('editor.action.inlineSuggest.trigger') },
  'parley.setGoal': {
    does: (stage) => stage.shows(/Codex doesn’t support goals/),
  },
  'parley.clearGoal': {
    before: (stage) => stage.session.agentSide.showGoal({ objective: 'all tests pass' }),
    does: (stage) => {
      assert.equal(stage.session.transcript.view.goal, 'none');
      // The palette offers it only while there is a goal.
      assert.deepEqual(stage.executes('setContext'), ['parley.hasGoal', false]);
    },
  },
  'parley.askAside': {
    answers: ['How is it going?'],
    does: (stage) => {
      stage.hears('session/fork');
      assert.match(JSON.stringify(stage.posts('asideOf')), /How is it going\?/);
    },
    working: () => undefined,
  },
});

export const agentMessages: ChatRows<
  | 'findAgents'
  | 'addOffered'
  | 'addOwnAgent'
  | 'logInAgent'
  | 'cancelOffered'
  | 'startPreset'
  | 'login'
  | 'cancelLogin'
  | 'offerRules'
  | 'saveRule'
  | 'showRule'
  | 'allowEverything'
  | 'chooseSandbox'
  | 'checkSandbox'
  | 'allowBlocked'
  | 'showSandbox'
  | 'fetchUsage'
  | 'showUsage'
  | 'openBudget'
  | 'sendAnyway'
  | 'fetchContext'
  | 'changeGoal'
  | 'askAside'
  | 'fetchAside'
  | 'dismissAside'
> = {
  findAgents: {
    message: () => ({ type: 'findAgents' }),
    does: (stage) => assert.notEqual(stage.posts('page').page.offers, undefined),
  },
  addOffered: {
    before: async (stage) => {
      programs.last = true;
      await stage.say({ type: 'findAgents' });
    },
    message: () => ({ type: 'addOffered', id: 'gemini' }),
    does: (stage) => {
      assert.equal(offer(stage)?.isBusy, true);
      assert.match(programs.others.map(({ args }) => args.join(' ')).join(), /@google\/gemini-cli/);
    },
    // What is asked of the registry of packages changes nothing here.
    may: { empty: ['programs'], working: ['programs'] },
  },
  addOwnAgent: {
    message: () => ({ type: 'addOwnAgent' }),
    does: showsTab('agents'),
  },
  logInAgent: {
    answers: ['Use a key'],
    message: () => ({ type: 'logInAgent', agent: 'settings:Codex' as AgentId }),
    does: (stage) => assert.equal(stage.hears('authenticate')['methodId'], 'key'),
    may: { empty: starts, hostile: starts, working: ['wire'] },
  },
  cancelOffered: {
    before: async (stage) => {
      programs.last = true;
      await stage.say({ type: 'findAgents' });
      await stage.say({ type: 'addOffered', id: 'gemini' });
      assert.equal(offer(stage)?.isBusy, true);
    },
    message: () => ({ type: 'cancelOffered', id: 'gemini' }),
    does: (stage) => assert.equal(offer(stage)?.isBusy, undefined),
  },
  startPreset: {
    settings: { 'parley.presets': [{ name: 'Mine', agent: 'Gemini' }] },
    message: () => ({ type: 'startPreset', preset: 'Mine', sends: true }),
    does: (stage) => {
      assert.equal(stage.session.transcript.view.agentName, 'Gemini');
      stage.posts('sendTyped');
    },
    may: { empty: starts, hostile: starts },
    working: () => undefined,
  },
  login: {
    before: (stage) => {
      stage.session.login.ask();
    },
    message: (stage) => ({ type: 'login', session: stage.key, methodId: 'key' }),
    does: (stage) => assert.equal(stage.hears('authenticate')['methodId'], 'key'),
    // What fails is shown on the card.
    may: { hostile: starts, working: ['wire'] },
  },
  cancelLogin: {
    prepare: (agent) => agent.responders.set('authenticate', () => undefined),
    before: async (stage) => {
      stage.session.login.ask();
      await stage.say({ type: 'login', session: stage.key, methodId: 'key' });
    },
    message: (stage) => ({ type: 'cancelLogin', session: stage.key }),
    does: (stage) => void stage.hears('$/cancel_request'),
    may: { hostile: starts },
  },
  offerRules: {
    scene: 'asking',
    message: (stage) => ({ type: 'offerRules', session: stage.key, request: requestOf(stage), answer: 'reject_once' }),
    does: (stage) => void stage.posts('ruleOffer'),
  },
  saveRule: {
    scene: 'asking',
    message: (stage) => ({
      type: 'saveRule',
      session: stage.key,
      request: requestOf(stage),
      scope: 'user',
      rule: { kind: 'execute', answer: 'reject_once' },
    }),
    does: (stage) => {
      assert.deepEqual(editor.settings['parley.permissions'], [{ kind: 'execute', answer: 'reject_once' }]);
      assert.deepEqual(stage.agent.answerTo('r1')?.['result'], { outcome: { outcome: 'selected', optionId: 'no' } });
    },
  },
  showRule: {
    message: () => ({ type: 'showRule', id: 'rule' }),
    does: (stage) => void stage.opensPage('parley.page'),
  },
  allowEverything: {
    answers: ['Allow Everything'],
    message: (stage) => ({ type: 'allowEverything', session: stage.key, isOn: true }),
    does: (stage) => assert.equal(everything(stage), 'everything'),
  },
  chooseSandbox: {
    answers: ['Files and network'],
    message: () => ({ type: 'chooseSandbox' }),
    does: () => assert.equal(editor.settings['parley.sandbox'], 'filesAndNetwork'),
    may: { untrusted: ['settings'] },
  },
  checkSandbox: {
    before: (stage) => void called.set(stage, stage.notesCalls(DefaultSandbox.prototype, 'check')),
    message: () => ({ type: 'checkSandbox' }),
    does: isCalled,
  },
  allowBlocked: {
    message: (stage) => ({ type: 'allowBlocked', session: stage.key, path: stage.path('a.txt') }),
    answers: [(items) => items.slice(0, 1)],
    does: (stage) => assert.deepEqual(editor.settings['parley.sandboxFolders'], [stage.path('a.txt')]),
  },
  showSandbox: {
    message: (stage) => ({ type: 'showSandbox', session: stage.key }),
    does: (stage) => stage.shows(/Files and network/),
  },
  fetchUsage: {
    message: (stage) => ({ type: 'fetchUsage', session: stage.key }),
    does: (stage) => assert.equal(stage.posts('usageOf').session, stage.key),
  },
  showUsage: { message: () => ({ type: 'showUsage' }), does: (stage) => void stage.opensPage('parley.page') },
  openBudget: {
    message: () => ({ type: 'openBudget' }),
    does: (stage) => assert.deepEqual(stage.executes('workbench.action.openSettings'), ['parley.budget']),
  },
  sendAnyway: {
    settings: { 'parley.budget': { session: { cost: 1 } } },
    before: async (stage) => {
      stage.agent.update({ sessionUpdate: 'usage_update', used: 5, size: 10, cost: { amount: 2, currency: 'USD' } });
      await quiet();
      await stage.say({ type: 'sendPrompt', session: stage.key, text: 'over the budget' });
      assert.deepEqual(stage.agent.got('session/prompt'), []);
    },
    message: (stage) => ({ type: 'sendAnyway', session: stage.key }),
    does: (stage) =>
      assert.deepEqual(stage.hears('session/prompt')['prompt'], [{ type: 'text', text: 'over the budget' }]),
  },
  fetchContext: {
    prepare: (agent) => {
      agent.info = { name: 'qwen-code', title: 'Qwen', version: '0.99.0' };
      const usage = { contextWindowSize: 100, totalTokens: 7, breakdown: { messages: 7 } };
      agent.responders.set('qwen/status/session/context_usage', () => ({ usage }));
    },
    message: (stage) => ({ type: 'fetchContext', session: stage.key }),
    does: (stage) => assert.equal(stage.posts('contextOf').context?.used, 7),
    may: { working: ['wire'] },
  },
  changeGoal: {
    before: (stage) => stage.session.agentSide.showGoal({ objective: 'all tests pass' }),
    message: (stage) => ({ type: 'changeGoal', session: stage.key, action: 'clear' }),
    does: (stage) => assert.equal(stage.session.transcript.view.goal, 'none'),
  },
  askAside: {
    answers: ['How is it going?'],
    message: (stage) => ({ type: 'askAside', session: stage.key }),
    does: (stage) => void stage.hears('session/fork'),
    working: () => undefined,
  },
  fetchAside: {
    message: (stage) => ({ type: 'fetchAside', session: stage.key }),
    does: (stage) => assert.equal(stage.posts('asideOf').session, stage.key),
  },
  dismissAside: {
    before: async (stage) => {
      stage.desk.answers.push('How is it going?');
      await stage.run('parley.askAside');
    },
    message: (stage) => ({ type: 'dismissAside', session: stage.key }),
    does: (stage) => assert.equal(stage.posts('asideOf').aside, undefined),
  },
};

export async function openProvidersPage(stage: Stage): Promise<FakePage> {
  // Where it can't be opened, its messages have nowhere to go.
  stage.desk.answers.unshift((items) => items.filter(({ label }) => label === 'Codex'));
  await stage.run('parley.configureProviders');
  return stage.ready('parley.providers');
}

const provided = {
  prepare: (agent: { capabilities: object; responders: Map<string, () => unknown> }) => {
    agent.capabilities = { ...agent.capabilities, providers: {} };
    agent.responders.set('providers/list', () => ({
      providers: [{ providerId: 'main', supported: ['openai'], required: false, current: null }],
    }));
    agent.responders.set('providers/set', () => ({}));
    agent.responders.set('providers/disable', () => ({}));
  },
  // The page asks the agent what it has, after each change.
  may: { empty: ['agents', 'wire'], working: ['wire', 'secrets'], hostile: ['agents', 'wire', 'secrets', 'settings'] },
} as never as { prepare: never; may: never };
const chosenOnPage = {
  untrusted: ['settings'],
  empty: ['agents', 'settings', 'wire'],
  working: ['settings', 'wire'],
  hostile: ['agents', 'wire', 'settings'],
} as const;
const tools = (stage: Stage) => void lastOn(stage, 'parley.providers', 'tools');

export const providersPageMessages: PageRows<FromProvidersPage> = {
  ready: {
    ...provided,
    message: () => ({ type: 'ready' }),
    does: (stage) => void lastOn(stage, 'parley.providers', 'providers'),
  },
  askAgain: {
    ...provided,
    message: () => ({ type: 'askAgain' }),
    does: (stage) => void lastOn(stage, 'parley.providers', 'providers'),
  },
  logIn: {
    ...provided,
    answers: ['Use a key'],
    message: () => ({ type: 'logIn' }),
    does: (stage) => void stage.hears('authenticate'),
  },
  save: {
    ...provided,
    message: () => ({
      type: 'save',
      draft: { providerId: 'main', apiType: 'openai', baseUrl: 'https://models.example', headers: [] },
    }),
    does: (stage) => assert.equal(stage.hears('providers/set')['baseUrl'], 'https://models.example'),
  },
  turnOff: {
    ...provided,
    message: () => ({ type: 'turnOff', providerId: 'main' }),
    does: (stage) => assert.equal(stage.hears('providers/disable')['providerId'], 'main'),
  },
  forget: {
    ...provided,
    message: () => ({ type: 'forget', providerId: 'main' }),
    does: (stage) => void lastOn(stage, 'parley.providers', 'outcome'),
  },
  setTools: {
    ...provided,
    message: () => ({ type: 'setTools', isOn: false }),
    does: (stage) => {
      assert.deepEqual(editor.settings['parley.editorTools.agents'], { Codex: false });
      tools(stage);
    },
    may: chosenOnPage,
  },
  setTool: {
    ...provided,
    message: () => ({ type: 'setTool', name: 'getDiagnostics', isOn: false }),
    does: () => assert.notEqual(editor.settings['parley.editorTools.disabled'], undefined),
    may: chosenOnPage,
  },
  allowTools: {
    ...provided,
    settings: { 'parley.editorTools.enabled': false },
    message: () => ({ type: 'allowTools' }),
    does: () => assert.equal(editor.settings['parley.editorTools.enabled'], undefined),
    may: chosenOnPage,
  },
  openToolSettings: {
    ...provided,
    message: () => ({ type: 'openToolSettings' }),
    does: (stage) => assert.deepEqual(stage.executes('workbench.action.openSettings'), ['parley.editorTools']),
  },
};
