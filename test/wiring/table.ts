// The whole table. A command or a message without a row is a type error.
import type { CommandId } from '../../src/host/base/feature';
import type { FromParleyPage } from '../../src/shared/pages/parleyPage';
import type { FromWebview } from '../../src/shared/pages/messages';
import { playedCommand, playedMessage, playedOn, type Played } from './play';
import type { CommandRow, MessageRow, PageRow } from './row';
import { agentCommands, agentMessages, openProvidersPage, providersPageMessages } from './rows/agents';
import { chatCommands, chatMessages } from './rows/chat';
import { contextCommands, contextMessages, openSkillsTab, skillsTabMessages } from './rows/context';
import {
  agentsTabMessages,
  openParleyPage,
  openPresetsTab,
  openRulesTab,
  openSetupTab,
  openUsageTab,
  parleyPageMessages,
  presetsTabMessages,
  rulesTabMessages,
  setupTabMessages,
  usageTabMessages,
  type PageRows,
} from './rows/parleyPage';
import { openReviewPage, reviewCommands, reviewMessages, reviewPageMessages } from './rows/review';
import { sessionCommands, sessionMessages } from './rows/sessions';
import { openTriesPage, triesPageMessages, workCommands, workMessages } from './rows/work';
import type { Stage } from './stage';
import type { FakePage } from '../unit-support/productWindow';

export const commands: Readonly<Record<CommandId, CommandRow>> = {
  ...agentCommands,
  ...chatCommands,
  ...contextCommands,
  ...reviewCommands,
  ...sessionCommands,
  ...workCommands,
};

export const messages: { readonly [Type in FromWebview['type']]: MessageRow<FromWebview & { readonly type: Type }> } = {
  ...agentMessages,
  ...chatMessages,
  ...contextMessages,
  ...reviewMessages,
  ...sessionMessages,
  ...workMessages,
};

function onPage(name: string, rows: object, open: (stage: Stage) => Promise<FakePage>): readonly Played[] {
  return Object.entries(rows).map(([type, row]) => playedOn(`${name} ${type}`, row as PageRow<unknown>, open));
}

export const allCommands = (): readonly Played[] => Object.entries(commands).map(([id, row]) => playedCommand(id, row));
export const allMessages = (): readonly Played[] =>
  Object.entries(messages).map(([type, row]) => playedMessage(type, row as MessageRow<unknown>));
// A message of the page “Parley” without a row is a type error, too.
void ({
  ...parleyPageMessages,
  ...agentsTabMessages,
  ...presetsTabMessages,
  ...rulesTabMessages,
  ...usageTabMessages,
  ...setupTabMessages,
  ...skillsTabMessages,
} satisfies PageRows<FromParleyPage>);

export const allPageMessages = (): readonly Played[] => [
  ...onPage('review page:', reviewPageMessages, openReviewPage),
  ...onPage('page:', parleyPageMessages, openParleyPage),
  ...onPage('agents tab:', agentsTabMessages, openParleyPage),
  ...onPage('presets tab:', presetsTabMessages, openPresetsTab),
  ...onPage('rules tab:', rulesTabMessages, openRulesTab),
  ...onPage('usage tab:', usageTabMessages, openUsageTab),
  ...onPage('setup tab:', setupTabMessages, openSetupTab),
  ...onPage('providers page:', providersPageMessages, openProvidersPage),
  ...onPage('skills tab:', skillsTabMessages, openSkillsTab),
  ...onPage('tries page:', triesPageMessages, openTriesPage),
];
