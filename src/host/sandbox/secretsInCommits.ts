import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { attempt } from '../../shared/values/attempt';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import type { ToolCallEntry } from '../../shared/transcript/transcript';

const commits = /\bgit\b[^\n;&|]*\bcommit\b/;

/** Returns the hidden files whose changes a commit that this call made doesn't have. */
export function leftOutOfCommit(
  { transcript }: Pick<Session, 'transcript'>,
  call: ToolCallEntry,
  { committed = [] }: SandboxPolicy,
): readonly string[] {
  if (call.status !== 'completed' || committed.length === 0) return [];
  if (!wordsOf(transcript, call).some((words) => commits.test(words))) return [];
  return committed.flatMap(({ path, base64 }) => {
    const now = attempt(() => readFileSync(path));
    return now === undefined || now.equals(Buffer.from(base64, 'base64')) ? [] : [path];
  });
}

/** Says to the user and to the agent that changes of hidden files stay out of commits. */
export function tellLeftOut(
  session: Pick<Session, 'transcript' | 'addNotice' | 'tellAgent'>,
  paths: readonly string[],
): void {
  const { cwd } = session.transcript.view;
  for (const path of paths) {
    const shown = showHiddenOnOneLine(relative(cwd, path));
    session.addNotice({
      severity: 'info',
      title: l10n.t('Commits made in the sandbox don’t have your changes to {0}', shown),
      description: l10n.t('The sandbox hides them. Commit the file in the editor’s terminal.'),
    });
    session.tellAgent(
      `"${shown.replaceAll('"', "'")}" shows its committed content; the user's changes to it are hidden, so they stay out of commits made inside.`,
    );
  }
}

/** Returns what may be the command line of a call. */
function wordsOf(transcript: Session['transcript'], { title, content, rawInput }: ToolCallEntry): readonly string[] {
  const lines = content.map((item) =>
    item.type === 'terminal' ? (transcript.terminals.get(item.terminalId)?.command ?? '') : '',
  );
  const given = typeof rawInput === 'object' && rawInput !== null ? Object.values(rawInput) : [];
  return [title, ...lines, ...given.map((value) => (Array.isArray(value) ? value.join(' ') : String(value)))];
}
