import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { wayBelow } from '../../../disk/paths';
import { worktreeOf } from '../../../worktree/made/worktreeOf';
import { fileRoots, rootsBeside, workspacePath } from '../../base/folders';
import type { Attachment } from '../../../shared/transcript/content';
import { isProblem, problemOf, problemsNow, type FoundProblem } from '../../editor/problems';
import { problemLine } from '../../editor/problemText';
import { shortenMiddle, showHiddenOnOneLine } from '../../../shared/text/visibleText';
import { pickMany } from '../../ui/quickInput';
import { textAttachment } from '../attachments/attach';
import { matching, type FoundMention, type MentionSource } from './mentionSource';

/** Maximum number of problems that can be picked. */
const most = 500;
/** Maximum number of problems that are offered for a mention, and of characters of a message there. */
const mentioned = 40;
const longestLabel = 200;

/**
 * Lets the user select problems of the workspace. Those of the active file come first. In a session whose folder is in a worktree, they're
 * those of the worktree instead of the folder that it replaces.
 */
export async function pickProblems(folder?: string): Promise<readonly Attachment[]> {
  const items = inOrder(folder)
    .slice(0, most)
    .map(({ uri, diagnostic }) => ({
      label: problemOf(diagnostic).message,
      description: `${workspacePath(uri)}:${diagnostic.range.start.line + 1}`,
      iconPath: new vscode.ThemeIcon(diagnostic.severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning'),
      problem: { uri, diagnostic },
    }));
  const picked = await pickMany(items, {
    title: l10n.t('Add Problems to Chat'),
    placeHolder: items.length > 0 ? l10n.t('Select problems') : l10n.t('There are no problems.'),
    matchOnDescription: true,
  });
  return picked && picked.length > 0 ? [problemsAttachment(picked.map(({ problem }) => problem))] : [];
}

/** Finds problems of the workspace to mention. */
export class ProblemMentions implements MentionSource {
  find(typed: string, folder?: string): Promise<readonly FoundMention[]> {
    const found = inOrder(folder);
    const each = found.slice(0, most).map((problem) => problemMention(problem));
    const everything: FoundMention = {
      id: 'problem:all',
      kind: 'problem',
      group: 'problem',
      label: l10n.t('All problems'),
      detail: String(found.length),
      icon: 'warning',
      take: () => Promise.resolve([problemsAttachment(inOrder(folder).slice(0, most))]),
    };
    return matching(found.length > 1 ? [everything, ...each] : each, typed, mentioned);
  }
}

function problemMention(problem: FoundProblem): FoundMention {
  const { uri, diagnostic } = problem;
  const { line, column, message, severity } = problemOf(diagnostic);
  const place = `${workspacePath(uri)}:${line}`;
  const insert = `${basename(uri.path)}:${line}`;
  return {
    id: `problem:${uri.toString()}:${line}:${column}:${message}`,
    kind: 'problem',
    group: 'problem',
    label: showHiddenOnOneLine(shortenMiddle(message, longestLabel)),
    insert,
    detail: place,
    icon: severity === 'error' ? 'error' : severity === 'warning' ? 'warning' : 'info',
    take: () => Promise.resolve([problemsAttachment([problem], l10n.t('Problem in {0}', insert))]),
  };
}

function inOrder(folder: string | undefined): FoundProblem[] {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  return all(folder).sort((a, b) => Number(b.uri.toString() === active) - Number(a.uri.toString() === active));
}

/** Returns problems as an attachment, one per line. */
function problemsAttachment(problems: readonly FoundProblem[], named?: string): Attachment {
  const lines = problems.map(({ uri, diagnostic }) => problemLine(uri.fsPath, problemOf(diagnostic)));
  const count = problems.length === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', problems.length);
  const name = named ?? count;
  return textAttachment(`${name}.txt`, `${lines.join('\n')}\n`);
}

function all(folder: string | undefined): FoundProblem[] {
  const found = problemsNow().filter(({ diagnostic }) => isProblem(diagnostic));
  const worktree = folder === undefined ? undefined : worktreeOf(folder);
  if (folder === undefined || !worktree) return found;
  const roots = [worktree.record.path, ...rootsBeside(folder, fileRoots())];
  return found.filter(({ uri }) => roots.some((root) => wayBelow(root, uri.fsPath) !== undefined));
}
