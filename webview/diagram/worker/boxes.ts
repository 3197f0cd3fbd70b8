import { pathPoints, type Point } from './pathPoints';

/** A rectangle. Undefined stands for nothing that is drawn. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
/** `a b c d e f` of an affine transformation. */
export type Matrix = readonly [number, number, number, number, number, number];

const same: Matrix = [1, 0, 0, 1, 0, 0];
/** Elements that aren't drawn where they are. */
const undrawn = new Set([
  ...['defs', 'marker', 'clippath', 'mask', 'pattern', 'symbol', 'filter', 'lineargradient', 'radialgradient'],
  ...['title', 'desc', 'style', 'metadata', 'script'],
]);

/** Returns the box of an element in its own coordinates, as `getBBox` defines it. `ofText` measures a text. */
export function boxOf(element: Element, ofText: (text: Element) => Box | undefined): Box | undefined {
  const name = element.localName.toLowerCase();
  const number = (attribute: string) => Number.parseFloat(element.getAttribute(attribute) ?? '') || 0;
  switch (name) {
    case 'text':
    case 'tspan':
      return ofText(element);
    case 'rect':
    case 'image':
    case 'foreignobject':
    case 'use':
      return rectangle(number('x'), number('y'), number('width'), number('height'));
    case 'circle':
      return around(number('cx'), number('cy'), number('r'), number('r'));
    case 'ellipse':
      return around(number('cx'), number('cy'), number('rx'), number('ry'));
    case 'line':
      return boxOfPoints([
        [number('x1'), number('y1')],
        [number('x2'), number('y2')],
      ]);
    case 'polygon':
    case 'polyline':
      return boxOfPoints(pairs(element.getAttribute('points') ?? ''));
    case 'path':
      return boxOfPoints(pathPoints(element.getAttribute('d') ?? '').flat());
    default: {
      let box: Box | undefined;
      for (const child of element.children) {
        if (undrawn.has(child.localName.toLowerCase()) || isHidden(child)) continue;
        const own = boxOf(child, ofText);
        box = union(box, own && transformed(own, matrixOf(child)));
      }
      return box;
    }
  }
}

function isHidden(element: Element): boolean {
  return (
    element.getAttribute('display') === 'none' || /(?:^|;)\s*display:\s*none/.test(element.getAttribute('style') ?? '')
  );
}

function rectangle(x: number, y: number, width: number, height: number): Box {
  return { left: x, top: y, right: x + Math.max(0, width), bottom: y + Math.max(0, height) };
}

function around(x: number, y: number, radiusX: number, radiusY: number): Box {
  return { left: x - radiusX, top: y - radiusY, right: x + radiusX, bottom: y + radiusY };
}

function pairs(points: string): Point[] {
  const numbers = (points.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/giu) ?? []).map(Number);
  return numbers.flatMap((x, index): Point[] => (index % 2 === 0 ? [[x, numbers[index + 1] ?? 0]] : []));
}

function boxOfPoints(points: readonly Point[]): Box | undefined {
  const [first] = points;
  if (!first) return undefined;
  let [left, top] = first;
  let [right, bottom] = first;
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}

export function union(one: Box | undefined, other: Box | undefined): Box | undefined {
  if (!one || !other) return one ?? other;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

export function transformed(box: Box, [a, b, c, d, e, f]: Matrix): Box {
  const corners: Point[] = [
    [box.left, box.top],
    [box.right, box.top],
    [box.left, box.bottom],
    [box.right, box.bottom],
  ];
  return boxOfPoints(corners.map(([x, y]): Point => [a * x + c * y + e, b * x + d * y + f])) ?? box;
}

/** Returns the transformation of an element's attribute. */
export function matrixOf(element: Element): Matrix {
  const attribute = element.getAttribute('transform') ?? '';
  let matrix = same;
  for (const [, name = '', list = ''] of attribute.matchAll(/(\w+)\s*\(([^)]*)\)/gu)) {
    matrix = times(matrix, step(name, (list.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/giu) ?? []).map(Number)));
  }
  return matrix;
}

function step(name: string, values: readonly number[]): Matrix {
  const [first = 0, second, third] = values;
  const radians = (first * Math.PI) / 180;
  switch (name) {
    case 'translate':
      return [1, 0, 0, 1, first, second ?? 0];
    case 'scale':
      return [first, 0, 0, second ?? first, 0, 0];
    case 'rotate': {
      const turn: Matrix = [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians), 0, 0];
      if (second === undefined || third === undefined) return turn;
      return times(times([1, 0, 0, 1, second, third], turn), [1, 0, 0, 1, -second, -third]);
    }
    case 'skewX':
      return [1, 0, Math.tan(radians), 1, 0, 0];
    case 'skewY':
      return [1, Math.tan(radians), 0, 1, 0, 0];
    case 'matrix': {
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = values;
      return [a, b, c, d, e, f];
    }
    default:
      return same;
  }
}

export function times(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one;
  const [g, h, i, j, k, l] = other;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
