import { commandTable } from '../base/feature';
import type { LoginServices } from '../login/logInTo';
import { checkSetup } from './checkSetup';
import { SetupCheck, type SetupCheckOptions } from './setupCheck';
import { SupportBundle, type SupportBundleOptions } from './supportBundle';

export type SetupNeeds = LoginServices & SetupCheckOptions & Omit<SupportBundleOptions, 'check'>;

/** Finds out what is wrong with the setup, and puts it together for someone who helps. */
export function setupFeature(needs: SetupNeeds) {
  const setup = new SetupCheck(needs);
  const supportBundle = new SupportBundle({ ...needs, check: setup });
  const commands = commandTable({
    'parley.checkSetup': () => checkSetup({ ...needs, setup, supportBundle }),
    'parley.saveSupportBundle': () => supportBundle.saveShown(),
  });
  return { commands, dispose: () => supportBundle.dispose() };
}
