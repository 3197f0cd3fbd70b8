/** What is used of the package, whose own types leave out most of it. */
declare module 'linkedom' {
  export function parseHTML(html: string): {
    readonly document: Document;
    readonly Element: { readonly prototype: Element };
    readonly HTMLCanvasElement: { readonly prototype: HTMLCanvasElement };
    readonly HTMLImageElement: { readonly prototype: HTMLImageElement };
  };
}
