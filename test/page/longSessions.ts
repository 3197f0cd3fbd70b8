import type { TerminalId } from '../../src/shared/values/ids';
import type { TranscriptOp } from '../../src/shared/transcript/ops';
import type { Entry, TerminalView } from '../../src/shared/transcript/transcript';
import type { Chat } from './chat';
import { agentMessage, sessionA, toolCall, userMessage } from './samples';
import { edit, read, richMarkdown, terminal } from './transcriptSamples';

/** Ten entries, as they follow each other in a day of work. */
const kinds = 10;

/** Entry number `at` of a long session: messages, thoughts, reads, edits, and commands. Its text or title contains the number. */
export function mixedEntry(at: number): Entry {
  const turn = Math.floor(at / kinds) + 1;
  switch (at % kinds) {
    case 0:
      return userMessage(`e${at}`, `Request ${at}: the next step, please.`, turn);
    case 1:
    case 6:
      return {
        id: `e${at}` as Entry['id'],
        turn,
        kind: 'agent_thought',
        content: [{ type: 'text', text: `Thought ${at}. `.repeat(20) }],
        startedAt: 1000,
        endedAt: 7000,
      };
    case 2:
    case 3:
    case 4:
      return read(`e${at}`, `file${at}.ts`, { turn });
    case 5:
      return agentMessage(`e${at}`, `Answer ${at}\n\n${richMarkdown}`, turn);
    case 7:
      return edit(`e${at}`, { turn, title: `Edit file${at}.ts` });
    case 8:
      return toolCall(`e${at}`, {
        turn,
        title: `npm test ${at}`,
        status: 'completed',
        content: [{ type: 'terminal', terminalId: `t${at}` as TerminalId }],
        rawInput: { command: `npm test ${at}` },
        endedAt: 1_764_000_002_100,
      });
    default:
      return agentMessage(`e${at}`, `Paragraph ${at}. `.repeat(30), turn);
  }
}

export function mixedEntries(from: number, to: number): Entry[] {
  return Array.from({ length: to - from }, (_, index) => mixedEntry(from + index));
}

/** The terminals of the entries before number `to`. */
export function mixedTerminals(to: number, from = 0): TerminalView[] {
  const out: TerminalView[] = [];
  for (let at = from; at < to; at++) if (at % kinds === 8) out.push(terminal(`t${at}`, { command: `npm test ${at}` }));
  return out;
}

/** The ops that add entries of a long session, with their terminals. */
export function mixedOps(from: number, to: number): TranscriptOp[] {
  return [
    ...mixedTerminals(to, from).map((view): TranscriptOp => ({ op: 'terminal', terminal: view })),
    ...mixedEntries(from, to).map((entry): TranscriptOp => ({ op: 'insert', entry })),
  ];
}

/** Answers the page's requests for older entries from a long session, as the host does, until the chat is closed. */
export async function serveOlder(chat: Chat, total: number): Promise<void> {
  await chat.page.evaluate(
    ({ entries, session }) => {
      const order = entries.map(({ id }) => id);
      window.addEventListener('fake-host-posted', () => {
        const last = window.fakeHost.posted.at(-1);
        if (last?.type !== 'fetchOlder') return;
        const end = order.indexOf(last.before);
        const start = Math.max(0, end - 400);
        const data = { type: 'older', session, entries: entries.slice(start, end), omitted: start };
        setTimeout(() => window.dispatchEvent(new MessageEvent('message', { data })));
      });
    },
    { entries: mixedEntries(0, total), session: sessionA },
  );
}
