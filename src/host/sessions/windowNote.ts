import * as z from 'zod/mini';
import { compact } from '../../shared/decodeValue';
import type { AgentId, SessionKey } from '../../shared/ids';
import type { SessionRow } from '../../shared/sessionRows';

/** What a window says about itself to the user's other windows. */
export interface WindowNote {
  /** The name of its workspace. Empty if it has none. */
  readonly name: string;
  /** The URI of its folder or workspace file, with which VS Code finds the window. Empty if there is none. */
  readonly place: string;
  /** Its open sessions, as its own list shows them. */
  readonly rows: readonly SessionRow[];
}

const row = z.object({
  id: z.string(),
  session: z.string(),
  title: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  state: z.enum(['needsYou', 'running', 'failed', 'idle']),
  words: z.optional(z.string()),
  folder: z.string(),
  branch: z.optional(z.string()),
  at: z.number(),
  added: z.optional(z.number()),
  removed: z.optional(z.number()),
  unreviewed: z.optional(z.number()),
  isPinned: z.optional(z.literal(true)),
});

const note = z.object({ version: z.literal(1), name: z.string(), place: z.string(), rows: z.array(row) });

/** Returns the text of a note's file. */
export function writeNote(one: WindowNote): string {
  return JSON.stringify({ version: 1, ...one });
}

/** Reads a note. Its rows are those of another window. Returns undefined if the JSON isn't a note. */
export function readNote(json: unknown): WindowNote | undefined {
  const read = note.safeParse(json);
  if (!read.success) return undefined;
  const { name, place, rows } = read.data;
  const ofWindow = ({ session, agentId, ...one }: (typeof rows)[number]): SessionRow => ({
    ...compact(one),
    session: session as SessionKey,
    agentId: agentId as AgentId,
    place: 'otherWindow',
    actions: [],
  });
  return { name, place, rows: rows.map(ofWindow) };
}
