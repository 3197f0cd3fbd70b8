import type { FromSetupTab, ToSetupTab } from '../../shared/pages/setUpTabs';
import type { Act } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { MakeTab } from '../pages/pageTab';
import { applyFix, type FixServices } from './applyFix';
import { SetupCheck, type SetupCheckOptions } from './setupCheck';
import { SupportBundle, type SupportBundleOptions } from './supportBundle';

export type SetupNeeds = FixServices &
  SetupCheckOptions &
  Omit<SupportBundleOptions, 'check'> & {
    readonly act: Act<'showParley'>;
    readonly log: Log;
  };

/** Finds out what is wrong with the setup, and puts it together for someone who helps. */
export function setupFeature(needs: SetupNeeds) {
  const setup = new SetupCheck(needs);
  const supportBundle = new SupportBundle({ ...needs, check: setup });
  const tab: MakeTab<FromSetupTab, ToSetupTab> = async (post) => {
    const { SetupTab } = await import('./setupTab');
    const fix: ConstructorParameters<typeof SetupTab>[0]['applyFix'] = (...how) => applyFix(needs, ...how);
    return new SetupTab({ setup, supportBundle, applyFix: fix, log: needs.log }, post);
  };
  const commands = commandTable({ 'parley.saveSupportBundle': () => supportBundle.saveShown() });
  const check = () => needs.act('showParley', 'setup', 'check');
  return { commands, tab, actions: actionTable({ checkSetup: check }), dispose: () => supportBundle.dispose() };
}
