export type Point = readonly [x: number, y: number];

/** How many pieces stand for a curve. */
const pieces = 12;
const token = /[a-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/giu;
const counts: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

/** Returns the lines that an SVG path consists of, each as its points. Curves become short straight pieces. */
export function pathPoints(path: string): Point[][] {
  const lines: Point[][] = [];
  let line: Point[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  /** The last control point, which `S` and `T` mirror, and the kind of its curve. */
  let control: { readonly kind: string; readonly at: Point } | undefined;
  const to = (point: Point) => {
    line.push(point);
    [x, y] = point;
  };
  const mirrored = (kind: string): Point =>
    control?.kind === kind ? [2 * x - control.at[0], 2 * y - control.at[1]] : [x, y];
  const curve = (kind: string, controls: readonly Point[], end: Point) => {
    const points: Point[] = [[x, y], ...controls, end];
    for (let step = 1; step <= pieces; step++) line.push(onCurve(points, step / pieces));
    [x, y] = end;
    const last = controls.at(-1);
    control = last && { kind, at: last };
  };
  for (const [letter, values] of commands(path)) {
    const kind = letter.toLowerCase();
    const [fromX, fromY] = letter === kind ? [x, y] : [0, 0];
    const at = (index: number): Point => [fromX + (values[index] ?? 0), fromY + (values[index + 1] ?? 0)];
    const before = control;
    switch (kind) {
      case 'm':
        line = [];
        lines.push(line);
        to(at(0));
        [startX, startY] = [x, y];
        break;
      case 'l':
        to(at(0));
        break;
      case 'h':
        to([fromX + (values[0] ?? 0), y]);
        break;
      case 'v':
        to([x, fromY + (values[0] ?? 0)]);
        break;
      case 'c':
        curve('c', [at(0), at(2)], at(4));
        break;
      case 's':
        curve('c', [mirrored('c'), at(0)], at(2));
        break;
      case 'q':
        curve('q', [at(0)], at(2));
        break;
      case 't':
        curve('q', [mirrored('q')], at(0));
        break;
      case 'a':
        for (const point of arc([x, y], values, at(5))) to(point);
        break;
      default:
        to([startX, startY]);
    }
    if (control === before) control = undefined;
  }
  return lines;
}

/** The commands of a path with their numbers. A letter may stand for several commands. */
function* commands(path: string): Generator<readonly [letter: string, values: readonly number[]]> {
  const tokens = path.match(token) ?? [];
  let letter = '';
  let index = 0;
  while (index < tokens.length) {
    const next = tokens[index] ?? '';
    if (/^[a-z]$/i.test(next)) {
      letter = next;
      index++;
    }
    const count = counts[letter.toLowerCase()];
    if (count === undefined || (count === 0 && !/^[a-z]$/i.test(next))) return;
    const values = tokens.slice(index, index + count).map(Number);
    if (values.length < count || values.some(Number.isNaN)) return;
    yield [letter, values];
    index += count;
    if (letter === 'm') letter = 'l';
    if (letter === 'M') letter = 'L';
  }
}

/** A point of a Bézier curve, by de Casteljau. */
function onCurve(points: readonly Point[], share: number): Point {
  let rest = points;
  while (rest.length > 1) {
    rest = rest.slice(1).map((next, index): Point => mix(rest[index] ?? next, next, share));
  }
  return rest[0] ?? [0, 0];
}

function mix(from: Point, to: Point, share: number): Point {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

/** The points of an elliptical arc, as the appendix of SVG's specification computes them. */
function arc(from: Point, values: readonly number[], end: Point): Point[] {
  const [radiusX = 0, radiusY = 0, degrees = 0, isLarge = 0, isSweep = 0] = values;
  let rx = Math.abs(radiusX);
  let ry = Math.abs(radiusY);
  if (rx === 0 || ry === 0 || (from[0] === end[0] && from[1] === end[1])) return [end];
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [dx, dy] = [(from[0] - end[0]) / 2, (from[1] - end[1]) / 2];
  const [px, py] = [cos * dx + sin * dy, -sin * dx + cos * dy];
  const grow = Math.sqrt((px / rx) ** 2 + (py / ry) ** 2);
  if (grow > 1) {
    rx *= grow;
    ry *= grow;
  }
  const over = Math.max(0, (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2);
  const factor = (isLarge === isSweep ? -1 : 1) * Math.sqrt(over / ((rx * py) ** 2 + (ry * px) ** 2));
  const [cx, cy] = [(factor * rx * py) / ry, (-factor * ry * px) / rx];
  const first = Math.atan2((py - cy) / ry, (px - cx) / rx);
  let turn = Math.atan2((-py - cy) / ry, (-px - cx) / rx) - first;
  if (isSweep === 0 && turn > 0) turn -= 2 * Math.PI;
  if (isSweep !== 0 && turn < 0) turn += 2 * Math.PI;
  const [middleX, middleY] = [(from[0] + end[0]) / 2, (from[1] + end[1]) / 2];
  const points = Array.from({ length: pieces * 2 - 1 }, (_, index): Point => {
    const at = first + (turn * (index + 1)) / (pieces * 2);
    const [ux, uy] = [cx + rx * Math.cos(at), cy + ry * Math.sin(at)];
    return [cos * ux - sin * uy + middleX, sin * ux + cos * uy + middleY];
  });
  return [...points, end];
}

/** The length of a path. */
export function pathLength(path: string): number {
  let length = 0;
  for (const line of pathPoints(path)) {
    line.forEach((point, index) => {
      const before = line[index - 1];
      if (before) length += Math.hypot(point[0] - before[0], point[1] - before[1]);
    });
  }
  return length;
}
