import * as l10n from '@vscode/l10n';
import { colorsOfTheme } from './diagramColors';
import type { DrawOrder, Drawing } from './worker/drawing';
import type { DrawnDiagram } from './drawnDiagram';
import { DrawingWorker } from './drawingWorker';
import { isTooLarge } from './worker/limits';
import code from './worker/main?worker';

const worker = new DrawingWorker(() => {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const started = new Worker(url);
  // It has fetched its code once it answers, or is ended.
  return {
    ask: (order: DrawOrder) =>
      new Promise<Drawing>((resolve, reject) => {
        started.onmessage = ({ data }: MessageEvent<Drawing>) => resolve(data);
        started.onerror = ({ message }) => reject(new Error(message));
        started.postMessage(order);
      }),
    end: () => {
      started.terminate();
      URL.revokeObjectURL(url);
    },
  };
});

/** Draws a diagram in a worker, one after the other. The page is never held up, because a worker can be ended. */
export async function drawDiagram(source: string): Promise<DrawnDiagram> {
  if (isTooLarge(source)) return { problem: 'tooLarge' };
  const drawing = await worker.draw({ source, colors: colorsOfTheme() });
  if ('problem' in drawing) return drawing;
  const { src, width, height, title, kind } = drawing;
  return { src, width, height, name: title === '' ? l10n.t('Diagram: {0}', kind) : title };
}
