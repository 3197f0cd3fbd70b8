import { readFile } from 'node:fs/promises';

/** One row of the table in docs/protocol.md. */
export interface TableRow {
  readonly kind: string;
  /** The names in it, without their quotes. */
  readonly names: readonly string[];
  readonly direction: string;
  readonly isServed: boolean;
  /** Paths of files. */
  readonly where: readonly string[];
  /** Ids of rows, and paths of files. */
  readonly tests: readonly string[];
  readonly remark: string;
  /** The line, for messages. */
  readonly line: string;
}

const columns = ['kind', 'what', 'direction', 'since', 'where', 'test', 'remark'];

/** Reads the table of docs/protocol.md; throws when it does not look as it should. */
export async function readTable(): Promise<readonly TableRow[]> {
  const text = await readFile('docs/protocol.md', 'utf8');
  const tables = text.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  const [lines = [], ...more] = tables.filter(({ length }) => length > 0);
  const [head = [], , ...rows] = lines.map(cells);
  if (more.length > 0 || head.join() !== columns.join()) throw new Error('docs/protocol.md is to have this one table.');
  return rows.map((row) => {
    const [kind = '', what = '', direction = '', since = '', where = '', test = '', remark = ''] = row;
    const line = `${kind} ${what} ${direction}`;
    if (since !== 'not yet' && !/^\d+\.\d+$/.test(since)) throw new Error(`${line}: since when?`);
    return {
      kind,
      direction,
      remark,
      line,
      isServed: since !== 'not yet',
      names: quoted(what),
      where: quoted(where),
      tests: [...(test.match(/\b[A-Z]\d\d\b/g) ?? []), ...quoted(test)],
    };
  });
}

function cells(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function quoted(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
}
