import type { SessionKey } from '../../src/shared/values/ids';
import { sessionAbove, type RowSection, type SectionName, type SessionRow } from '../../src/shared/pages/sessionRows';

/** Heights in CSS pixels. The style sheet has the same. */
export const headHeight = 28;
export const rowHeight = 42;
export const foundHeight = 60;

/** A row, or the same row as a search result with a sentence. */
export interface ShownRow extends SessionRow {
  readonly sentence?: string;
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
  /** The row of the session whose agent started this one, or of the first try of the same task, if it is above. */
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
    const levels = new Map<SessionKey, { readonly row: ShownRow; readonly level: number }>();
    let inside = headHeight;
    for (const row of own) {
      const tall = row.sentence === undefined ? rowHeight : foundHeight;
      const key = row.sentence === undefined ? row.id : `found ${row.id}`;
      const parent = name === 'found' ? undefined : sessionAbove(row);
      const above = parent === undefined ? undefined : levels.get(parent);
      const level = above ? above.level + 1 : 0;
      const place = { top: inside, height: tall, position: rows.length + 1 };
      rows.push({ key, row, ...place, level, ...(above ? { above: above.row } : {}) });
      if (row.session !== undefined) levels.set(row.session, { row, level });
      inside += tall;
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
