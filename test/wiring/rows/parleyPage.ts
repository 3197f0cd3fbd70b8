// The page “Parley”: its tabs, and what is done in each.
import assert from 'node:assert/strict';
import type { AgentId } from '../../../src/shared/values/ids';
import type { FromParleyPage, ParleyTab } from '../../../src/shared/pages/parleyPage';
import type { FromRulesPage } from '../../../src/shared/permissions/permissionRules';
import type { FromAgentsTab, FromPresetsTab, FromSetupTab } from '../../../src/shared/pages/setUpTabs';
import type { FromUsagePage } from '../../../src/shared/pages/usagePage';
import type { FakePage } from '../../unit-support/productWindow';
import { editor } from '../../unit-support/vscode';
import type { PageRow } from '../row';
import type { Stage } from '../stage';

/** The rows of a page's messages, by type. */
export type PageRows<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: PageRow<Message & { readonly type: Type }>;
};

/** The last message of a type that a page of its own got. */
export function lastOn(stage: Stage, viewType: string, type: string): Readonly<Record<string, unknown>> {
  const got = stage.since(viewType);
  const found = got.findLast((message) => message['type'] === type);
  assert.ok(found, `the page got no ${type}: ${got.map((message) => String(message['type'])).join()}`);
  return found;
}

/** The page is opened with this tab. */
export const showsTab = (tab: ParleyTab) => async (stage: Stage) => {
  const page = stage.opensPage('parley.page');
  await stage.sayOn(page, { type: 'ready' });
  assert.ok(page.got.some((message) => (message as { tab?: string }).tab === tab));
};

/** Opens the page with the tab of this command. */
export async function openTab(stage: Stage, command: string): Promise<FakePage> {
  await stage.run(command);
  return stage.ready('parley.page');
}

const chosenByUser = { untrusted: ['settings'], empty: ['settings'], working: ['settings'] } as const;

export const openParleyPage = (stage: Stage): Promise<FakePage> => openTab(stage, 'parley.openPage');

export const parleyPageMessages: PageRows<Extract<FromParleyPage, { readonly type: 'ready' | 'showTab' }>> = {
  ready: { message: () => ({ type: 'ready' }), does: (stage) => void lastOn(stage, 'parley.page', 'agents') },
  showTab: {
    message: () => ({ type: 'showTab', tab: 'usage' }),
    does: (stage) => void lastOn(stage, 'parley.page', 'usage'),
  },
};

const codex = 'settings:Codex' as AgentId;
const gemini = 'settings:Gemini' as AgentId;

export const agentsTabMessages: PageRows<FromAgentsTab> = {
  addAgent: {
    message: () => ({ type: 'addAgent' }),
    does: (stage) => stage.shows(/quickPick:.*[aA]gent/),
  },
  startAgent: {
    message: () => ({ type: 'startAgent', id: gemini }),
    does: (stage) => assert.equal(stage.session.transcript.view.agentName, 'Gemini'),
    may: { empty: ['agents', 'wire', 'programs'] },
    working: () => undefined,
  },
  useAgent: {
    message: () => ({ type: 'useAgent', id: gemini }),
    does: () => assert.equal(editor.settings['parley.defaultAgent'], 'Gemini'),
    may: chosenByUser,
  },
  logInAgent: {
    answers: ['Use a key'],
    message: () => ({ type: 'logInAgent', id: codex }),
    does: (stage) => assert.deepEqual(stage.hears('authenticate')['methodId'], 'key'),
    may: { empty: ['agents', 'wire', 'programs'] },
  },
  openProviders: {
    message: () => ({ type: 'openProviders', id: gemini }),
    does: (stage) => void stage.opensPage('parley.providers'),
  },
  openTools: {
    message: () => ({ type: 'openTools', id: codex }),
    does: (stage) => void stage.opensPage('parley.providers'),
  },
  openAgentSettings: {
    message: () => ({ type: 'openAgentSettings' }),
    does: (stage) => assert.deepEqual(stage.executes('workbench.action.openSettings'), ['parley.agents']),
  },
};

