import { compact } from '../../../shared/values/decodeValue';
import type { AgentId, SessionKey } from '../../../shared/values/ids';
import type { SessionRow } from '../../../shared/pages/sessionRows';
import { fields, list, number, oneOf, optional, text, type ShapeOf } from '../../../shared/values/shape';

/** What a window says about itself to the user's other windows. */
export interface WindowNote {
  /** The name of its workspace. Empty if it has none. */
  readonly name: string;
  /** The URI of its folder or workspace file, with which VS Code finds the window. Empty if there is none. */
  readonly place: string;
  /** Its open sessions, as its own list shows them. */
  readonly rows: readonly SessionRow[];
}

const rowFields = {
  id: text,
  session: text,
  title: text,
  agentId: text,
  agentName: text,
  state: oneOf('needsYou', 'running', 'failed', 'idle'),
  words: optional(text),
  folder: text,
  branch: optional(text),
  at: number,
  added: optional(number),
  removed: optional(number),
  unreviewed: optional(number),
  isPinned: optional(oneOf(true)),
};
const rowShape = fields(rowFields);

const note = fields({ version: oneOf(1), name: text, place: text, rows: list(rowShape) });

/** Returns the text of a note's file. */
export function writeNote(one: WindowNote): string {
  return JSON.stringify({ version: 1, ...one });
}

/** A row of another window, without what a newer version adds. */
function ofWindow(row: ShapeOf<typeof rowShape>): SessionRow {
  const known = Object.entries(row).filter(([name]) => name in rowFields);
  return {
    ...compact(Object.fromEntries(known) as typeof row),
    session: row.session as SessionKey,
    agentId: row.agentId as AgentId,
    place: 'otherWindow',
    actions: [],
  };
}

/** Reads a note. Its rows are those of another window. Returns undefined if the JSON isn't a note. */
export function readNote(json: unknown): WindowNote | undefined {
  if (!note(json)) return undefined;
  return { name: json.name, place: json.place, rows: json.rows.map(ofWindow) };
}
