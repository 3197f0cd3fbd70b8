/** The width that a mark and an agent's letters need, in px. */
const minShown = 48;

/**
 * Hides tabs of which only a stripe would be in sight, at the edge of their row or beside the selected tab, which stays above the others: half
 * a mark says nothing, and neither does the end of a title. They keep their place, and show themselves with the focus. Of a tab whose end is
 * out of sight, only the marks are shown, and no half letter.
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
    const sights = tabs.map((tab) => {
      const { left, right } = tab.getBoundingClientRect();
      let [from, to] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      if (above && above.left <= from) from = Math.max(from, above.right);
      else if (above && above.right >= to) to = Math.min(to, above.left);
      // Half a pixel is a matter of rounding.
      return { isCut: right - to > 0.5, isCovered: isListed && (from - left > 0.5 || to - from < minShown) };
    });
    tabs.forEach((tab, at) => {
      const isOther = tab.getAttribute('data-selected') !== 'true';
      tab.classList.toggle('covered', isOther && sights[at]?.isCovered === true);
      tab.classList.toggle('cut', isOther && sights[at]?.isCut === true);
    });
  }
}
