import * as l10n from '@vscode/l10n';

/** A diagram as an image, or why there is none. */
export type DrawnDiagram =
  | {
      /** A `data:` address of an SVG image. */
      readonly src: string;
      /** Its title, or its kind. */
      readonly name: string;
      /** In px. */
      readonly width: number;
      readonly height: number;
    }
  | { readonly problem: 'tooLarge' | 'tooLong' }
  /** `line` starts at 1. */
  | { readonly problem: 'error'; readonly line?: number };

/** Returns why a diagram isn't drawn, as a sentence. */
export function problemSentence(drawn: Exclude<DrawnDiagram, { src: string }>): string {
  switch (drawn.problem) {
    case 'tooLarge':
      return l10n.t('Couldn’t draw this diagram: it’s too large. Copy its source to draw it in another tool.');
    case 'tooLong':
      return l10n.t('Couldn’t draw this diagram: it took too long. Copy its source to draw it in another tool.');
    case 'error':
      return drawn.line === undefined
        ? l10n.t('Couldn’t draw this diagram: its source has an error. Ask the agent to correct it.')
        : l10n.t(
            'Couldn’t draw this diagram: its source has an error in line {0}. Ask the agent to correct it.',
            drawn.line,
          );
  }
}
