import type { RowSection, SectionName, SessionRow } from '../../src/shared/pages/sessionRows';
import { taskRow, type TaskRow } from './taskRow';

/** Heights in CSS pixels. The style sheet has the same. */
export const headHeight = 28;
export const rowHeight = 48;
export const foundHeight = 66;

/** A row, the same row as a search result with a sentence, or the row above the tries of a task. */
export interface ShownRow extends SessionRow {
  readonly sentence?: string;
  readonly tries?: TaskRow['tries'];
  readonly task?: TaskRow['task'];
}

/** A row with its place below the top of its section. */
export interface PlacedRow {
  /** Identifies the row in the list, which may show a session twice: with its title and with a sentence. */
  readonly key: string;
  readonly row: ShownRow;
  readonly top: number;
  readonly height: number;
  /** Its position among all rows, starting at 1. */
  readonly position: number;
  /** The row of the session whose agent started this one, or of the task that it is a try of, if it is above. */
  readonly above?: ShownRow;
  /** The number of rows that it is below. */
  readonly level: number;
}

/** A section with its place below the top of the list. */
export interface PlacedSection {
  readonly name: SectionName | 'found';
  readonly top: number;
  readonly height: number;
  readonly rows: readonly PlacedRow[];
}

export interface RowLayout {
  readonly sections: readonly PlacedSection[];
  readonly height: number;
  /** All rows in their order. */
  readonly rows: readonly PlacedRow[];
}

/** Returns where each section and row is. Search results come last. */
export function layOut(sections: readonly RowSection[], found: readonly ShownRow[]): RowLayout {
  const all: readonly { readonly name: PlacedSection['name']; readonly rows: readonly ShownRow[] }[] =
    found.length > 0 ? [...sections, { name: 'found', rows: found }] : sections;
  const placed: PlacedSection[] = [];
  const rows: PlacedRow[] = [];
  let height = 0;
  for (const { name, rows: own } of all) {
    const first = rows.length;
    const levels = new Map<string, { readonly row: ShownRow; readonly level: number }>();
    let inside = headHeight;
    const push = (row: ShownRow) => {
      const tall = row.sentence === undefined ? rowHeight : foundHeight;
      const key = row.sentence === undefined ? row.id : `found ${row.id}`;
      const parent = name === 'found' ? undefined : (row.askedBy ?? row.try?.task);
      const above = parent === undefined ? undefined : levels.get(parent);
      const level = above ? above.level + 1 : 0;
      const place = { top: inside, height: tall, position: rows.length + 1 };
      rows.push({ key, row, ...place, level, ...(above ? { above: above.row } : {}) });
      const own = row.task ?? row.session;
      if (own !== undefined) levels.set(own, { row, level });
      inside += tall;
    };
    for (const row of own) {
      const task = row.askedBy === undefined && name !== 'found' ? row.try?.task : undefined;
      const head = task === undefined || levels.has(task) ? undefined : taskRow(task, own);
      if (head) push(head);
      push(row);
    }
    placed.push({ name, top: height, height: inside, rows: rows.slice(first) });
    height += inside;
  }
  return { sections: placed, height, rows };
}

/** Returns the sections with only the rows that touch a part of the list, and the active one. Empty sections stay out. */
export function inSight(layout: RowLayout, from: number, to: number, activeKey: string): readonly PlacedSection[] {
  return layout.sections.flatMap((section) => {
    const isNear = section.top < to && section.top + section.height > from;
    const rows = section.rows.filter(({ key, top, height }) => {
      const at = section.top + top;
      return key === activeKey || (at < to && at + height > from);
    });
    return isNear || rows.length > 0 ? [{ ...section, rows }] : [];
  });
}

/** Returns where a row is below the top of the list. */
export function placeOf(
  layout: RowLayout,
  key: string,
): { readonly top: number; readonly height: number; readonly level: number } | undefined {
  for (const section of layout.sections) {
    const row = section.rows.find((one) => one.key === key);
    if (row) return { top: section.top + row.top, height: row.height, level: row.level };
  }
  return undefined;
}
