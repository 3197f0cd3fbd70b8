/** How far a key scrolls long lines, in CSS pixels. */
const scrollStep = 40;

/**
 * With the focus on a change, the arrow keys scroll its long lines. The lines themselves aren't in the order of Tab, so that a file isn't as
 * many stops as it has changes.
 */
export function scrollSideways(event: KeyboardEvent): void {
  const { currentTarget: change, target } = event;
  const by = { ArrowLeft: -scrollStep, ArrowRight: scrollStep }[event.key];
  if (by === undefined || !(change instanceof Element) || !(target instanceof Element)) return;
  const isOwn = target === change || target.matches('.pl-diff');
  if (!isOwn || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  for (const lines of change.querySelectorAll('.pl-diff')) lines.scrollLeft += by;
}