export const openPresetsTab = (stage: Stage): Promise<FakePage> => openTab(stage, 'parley.managePresets');

const mine = [{ name: 'Mine', agent: 'Codex' }];
const withPresets = { settings: { 'parley.presets': mine } } as const;
const presets = () => editor.settings['parley.presets'];

export const presetsTabMessages: PageRows<FromPresetsTab> = {
  startPreset: {
    settings: { 'parley.presets': [{ name: 'Other', agent: 'Gemini' }] },
    message: () => ({ type: 'startPreset', name: 'Other' }),
    does: (stage) => assert.equal(stage.session.transcript.view.agentName, 'Gemini'),
    may: { empty: ['agents', 'wire', 'programs'] },
    working: () => undefined,
  },
  usePreset: {
    ...withPresets,
    message: () => ({ type: 'usePreset', name: 'Mine', isDefault: true }),
    does: () => assert.deepEqual(presets(), [{ name: 'Mine', agent: 'Codex', default: true }]),
    may: { ...chosenByUser, hostile: ['settings'] },
  },
  renamePreset: {
    ...withPresets,
    answers: ['Ours'],
    message: () => ({ type: 'renamePreset', name: 'Mine' }),
    does: () => assert.deepEqual(presets(), [{ name: 'Ours', agent: 'Codex' }]),
  },
  deletePreset: {
    ...withPresets,
    message: () => ({ type: 'deletePreset', name: 'Mine' }),
    does: () => assert.equal(presets(), undefined),
    may: chosenByUser,
  },
  undoDeletePreset: {
    ...withPresets,
    before: async (stage) => {
      const page = await openPresetsTab(stage);
      await stage.sayOn(page, { type: 'deletePreset', name: 'Mine' } as never);
    },
    message: () => ({ type: 'undoDeletePreset' }),
    does: () => assert.deepEqual(presets(), mine),
  },
  openPresetSettings: {
    message: () => ({ type: 'openPresetSettings' }),
    does: (stage) => void stage.executes('workbench.action.openSettingsJson'),
  },
};

export const openSetupTab = async (stage: Stage): Promise<FakePage> => {
  const page = await openTab(stage, 'parley.openPage');
  await stage.sayOn(page, { type: 'showTab', tab: 'setup' } as { type: string });
  return page;
};
const checks = {
  untrusted: [],
  empty: ['agents', 'wire', 'programs'],
  working: ['agents', 'wire', 'programs'],
} as const;

export const setupTabMessages: PageRows<FromSetupTab> = {
  checkSetup: {
    message: () => ({ type: 'checkSetup' }),
    does: (stage) => assert.match(JSON.stringify(lastOn(stage, 'parley.page', 'setup')), /"name":"git"/),
    // The check asks each agent whether it works.
    may: checks,
  },
  stopWaiting: {
    // An agent that never answers would keep the check waiting.
    prepare: (agent) => agent.responders.set('initialize', () => undefined),
    before: async (stage) => {
      const page = await openSetupTab(stage);
      await stage.sayOn(page, { type: 'checkSetup' });
    },
    scene: 'empty',
    working: () => undefined,
    message: () => ({ type: 'stopWaiting' }),
    does: (stage) => {
      const { state } = lastOn(stage, 'parley.page', 'setup')['shown'] as { readonly state: string };
      assert.equal(state, 'checked');
    },
  },
  fixSetup: {
    before: async (stage) => {
      const page = await openSetupTab(stage);
      await stage.sayOn(page, { type: 'checkSetup' });
    },
    message: (stage) => ({ type: 'fixSetup', ...firstFix(stage) }),
    // What is wrong here is copied as a command line.
    does: (stage) => assert.notEqual(stage.desk.clipboard, ''),
  },
  showSetupText: {
    message: () => ({ type: 'showSetupText' }),
    does: (stage) => assert.match(stage.documents.join(), /Setup/),
  },
  saveSupportBundle: {
    message: () => ({ type: 'saveSupportBundle' }),
    does: (stage) => assert.match(stage.documents.join(), /support bundle/),
    may: checks,
  },
};

