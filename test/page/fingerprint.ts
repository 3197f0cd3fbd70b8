import type { Box, Picture } from './png';

/** How a part of a page looks from afar: the mean colour of each cell of a grid. Sizes are in CSS pixels. */
export interface Fingerprint {
  readonly width: number;
  readonly height: number;
  /** Width and height of a cell. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** Brightness, red beyond it and blue beyond it of every cell, 64 steps each. */
  readonly planes: readonly [Uint8Array, Uint8Array, Uint8Array];
}

/** What tells two fingerprints apart. */
export interface Difference {
  /** In words, when one is larger than the other. */
  readonly size: string | undefined;
  /** How many cells differ, of how many. */
  readonly differing: number;
  readonly cells: number;
  /** What surrounds the cells that differ. */
  readonly around: Box | undefined;
}

type Rgb = readonly [red: number, green: number, blue: number];

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';
/** So that a written fingerprint stays below 2 KB. */
const mostCells = 600;
const cellSizes = [10, 12, 14, 16, 20, 24, 28, 32, 40, 48];

/*
 * Measured: with another build of Chromium, hinting of glyphs off and full, smoothing by colour, and two device pixels per CSS pixel, at most
 * two cells of a picture were more than this apart. Four or more are when a button or a line of text is missing. What no fingerprint can
 * tell is a thin line, one dim icon, or one dim word.
 */
/** Steps by which a cell may be brighter, redder or bluer. */
const leeway = 5;
/** How many cells may differ by more. */
export const allowedCells = 2;

/** The fingerprint of a part of a picture; `scale` is the picture's device pixels per CSS pixel, `box` in CSS pixels. */
export function fingerprintOf(picture: Picture, box: Box, scale: number, cell = cellFor(box)): Fingerprint {
  const columns = Math.ceil(box.width / cell);
  const rows = Math.max(1, Math.floor(box.height / cell));
  const planes = [0, 1, 2].map(() => new Uint8Array(columns * rows)) as [Uint8Array, Uint8Array, Uint8Array];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const left = box.x + column * cell;
      const top = box.y + row * cell;
      const [red, green, blue] = meanOf(
        picture,
        [left, Math.min(left + cell, box.x + box.width)].map((x) => Math.round(x * scale)) as [number, number],
        [top, Math.min(top + cell, box.y + box.height)].map((y) => Math.round(y * scale)) as [number, number],
      );
      const light = 0.299 * red + 0.587 * green + 0.114 * blue;
      const at = row * columns + column;
      planes[0][at] = step(light / 4);
      planes[1][at] = step(32 + (red - light) / 4);
      planes[2][at] = step(32 + (blue - light) / 4);
    }
  }
  return { width: Math.round(box.width), height: Math.round(box.height), cell, columns, rows, planes };
}

function cellFor({ width, height }: Box): number {
  const fits = (cell: number) => Math.ceil(width / cell) * Math.floor(height / cell) <= mostCells;
  return cellSizes.find(fits) ?? Math.ceil(Math.sqrt((width * height) / mostCells));
}

function step(value: number): number {
  return Math.max(0, Math.min(63, Math.round(value)));
}

function meanOf(picture: Picture, [left, right]: [number, number], [top, bottom]: [number, number]): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let y = Math.max(0, top); y < Math.min(bottom, picture.height); y++) {
    for (let x = Math.max(0, left); x < Math.min(right, picture.width); x++) {
      const at = (y * picture.width + x) * 3;
      for (const channel of [0, 1, 2] as const) sums[channel] += picture.pixels[at + channel] ?? 0;
      count++;
    }
  }
  const [red, green, blue] = sums;
  const all = Math.max(1, count);
  return [red / all, green / all, blue / all];
}

/** What differs, cell by cell, as far as the two overlap. */
export function compareFingerprints(actual: Fingerprint, expected: Fingerprint): Difference {
  const most = Math.max(8, expected.height * 0.04);
  const isOtherSize = actual.width !== expected.width || Math.abs(actual.height - expected.height) > most;
  const sizes = [actual, expected].map(({ width, height }) => `${width} × ${height}`);
  const size = isOtherSize ? `it is ${sizes.join(' px, not ')} px` : undefined;
  const columns = Math.min(actual.columns, expected.columns);
  const rows = Math.min(actual.rows, expected.rows);
  const odd: [column: number, row: number][] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = (plane: Uint8Array, { columns: stride }: Fingerprint) => plane[row * stride + column] ?? 0;
      const steps = expected.planes.map((plane, index) =>
        Math.abs(at(plane, expected) - at(actual.planes[index] ?? plane, actual)),
      );
      if (Math.max(...steps) > leeway) odd.push([column, row]);
    }
  }
  return { size, differing: odd.length, cells: columns * rows, around: around(odd, expected.cell) };
}

function around(cells: readonly (readonly [number, number])[], cell: number): Box | undefined {
  if (cells.length === 0) return undefined;
  const xs = cells.map(([column]) => column);
  const ys = cells.map(([, row]) => row);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const size = (most: number, least: number) => (most - least + 1) * cell;
  return { x: x * cell, y: y * cell, width: size(Math.max(...xs), x), height: size(Math.max(...ys), y) };
}

/** A fingerprint as lines of text: the picture's brightness can be seen in the first block of each. */
export function writeFingerprint(fingerprint: Fingerprint): string {
  const { width, height, cell, columns, rows, planes } = fingerprint;
  const line = (row: number) =>
    planes
      .map((plane) => [...plane.subarray(row * columns, (row + 1) * columns)].map((value) => digits[value]).join(''))
      .join(' ');
  return [`${width} ${height} ${cell}`, ...Array.from({ length: rows }, (_, row) => line(row)), ''].join('\n');
}

/** The reverse of `writeFingerprint`. */
export function readFingerprint(text: string): Fingerprint {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const [width = 0, height = 0, cell = 0] = head.split(' ').map(Number);
  const planes = [0, 1, 2].map((at) =>
    Uint8Array.from(
      lines.flatMap((line) => (line.split(' ')[at] ?? '').split('')).map((digit) => digits.indexOf(digit)),
    ),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  return { width, height, cell, columns: Math.ceil(width / cell), rows: lines.length, planes };
}
