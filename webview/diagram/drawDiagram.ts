import * as l10n from '@vscode/l10n';
import mermaid, { type MermaidConfig } from 'mermaid';
import { colorsOfTheme, labelColorOn } from './diagramColors';
import type { DrawnDiagram } from './drawnDiagram';
import { styleData, withoutInlineStyles } from './inlineStyles';

/** Limits for what an agent may let the page draw, because drawing blocks it. */
const maxLength = 20_000;
const maxLines = 500;
const maxEdges = 300;
const maxSvgLength = 2_000_000;
const maxMs = 10_000;
/** Longest side of a drawing, in px. */
const maxSide = 20_000;

/** Nothing of a diagram, and nothing that an image would run or load. */
const unwantedElements = 'script, iframe, object, embed, image, img, audio, video, link, meta';

/** The diagrams to draw, and the one that was started last, also if it is late. */
let queue: Promise<unknown> = Promise.resolve();
let unfinished: Promise<unknown> = Promise.resolve();
let count = 0;

/** Draws a diagram, one after the other. Never rejects because of its source. */
export async function drawDiagram(source: string): Promise<DrawnDiagram> {
  if (source.length > maxLength || source.split('\n').length > maxLines) return { problem: 'tooLarge' };
  const turn = queue.then(() => drawNow(source));
  queue = turn;
  return turn;
}

async function drawNow(source: string): Promise<DrawnDiagram> {
  await pageVisible();
  if (!(await inTime(unfinished))) return { problem: 'tooLong' };
  const id = `pl-diagram-${++count}`;
  const stage = createStage();
  let image: DrawnDiagram | undefined;
  takeDrawing(stage, (svg) => (image = imageOf(svg)));
  try {
    configure();
    const drawing = withoutInlineStyles(() => mermaid.render(id, source, stage));
    unfinished = drawing.catch(() => undefined);
    return (await inTime(drawing)) && image ? image : { problem: 'tooLong' };
  } catch (error) {
    return problemOf(error);
  } finally {
    stage.remove();
  }
}

/**
 * Takes the drawing when Mermaid would make text of it. Mermaid would parse that text once more, and the page's policy reports each style
 * that is parsed.
 */
function takeDrawing(stage: HTMLElement, take: (svg: SVGSVGElement) => void): void {
  stage.appendChild = <T extends Node>(frame: T): T => {
    const read = () => {
      const svg = frame instanceof Element ? frame.querySelector('svg') : null;
      if (svg) take(svg);
      return '<svg></svg>';
    };
    Object.defineProperty(frame, 'innerHTML', { configurable: true, get: read });
    return Node.prototype.appendChild.call(stage, frame) as T;
  };
}

function configure(): void {
  const { fontFamily, themeVariables, isDark } = colorsOfTheme();
  const config: MermaidConfig = {
    startOnLoad: false,
    suppressErrorRendering: true,
    securityLevel: 'strict',
    htmlLabels: false,
    maxTextSize: maxLength,
    maxEdges,
    logLevel: 'fatal',
    theme: 'base',
    darkMode: isDark,
    fontFamily,
    themeVariables,
  };
  // The source may not change the configuration at all.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else lists all keys
  mermaid.initialize({ ...config, secure: Object.keys(mermaid.mermaidAPI.defaultConfig) });
}

/** The hidden place where Mermaid draws, because it measures texts. */
function createStage(): HTMLElement {
  const stage = document.createElement('div');
  stage.className = 'pl-diagram-stage';
  stage.setAttribute('aria-hidden', 'true');
  stage.inert = true;
  document.body.append(stage);
  return stage;
}

/** Waits until the page is in sight. A hidden one gets no frames, which Mermaid waits for. */
async function pageVisible(): Promise<void> {
  while (document.visibilityState === 'hidden') {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
}

async function inTime(drawing: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), maxMs)));
  try {
    return await Promise.race([drawing.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes a self-contained image of Mermaid's drawing. */
function imageOf(root: SVGSVGElement): DrawnDiagram {
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0) || width > maxSide || height > maxSide) return { problem: 'tooLarge' };
  for (const unwanted of root.querySelectorAll(unwantedElements)) unwanted.remove();
  for (const link of root.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  root.removeAttribute('style');
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  for (const node of root.querySelectorAll('.node')) makeReadable(node);
  const title = root.querySelector(':scope > title')?.textContent.trim() ?? '';
  const kind = root.getAttribute('aria-roledescription') ?? '';
  const markup = new XMLSerializer()
    .serializeToString(root)
    .replaceAll(new RegExp(`<(/?)${styleData}\\b[^>]*>`, 'g'), '<$1style>');
  if (markup.length > maxSvgLength) return { problem: 'tooLarge' };
  return {
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`,
    name: title === '' ? l10n.t('Diagram: {0}', kind) : title,
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}

/** Agents like to fill nodes with light colors, which leave a light label of a dark theme unreadable. */
function makeReadable(node: Element): void {
  const shape = [...node.querySelectorAll<SVGElement>('[style]')].find((one) => one.style.fill !== '');
  const color = shape && !shape.matches('text, tspan') ? labelColorOn(shape.style.fill) : undefined;
  if (color === undefined) return;
  for (const label of node.querySelectorAll<SVGElement>('text, tspan')) {
    if (label.style.fill === '') label.style.setProperty('fill', color, 'important');
  }
}

function problemOf(error: unknown): DrawnDiagram {
  const message = error instanceof Error ? error.message : String(error);
  if (/maximum text size|limit exceeded/i.test(message)) return { problem: 'tooLarge' };
  const line = Number(/\bline:?\s+(\d+)/i.exec(message)?.[1]);
  return line > 0 ? { problem: 'error', line } : { problem: 'error' };
}
