import * as l10n from '@vscode/l10n';
import type { typeset as Typeset } from './typeset';

/** Formulas that wait until the typesetter is loaded. */
const waiting = new Set<HTMLElement>();
let typeset: typeof Typeset | undefined;
let loading: Promise<void> | undefined;

/**
 * Creates the element of a formula from its source with delimiters. It shows the source until the typesetter is loaded, and if the formula
 * has an error.
 */
export function createMath(source: string): HTMLElement {
  const element = document.createElement('span');
  const isDisplay = source.startsWith('$$') || source.startsWith('\\[');
  const length = source.startsWith('$') && !isDisplay ? 1 : 2;
  element.className = isDisplay ? 'pl-math display' : 'pl-math';
  element.dataset['tex'] = source.slice(length, -length).trim();
  element.textContent = source;
  draw(element);
  return element;
}

/** Creates the element of a formula that is set apart, from its source without delimiters. */
export function createDisplayMath(tex: string): HTMLElement {
  return createMath(`$$${tex}$$`);
}

function draw(element: HTMLElement): void {
  if (!typeset) {
    waiting.add(element);
    loading ??= load();
    return;
  }
  const { tex = '' } = element.dataset;
  const drawn = typeset(tex, element.classList.contains('display'));
  if (drawn) {
    element.replaceChildren(drawn);
  } else {
    element.classList.add('bad');
    element.title = l10n.t('This formula can’t be shown. This is its source.');
  }
}

async function load(): Promise<void> {
  try {
    ({ typeset } = await import('./typeset'));
  } catch (error) {
    // The source stays. The next formula tries again.
    loading = undefined;
    waiting.clear();
    reportError(error);
    return;
  }
  for (const element of waiting) draw(element);
  waiting.clear();
}
