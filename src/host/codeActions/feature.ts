import { commandTable } from '../base/feature';
import type { ChatPages } from '../pages/chatPages';
import { ProblemActions } from './problemActions';

export interface CodeActionNeeds {
  readonly pages: ChatPages;
  readonly report: (error: unknown) => void;
}

/** Actions on problems that ask the agent. */
export function codeActionsFeature({ pages, report }: CodeActionNeeds) {
  const actions = new ProblemActions(pages, report);
  const commands = commandTable({
    'parley.fixWithAgent': (uri, diagnostics) => actions.run('fix', uri, diagnostics),
    'parley.explainWithAgent': (uri, diagnostics) => actions.run('explain', uri, diagnostics),
  });
  return { commands, dispose: () => actions.dispose() };
}
