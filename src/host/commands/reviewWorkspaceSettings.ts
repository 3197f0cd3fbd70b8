import type { Command, CommandServices } from './command';

/** Shows what the workspace's settings say, and lets the user decide whether they count. */
export function reviewWorkspaceSettings({ settingsReview }: CommandServices): Command {
  return { id: 'parley.reviewWorkspaceSettings', execute: () => settingsReview.review() };
}
