/** The width that a mark and an agent's letters need, in px. */
const minShown = 48;

/**
 * Hides tabs of which only a stripe would be in sight, at the edge of their row or beside the selected tab, which stays above the others: half
 * a mark says nothing. They keep their place, and show themselves with the focus.
 */
export class CoveredTabs {
  private readonly root: HTMLElement;
  private frame: number | undefined;
  private shown = '';

  /** `root` contains the tabs. */
  constructor(root: HTMLElement) {
    this.root = root;
    // A scroll event of the row doesn't bubble.
    root.addEventListener('scroll', () => this.lookSoon(), { capture: true, passive: true });
    new ResizeObserver(() => this.lookSoon()).observe(root);
  }

  /** Must be called after the tabs were rendered. `tabs` says which ones, and which of them is selected. */
  rendered(tabs: string): void {
    if (tabs === this.shown) return;
    this.shown = tabs;
    this.lookSoon();
  }

  private lookSoon(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.look();
    });
  }

  private look(): void {
    const strip = this.root.querySelector('.pl-tabs > .strip');
    if (!strip) return;
    // Without the list of all sessions, a stripe is the only way to its tab for the mouse.
    const isListed = this.root.querySelector('.pl-tabs > .all') !== null;
    const edges = strip.getBoundingClientRect();
    const tabs = [...strip.querySelectorAll('.pl-tab')];
    const above = tabs.find((tab) => tab.getAttribute('data-selected') === 'true')?.getBoundingClientRect();
    const isCovered = tabs.map((tab) => {
      const { left, right } = tab.getBoundingClientRect();
      const [from, to] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      const hidden = above ? Math.max(0, Math.min(to, above.right) - Math.max(from, above.left)) : 0;
      return isListed && to - from - hidden < minShown;
    });
    tabs.forEach((tab, at) =>
      tab.classList.toggle('covered', isCovered[at] === true && tab.getAttribute('data-selected') !== 'true'),
    );
  }
}
