import * as l10n from '@vscode/l10n';
import { iconButton } from '../code/codeBar';
import { codeText } from '../code/codeBlock';
import { createDisplayMath } from '../math/math';
import type { drawDiagram as DrawDiagram } from './drawDiagram';
import { problemSentence, type DrawnDiagram } from './drawnDiagram';

/** Maximum number of drawn diagrams to keep, so that one that comes back into view is there at once. */
const kept = 40;

/** Drawn diagrams by their source, for the current theme. */
const drawn = new Map<string, DrawnDiagram>();
/** The blocks with a figure that the user switched to its source. */
const asSource = new WeakSet<Element>();
let theme: MutationObserver | undefined;
let loading: Promise<typeof DrawDiagram> | undefined;

/**
 * Shows a complete code block as what it means if it is a diagram or a formula. Its source stays in the block: it can be switched to, and
 * copied.
 */
export function drawFigure(block: HTMLElement): void {
  const { info } = block.dataset;
  if (block.querySelector('.pl-figure') || (info !== 'mermaid' && info !== 'math')) return;
  const source = codeText(block);
  if (source.trim() === '') return;
  if (info === 'math') {
    show(block, createDisplayMath(source), l10n.t('formula'));
    return;
  }
  followTheme();
  void drawInto(block, source);
}

async function drawInto(block: HTMLElement, source: string): Promise<void> {
  const known = drawn.get(source);
  const result = known ?? (await draw(source));
  // The block may have got its figure, or left the page, in the meantime.
  if (result === undefined || codeText(block) !== source) return;
  if ('src' in result) {
    show(block, imageOf(result), l10n.t('diagram'));
  } else {
    block.querySelector('.pl-figure')?.remove();
    block.classList.remove('drawn');
    const problem = document.createElement('p');
    problem.className = 'pl-figure problem xs dim';
    problem.textContent = problemSentence(result);
    block.append(problem);
  }
}

async function draw(source: string): Promise<DrawnDiagram | undefined> {
  loading ??= import('./drawDiagram').then(({ drawDiagram }) => drawDiagram);
  try {
    const result = await (await loading)(source);
    drawn.delete(source);
    drawn.set(source, result);
    for (const oldest of drawn.keys()) if (drawn.size > kept) drawn.delete(oldest);
    return result;
  } catch (error) {
    // The module couldn’t be loaded. The source stays, and the next diagram tries again.
    loading = undefined;
    reportError(error);
    return undefined;
  }
}

/** Puts a figure into its block, with a button that switches between it and the source. */
function show(block: HTMLElement, content: HTMLElement, kind: string): void {
  const frame = document.createElement('div');
  frame.className = 'pl-figure';
  frame.append(content);
  const old = block.querySelector('.pl-figure');
  if (old) old.replaceWith(frame);
  else block.append(frame);
  const bar = block.querySelector('.bar');
  if (bar && !bar.querySelector('.pl-switch')) bar.querySelector('.grow')?.after(switchButton(block, kind));
  block.classList.toggle('drawn', !asSource.has(block));
}

function switchButton(block: HTMLElement, kind: string): HTMLButtonElement {
  const name = l10n.t('Show source of {0}', kind);
  const button = iconButton('file-code', name, 'switchFigure');
  button.classList.add('pl-switch');
  const update = () => button.setAttribute('aria-pressed', String(asSource.has(block)));
  button.addEventListener('click', () => {
    if (asSource.has(block)) asSource.delete(block);
    else asSource.add(block);
    block.classList.toggle('drawn', !asSource.has(block));
    update();
  });
  update();
  return button;
}

/** A drawn diagram as an image: a document of its own that runs and loads nothing. A click enlarges it. */
function imageOf({ src, name, width, height }: Extract<DrawnDiagram, { src: string }>): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'pl-zoom';
  button.title = l10n.t('Enlarge');
  button.dataset['drawing'] = '';
  button.setAttribute('aria-haspopup', 'dialog');
  const image = document.createElement('img');
  image.alt = name;
  image.width = width;
  image.height = height;
  image.src = src;
  button.append(image);
  return button;
}

/** Draws the diagrams again when the theme changes, because an image can't follow it. */
function followTheme(): void {
  if (theme) return;
  theme = new MutationObserver(() => {
    drawn.clear();
    for (const figure of document.querySelectorAll('.pl-code[data-info="mermaid"]:has(> .pl-figure)')) {
      if (figure instanceof HTMLElement) void drawInto(figure, codeText(figure));
    }
  });
  // VS Code sets the theme's colors on the root, and its kind on the body.
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  theme.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
}
