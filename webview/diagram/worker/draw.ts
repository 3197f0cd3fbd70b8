import mermaid, { type MermaidConfig } from 'mermaid';
import { labelColorOn } from './colors';
import type { DiagramColors, Drawing } from './drawing';
import type { DrawingDom } from './installDom';
import { maxElements, maxLength, maxEdges, maxSide, maxSvgLength } from './limits';

/** Nothing of a diagram, and nothing that an image would run or load. */
const unwantedElements =
  'script, iframe, object, embed, image, img, audio, video, link, meta, foreignobject, foreignObject';

let count = 0;

/** Draws a diagram. Never rejects because of its source. */
export async function draw(dom: DrawingDom, source: string, colors: DiagramColors): Promise<Drawing> {
  const stage = dom.stage();
  let drawing: Drawing | undefined;
  takeDrawing(stage, (svg) => (drawing = drawingOf(svg)));
  try {
    configure(colors);
    await mermaid.render(`pl-diagram-${++count}`, source, stage);
    return drawing ?? { problem: 'error' };
  } catch (error) {
    return problemOf(error);
  }
}

/** Takes the drawing when Mermaid would make text of it. */
function takeDrawing(stage: HTMLElement, take: (svg: Element) => void): void {
  const append = stage.appendChild.bind(stage);
  stage.appendChild = <T extends Node>(frame: T): T => {
    const read = () => {
      const svg = (frame as unknown as Element).querySelector('svg');
      if (svg) take(svg);
      return '<svg></svg>';
    };
    Object.defineProperty(frame, 'innerHTML', { configurable: true, get: read });
    return append(frame);
  };
}

function configure({ fontFamily, themeVariables, isDark }: DiagramColors): void {
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
    themeVariables: { ...themeVariables },
  };
  // The source may not change the configuration at all.
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else lists all keys
  mermaid.initialize({ ...config, secure: Object.keys(mermaid.mermaidAPI.defaultConfig) });
}

/** Makes a self-contained image of Mermaid's drawing. */
function drawingOf(root: Element): Drawing {
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0) || width > maxSide || height > maxSide) return { problem: 'tooLarge' };
  if (root.querySelectorAll('*').length > maxElements) return { problem: 'tooLarge' };
  for (const unwanted of root.querySelectorAll(unwantedElements)) unwanted.remove();
  for (const link of root.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  root.removeAttribute('style');
  root.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  root.setAttribute('xmlns:xlink', 'http://www.w3.org/1999/xlink');
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  for (const node of root.querySelectorAll('.node')) makeReadable(node);
  const title = [...root.children].find(({ localName }) => localName === 'title')?.textContent.trim() ?? '';
  const markup = serialize(root);
  if (markup.length > maxSvgLength) return { problem: 'tooLarge' };
  return {
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`,
    title,
    kind: root.getAttribute('aria-roledescription') ?? '',
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}

/** Agents like to fill nodes with light colors, which leave a light label of a dark theme unreadable. */
function makeReadable(node: Element): void {
  const shape = [...node.querySelectorAll('[style]')].find((one) => fillOf(one) !== undefined);
  const color = shape && !/^(?:text|tspan)$/.test(shape.localName) ? labelColorOn(fillOf(shape) ?? '') : undefined;
  if (color === undefined) return;
  for (const label of node.querySelectorAll('text, tspan')) {
    if (fillOf(label) === undefined) {
      label.setAttribute('style', `${label.getAttribute('style') ?? ''};fill:${color} !important`);
    }
  }
}

function fillOf(element: Element): string | undefined {
  const style = element.getAttribute('style') ?? '';
  return /(?:^|;)\s*fill:([^;]+)/u.exec(style)?.[1]?.replace('!important', '').trim();
}

function problemOf(error: unknown): Drawing {
  const message = error instanceof Error ? error.message : String(error);
  if (/maximum text size|limit exceeded|too many edges/i.test(message)) return { problem: 'tooLarge' };
  const line = Number(/\bline:?\s+(\d+)/i.exec(message)?.[1]);
  return line > 0 ? { problem: 'error', line } : { problem: 'error' };
}

/** Returns an element of a drawing as XML. */
export function serialize(element: Element): string {
  const name = element.localName;
  const attributes = [...element.attributes].flatMap(({ name: attribute, value }) =>
    /^[a-z_][\w.-]*(?::[a-z_][\w.-]*)?$/iu.test(attribute) ? [` ${attribute}="${escapeXml(value)}"`] : [],
  );
  const content = [...element.childNodes].map((child) => {
    if (child.nodeType === 1) return serialize(child as Element);
    return child.nodeType === 3 ? escapeXml(child.nodeValue ?? '') : '';
  });
  return `<${name}${attributes.join('')}>${content.join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/gu, (character) => `&#${character.charCodeAt(0)};`);
}
