import type { ParleyTab } from '../../shared/pages/parleyPage';
import { actionTable, commandTable } from '../base/feature';
import { OnePage } from '../pages/onePage';
import { ParleyPanel, type ParleyPanelNeeds } from './parleyPanel';

/** One page for everything that is set up once, each in a tab of it, and the ways to each tab. */
export function parleyPageFeature(needs: ParleyPanelNeeds) {
  const page = new OnePage('parley.page', (restored) => new ParleyPanel(needs, restored));
  const show = (tab?: ParleyTab, entry?: string) => page.open().reveal(tab, entry);
  const commands = commandTable({
    'parley.openPage': () => show(),
    'parley.managePresets': () => show('presets'),
    'parley.checkSetup': () => show('setup', 'check'),
    'parley.showSkills': () => show('instructions'),
    'parley.showPermissionRules': (id) => show('rules', typeof id === 'string' ? id : undefined),
    'parley.showUsage': () => show('usage'),
  });
  return { commands, actions: actionTable({ showParley: show }), dispose: () => page.dispose() };
}
