import { once } from '../../shared/values/once';
import type { FromSetupTab, ToSetupTab } from '../../shared/pages/setUpTabs';
import type { Act } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { MakeTab } from '../pages/pageTab';
import type { FixServices } from './applyFix';
import type { SetupCheckOptions } from './setupCheck';
import type { SupportBundle, SupportBundleOptions } from './supportBundle';

export type SetupNeeds = FixServices &
  SetupCheckOptions &
  Omit<SupportBundleOptions, 'check'> & {
    readonly act: Act<'showParley'>;
    readonly log: Log;
  };

/** Finds out what is wrong with the setup, and puts it together for someone who helps. Loaded when the user asks for it. */
export function setupFeature(needs: SetupNeeds) {
  let opened: SupportBundle | undefined;
  const parts = once(async () => {
    const [{ SetupCheck }, { SupportBundle }] = await Promise.all([import('./setupCheck'), import('./supportBundle')]);
    const setup = new SetupCheck(needs);
    opened = new SupportBundle({ ...needs, check: setup });
    return { setup, supportBundle: opened };
  });
  const tab: MakeTab<FromSetupTab, ToSetupTab> = async (post) => {
    const [{ SetupTab }, { applyFix }, made] = await Promise.all([import('./setupTab'), import('./applyFix'), parts()]);
    return new SetupTab({ ...made, applyFix: (...how) => applyFix(needs, ...how), log: needs.log }, post);
  };
  const commands = commandTable({ 'parley.saveSupportBundle': async () => (await parts()).supportBundle.saveShown() });
  const check = () => needs.act('showParley', 'setup', 'check');
  return { commands, tab, actions: actionTable({ checkSetup: check }), dispose: () => opened?.dispose() };
}
