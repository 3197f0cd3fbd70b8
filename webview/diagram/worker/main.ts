import type { DrawOrder, Drawing } from './drawing';
import { rgb } from './colors';
import { installDom } from './installDom';
import type { MeasureText } from './textBox';

/** What a worker has of its own. The types of pages don't know it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<DrawOrder>) => void) | null;
  postMessage(drawing: Drawing): void;
}

const context = new OffscreenCanvas(1, 1).getContext('2d');
const sizes = new Map<string, ReturnType<MeasureText>>();
const maxSizes = 20_000;

/** Measures a text with the fonts that the image has. */
const measure: MeasureText = (text, font) => {
  const key = `${font}\n${text}`;
  const known = sizes.get(key);
  if (known) return known;
  let size = { width: 0, above: 0, below: 0 };
  if (context) {
    context.font = font;
    const { width, fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = context.measureText(text);
    size = { width, above, below };
  }
  if (sizes.size > maxSizes) sizes.clear();
  sizes.set(key, size);
  return size;
};

const dom = installDom(measure, (value) => rgb(value) !== undefined);
const worker = globalThis as unknown as WorkerScope;
// Mermaid looks for the document when it is loaded.
const loaded = import('./draw');
worker.onmessage = ({ data: { source, colors } }) => {
  void loaded.then(({ draw }) => draw(dom, source, colors)).then((drawing) => worker.postMessage(drawing));
};
