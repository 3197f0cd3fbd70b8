import { commandTable } from '../base/feature';
import { SettingsReview } from './reviewSettings';
import type { Settings } from './settings';

/** What the user decides about the workspace's settings. */
export function settingsFeature({ settings }: { readonly settings: Settings }) {
  const review = new SettingsReview(settings);
  const commands = commandTable({ 'parley.reviewWorkspaceSettings': () => review.review() });
  return { review, commands, dispose: () => review.dispose() };
}
