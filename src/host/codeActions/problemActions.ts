import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { messageOf } from '../../shared/values/messageOf';
import { attachmentOf } from '../context/attachments/attach';
import type { CommandId } from '../base/feature';
import { isProblem, problemOf } from '../editor/problems';
import type { ChatPages } from '../pages/chatPages';
import { showInformation } from '../ui/notifications';
import { tellFailure } from '../ui/reported';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { quotedProblem, type ProblemText } from '../editor/problemText';

const commandOf: Readonly<Record<ProblemTask, CommandId>> = {
  fix: 'parley.fixWithAgent',
  explain: 'parley.explainWithAgent',
};

/** Maximum number of problems in one request. */
const most = 10;

/**
 * Code actions on problems: the agent can fix or explain them. An action writes the request into the composer, after
 * what the user has typed there. The user sends it.
 */
export class ProblemActions extends Disposable implements vscode.CodeActionProvider {
  private readonly pages: ChatPages;
  private readonly report: (error: unknown) => void;

  constructor(pages: ChatPages, report: (error: unknown) => void) {
    super();
    this.pages = pages;
    this.report = report;
    const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    const selector = [{ scheme: 'file' }, { scheme: 'untitled' }, { scheme: 'vscode-notebook-cell' }];
    this.register(vscode.languages.registerCodeActionsProvider(selector, this, kinds));
  }

  /** Writes the request about the given problems, or about those at the cursor, into the composer. */
  async run(task: ProblemTask, uri: unknown, diagnostics: unknown): Promise<void> {
    try {
      await this.ask(task, uri, diagnostics);
    } catch (error) {
      this.report(error);
      tellFailure(messageOf(error));
    }
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const problems = diagnostics.filter(isProblem);
    if (problems.length === 0) return [];
    const action = (title: string, task: ProblemTask) => {
      const quickFix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      quickFix.diagnostics = problems;
      quickFix.command = { title, command: commandOf[task], arguments: [document.uri, problems] };
      return quickFix;
    };
    return [action(l10n.t('Fix with Agent'), 'fix'), action(l10n.t('Explain with Agent'), 'explain')];
  }

  private async ask(task: ProblemTask, uri: unknown, diagnostics: unknown): Promise<void> {
    const place = uri instanceof vscode.Uri ? { uri, diagnostics } : atCursor();
    const given: readonly unknown[] = Array.isArray(place?.diagnostics) ? place.diagnostics : [];
    const problems = given.filter((one) => one instanceof vscode.Diagnostic).slice(0, most);
    const [first] = problems;
    if (!place || !first) {
      void showInformation(l10n.t('There’s no problem at the cursor.'));
      return;
    }
    const range = problems.reduce((all, one) => all.union(one.range), first.range);
    const lines = new vscode.Selection(range.start.line, 0, range.end.line + 1, 0);
    const path = vscode.workspace.asRelativePath(place.uri).replaceAll('\\', '/');
    const text = problemRequest(task, path, problems.map(problemOf));
    const attachments = [await attachmentOf(place.uri, lines)];
    await this.pages.withPage((page) => page.post({ type: 'addDraft', text, attachments }));
  }
}

/** Returns the problems at the cursor, or else those in its line. */
function atCursor(): { readonly uri: vscode.Uri; readonly diagnostics: readonly vscode.Diagnostic[] } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { selection, document } = editor;
  const all = vscode.languages.getDiagnostics(document.uri).filter(isProblem);
  const here = all.filter(({ range }) => range.intersection(selection) !== undefined);
  const inLine = all.filter(
    ({ range }) => range.start.line <= selection.end.line && range.end.line >= selection.start.line,
  );
  return { uri: document.uri, diagnostics: here.length > 0 ? here : inLine };
}

/** What the agent is asked to do with problems. */
type ProblemTask = 'fix' | 'explain';

/** Returns a message that asks the agent about problems in a file. What tools say about them is quoted. */
export function problemRequest(task: ProblemTask, path: string, problems: readonly ProblemText[]): string {
  const file = showHiddenOnOneLine(path);
  const [first] = problems;
  if (problems.length === 1 && first) {
    const line =
      task === 'fix'
        ? l10n.t('Fix this problem in {0}, line {1}:', file, first.line)
        : l10n.t('Explain this problem in {0}, line {1}:', file, first.line);
    return `${line}\n\n${quotedProblem(first)}\n`;
  }
  const title =
    task === 'fix' ? l10n.t('Fix these problems in {0}:', file) : l10n.t('Explain these problems in {0}:', file);
  const each = problems.map((problem) => `${l10n.t('Line {0}:', problem.line)}\n\n${quotedProblem(problem)}`);
  return `${[title, ...each].join('\n\n')}\n`;
}
