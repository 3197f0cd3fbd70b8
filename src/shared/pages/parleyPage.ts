import type { FromRulesPage, ToRulesPage } from '../permissions/permissionRules';
import type { FromAgentsTab, FromPresetsTab, FromSetupTab, ToAgentsTab, ToPresetsTab, ToSetupTab } from './setUpTabs';
import type { FromSkillsPage, ToSkillsPage } from './skillsPage';
import type { FromUsagePage, ToUsagePage } from './usagePage';

/** The tabs of the page “Parley”, in their order. */
export const parleyTabs = ['agents', 'presets', 'prompts', 'instructions', 'rules', 'usage', 'setup'] as const;
export type ParleyTab = (typeof parleyTabs)[number];

/** Messages from the extension host to the page “Parley”. */
export type ToParleyPage =
  /** Shows this tab. Everything else is for one of the tabs. */
  | { readonly type: 'tab'; readonly tab: ParleyTab }
  | ToAgentsTab
  | ToPresetsTab
  | ToSkillsPage
  | ToRulesPage
  | ToUsagePage
  | ToSetupTab;

/** Messages of its tabs to the extension host. */
export type FromTab = FromAgentsTab | FromPresetsTab | FromSkillsPage | FromRulesPage | FromUsagePage | FromSetupTab;

/** Messages from the page to the extension host. */
export type FromParleyPage =
  | { readonly type: 'ready' }
  /** The user selected a tab, or it was selected before the window reloaded. */
  | { readonly type: 'showTab'; readonly tab: ParleyTab }
  | FromTab;
