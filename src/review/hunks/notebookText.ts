import { isRecord } from '../../shared/values/isRecord';
/** A cell of a notebook file: its lines in the text and its content. Lines count from 0, and `end` is exclusive. */
export interface TextCell {
  readonly start: number;
  readonly end: number;
  /** The id of the cell, if the file has one. */
  readonly id: string | undefined;
  readonly kind: string;
  readonly source: string;
  /** The whole cell as compact JSON, and the cell without its source. */
  readonly json: string;
  readonly rest: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly hasOutputs: boolean;
}

/** The cells of a notebook, and the rest of the file as compact JSON. */
export interface TextNotebook {
  readonly cells: readonly TextCell[];
  readonly surroundings: string;
}

interface CellJson {
  readonly cell_type?: unknown;
  readonly id?: unknown;
  readonly source?: unknown;
  readonly metadata?: unknown;
  readonly outputs?: unknown;
}

/**
 * Reads a Jupyter notebook (https://nbformat.readthedocs.io/en/latest/format_description.html). Returns undefined if the text isn't one.
 */
export function readNotebook(text: string): TextNotebook | undefined {
  let file: { cells?: unknown } | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return undefined; // The agent may have written only half of the file.
  }
  const list = file?.cells;
  if (!file || !Array.isArray(list)) return undefined;
  const places = elementsOf(text, 'cells');
  // If a key occurs twice, JSON uses the last value, but the places are those of the first.
  if (places.length !== list.length) return undefined;
  let [line, at] = [0, 0];
  const lineOf = (offset: number) => {
    for (; at < offset; at++) if (text.charCodeAt(at) === newLine) line++;
    return line;
  };
  const cells = list.map((value: unknown, index) => {
    const [from, to] = places[index] ?? [0, 0];
    const start = lineOf(from);
    return { start, end: lineOf(to) + 1, ...cellOf(value) };
  });
  return { cells, surroundings: JSON.stringify({ ...file, cells: [] }) };
}

const newLine = 10;

function cellOf(value: unknown): Omit<TextCell, 'start' | 'end'> {
  const cell = isRecord(value) ? (value as CellJson) : {};
  const { source, ...rest } = cell;
  const lines = Array.isArray(source) ? source : [source];
  return {
    id: typeof cell.id === 'string' ? cell.id : undefined,
    kind: typeof cell.cell_type === 'string' ? cell.cell_type : 'raw',
    source: lines.filter((one) => typeof one === 'string').join(''),
    json: JSON.stringify(value),
    rest: JSON.stringify(rest),
    metadata: isRecord(cell.metadata) ? cell.metadata : {},
    hasOutputs: Array.isArray(cell.outputs) && cell.outputs.length > 0,
  };
}

/** Returns the places of the elements in a list of the outermost object, in a text that must be valid JSON. */
function elementsOf(text: string, key: string): [from: number, to: number][] {
  let at = space(text, 0) + 1;
  for (at = space(text, at); text[at] === '"'; at = space(text, at)) {
    const afterKey = skipString(text, at);
    const name = JSON.parse(text.slice(at, afterKey)) as string;
    at = space(text, space(text, afterKey) + 1);
    if (name === key && text[at] === '[') return elementsFrom(text, at + 1);
    at = space(text, skipValue(text, at));
    if (text[at] === ',') at++;
  }
  return [];
}

function elementsFrom(text: string, start: number): [number, number][] {
  const found: [number, number][] = [];
  for (let at = space(text, start); at < text.length && text[at] !== ']'; at = space(text, at)) {
    const end = skipValue(text, at);
    found.push([at, end]);
    at = space(text, end);
    if (text[at] === ',') at++;
  }
  return found;
}

function space(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Returns the offset after a string's closing quote. `from` is its opening quote. */
function skipString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      at = skipString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (sign === ',' || text.charCodeAt(at) <= 32)) return at;
  }
  return text.length;
}
