import type { Command, CommandServices } from './command';

/** Shows the workspace's settings and lets the user decide whether they apply. */
export function reviewWorkspaceSettings({ settingsReview }: CommandServices): Command {
  return { id: 'parley.reviewWorkspaceSettings', execute: () => settingsReview.review() };
}
