import type { PageState } from '../../src/shared/pages/messages';

/** From this width in CSS pixels, an editor tab has the list beside the conversation. */
const railFrom = 760;

/** Where the list is: over the whole page, or as a rail beside the conversation in a wide editor tab. */
export class ListPlace {
  private readonly root: HTMLElement;
  /** What the list covers when it isn't a rail. */
  private readonly covered: readonly HTMLElement[];
  private readonly page: () => PageState;
  private isWide = false;

  /** `resized` is called when the size of the page has changed, and whether the list is then elsewhere. */
  constructor(
    root: HTMLElement,
    covered: readonly HTMLElement[],
    page: () => PageState,
    resized: (isElsewhere: boolean) => void,
  ) {
    this.root = root;
    this.covered = covered;
    this.page = page;
    root.hidden = true;
    new ResizeObserver(([entry]) => {
      const before = this.isWide;
      this.isWide = (entry?.contentRect.width ?? 0) >= railFrom;
      resized(this.isWide !== before);
    }).observe(root.parentElement ?? root);
  }

  get isRail(): boolean {
    return this.isWide && this.page().host === 'editor';
  }

  apply(isOpen: boolean): void {
    const { root, isRail } = this;
    root.hidden = !isOpen;
    const inner = root.parentElement;
    if (inner) inner.dataset['sessions'] = isOpen ? (isRail ? 'rail' : 'page') : 'none';
    for (const element of this.covered) element.inert = isOpen && !isRail;
  }
}