/** The first fix that the tab offers. */
function firstFix(stage: Stage): { readonly name: string; readonly fix: string } {
  const got = (stage.desk.panel('parley.page')?.webview.got ?? []) as unknown as readonly {
    readonly type: string;
    readonly shown?: { readonly parts: readonly { readonly name: string; readonly fix?: string }[] };
  }[];
  const found = got.findLast(({ type }) => type === 'setup')?.shown?.parts.find(({ fix }) => fix !== undefined);
  return { name: found?.name ?? 'none', fix: found?.fix ?? 'none' };
}

export const openRulesTab = (stage: Stage): Promise<FakePage> => openTab(stage, 'parley.showPermissionRules');

const ruled = [
  { kind: 'execute', answer: 'ask' },
  { kind: 'fetch', answer: 'ask' },
];
const withRules = { settings: { 'parley.permissions': ruled } } as const;
const ruleId = (stage: Stage): string => {
  const page = stage.desk.panel('parley.page')?.webview.got as readonly unknown[] | undefined;
  const shown = (
    page as readonly { type: string; shown?: { rules: readonly { id: string }[] } }[] | undefined
  )?.findLast(({ type }) => type === 'rules');
  return shown?.shown?.rules[0]?.id ?? 'gone';
};
const permissions = () => editor.settings['parley.permissions'];

export const rulesTabMessages: PageRows<FromRulesPage> = {
  saveRule: {
    message: () => ({ type: 'saveRule', id: '', scope: 'user', rule: { kind: 'execute', answer: 'ask' } }),
    does: () => assert.deepEqual(permissions(), [{ kind: 'execute', answer: 'ask' }]),
    may: { ...chosenByUser, hostile: ['settings'] },
  },
  deleteRule: {
    ...withRules,
    message: (stage) => ({ type: 'deleteRule', id: ruleId(stage) }),
    does: () => assert.deepEqual(permissions(), ruled.slice(1)),
    may: chosenByUser,
  },
  undoDelete: {
    ...withRules,
    before: async (stage) => {
      const page = await openRulesTab(stage);
      await stage.sayOn(page, { type: 'deleteRule', id: ruleId(stage) } as never);
    },
    message: () => ({ type: 'undoDelete' }),
    does: () => assert.deepEqual(permissions(), ruled),
  },
  moveRule: {
    ...withRules,
    message: (stage) => ({ type: 'moveRule', id: ruleId(stage), by: 1 }),
    does: () => assert.deepEqual(permissions(), [...ruled].reverse()),
    may: chosenByUser,
  },
  openSettings: {
    message: () => ({ type: 'openSettings', scope: 'user' }),
    does: (stage) => void stage.executes('workbench.action.openSettingsJson'),
  },
};

export const openUsageTab = (stage: Stage): Promise<FakePage> => openTab(stage, 'parley.showUsage');

export const usageTabMessages: PageRows<FromUsagePage> = {
  setRange: {
    message: () => ({ type: 'setRange', range: 'year' }),
    does: (stage) => assert.equal((lastOn(stage, 'parley.page', 'usage')['report'] as { range: string }).range, 'year'),
  },
  exportCsv: {
    answers: (stage) => [`${stage.root}/usage.csv`],
    message: () => ({ type: 'exportCsv' }),
    does: (stage) => void stage.saved('usage.csv'),
  },
  openPrices: {
    message: () => ({ type: 'openPrices' }),
    does: (stage) => assert.deepEqual(stage.executes('workbench.action.openSettings'), ['parley.usage.prices']),
  },
  openBudget: {
    message: () => ({ type: 'openBudget' }),
    does: (stage) => assert.deepEqual(stage.executes('workbench.action.openSettings'), ['parley.budget']),
  },
};
