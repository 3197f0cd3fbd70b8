import type { Transcript } from '../../shared/transcript/transcript';

/** Returns what the agent said in the last turn. */
export function lastAnswer({ order, entries }: Transcript): string {
  const said = order.flatMap((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'agent_message' && entry.subagent === undefined ? [entry] : [];
  });
  const turn = said.at(-1)?.turn;
  return said
    .filter((entry) => entry.turn === turn)
    .map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join(''))
    .join('\n\n');
}
