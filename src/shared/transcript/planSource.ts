import type { ToolCallEntry, Transcript } from './transcript';

/** Where a plan is: its text, or an absolute path or a URI of its file. */
export type PlanSource = { readonly text: string } | { readonly file: string };

/** The folder where Claude Code keeps its plans. */
const planFile = /[\\/]plans[\\/][^\\/]+\.md$/i;

/**
 * Returns the plan that a request to leave plan mode is about. Qwen and Codex send it with the request, others as a plan of the session, and
 * Claude writes it to a file in the same turn.
 */
export function planSource({ view, order, entries }: Transcript, entry: ToolCallEntry): PlanSource | undefined {
  if (entry.toolKind !== 'switch_mode') return undefined;
  const text = entry.content
    .flatMap((item) => (item.type === 'content' && item.content.type === 'text' ? [item.content.text] : []))
    .join('\n\n');
  if (text.trim() !== '') return { text };
  for (const plan of [...view.plans].reverse()) {
    if (plan.type === 'markdown' && plan.content.trim() !== '') return { text: plan.content };
    if (plan.type === 'file') return { file: plan.uri };
  }
  for (const id of [...order].reverse()) {
    const call = entries.get(id);
    if (call?.kind !== 'tool_call' || call.turn !== entry.turn) continue;
    const written = call.content.find((item) => item.type === 'diff' && planFile.test(item.path));
    if (written?.type === 'diff') return { file: written.path };
  }
  return undefined;
}
