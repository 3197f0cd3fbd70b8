import { inFence } from '../../shared/text/codeFence';
import { ownIntros } from '../../shared/pages/ownPrompts';
import type { BringConflict } from './broughtChanges';

/** Maximum length of the conflicts that a message quotes. The files have all of them. */
const maxQuoted = 20_000;

/** The message that asks an agent to resolve conflicts in the files of its worktree. For the agent, so it isn't translated. */
export function conflictMessage(conflicts: readonly Pick<BringConflict, 'path' | 'marked'>[], branch: string): string {
  const files = conflicts.map(({ path }) => `- ${path}`).join('\n');
  const quotes: string[] = [];
  let left = maxQuoted;
  for (const { path, marked } of conflicts) {
    const quoted = conflictsIn(Buffer.from(marked ?? []).toString()).join('\n…\n');
    if (quoted.length > left) continue;
    left -= quoted.length;
    quotes.push(`${path}:\n${inFence(quoted)}`);
  }
  return [
    `${ownIntros.conflict}These files in your worktree now have both, ` +
      `with conflict markers: “workspace” is my version, and “${branch}” is yours.`,
    files,
    'Edit these files so that they keep the intent of both, and remove the markers. Change nothing else.',
    ...quotes,
  ].join('\n\n');
}

/** Returns the parts of a text that are between conflict markers, with them. */
function conflictsIn(text: string): string[] {
  return text.match(/^<{7} [^]*?^>{7} .*$/gm) ?? [];
}
