/** What Mermaid needs of the theme. */
export interface DiagramColors {
  readonly isDark: boolean;
  readonly fontFamily: string;
  readonly themeVariables: Readonly<Record<string, unknown>>;
}

/** What the worker is asked to draw. */
export interface DrawOrder {
  readonly source: string;
  readonly colors: DiagramColors;
}

/** What it answers. */
export type Drawing =
  | {
      /** A `data:` address of an SVG image. */
      readonly src: string;
      readonly title: string;
      readonly kind: string;
      /** In px. */
      readonly width: number;
      readonly height: number;
    }
  | { readonly problem: 'tooLarge' | 'tooLong' }
  /** `line` starts at 1. */
  | { readonly problem: 'error'; readonly line?: number };
