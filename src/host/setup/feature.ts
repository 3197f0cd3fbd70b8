import { actionTable, commandTable } from '../base/feature';
import type { LoginServices } from '../login/logInTo';
import { checkSetup, type SetupServices } from './checkSetup';
import { SetupCheck, type SetupCheckOptions } from './setupCheck';
import { SupportBundle, type SupportBundleOptions } from './supportBundle';

export type SetupNeeds = LoginServices &
  SetupCheckOptions &
  Omit<SupportBundleOptions, 'check'> &
  Pick<SetupServices, 'act'>;

/** Finds out what is wrong with the setup, and puts it together for someone who helps. */
export function setupFeature(needs: SetupNeeds) {
  const setup = new SetupCheck(needs);
  const supportBundle = new SupportBundle({ ...needs, check: setup });
  const check = () => checkSetup({ ...needs, setup, supportBundle });
  const commands = commandTable({
    'parley.checkSetup': check,
    'parley.saveSupportBundle': () => supportBundle.saveShown(),
  });
  return { commands, actions: actionTable({ checkSetup: check }), dispose: () => supportBundle.dispose() };
}
