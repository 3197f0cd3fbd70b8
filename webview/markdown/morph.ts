/**
 * Makes the children of `target` equal to those of `source`. Preserves every node that needn't change, so that selection, hover, and focus
 * in a growing text survive. Moves nodes out of `source`.
 */
export function morphChildren(target: Node, source: Node): void {
  let old = target.firstChild;
  let next = source.firstChild;
  while (next) {
    const following = next.nextSibling;
    if (!old) {
      target.appendChild(next);
    } else {
      const after: ChildNode | null = old.nextSibling;
      morph(target, old, next);
      old = after;
    }
    next = following;
  }
  while (old) {
    const after: ChildNode | null = old.nextSibling;
    old.remove();
    old = after;
  }
}

/** Moves the nodes of a text to `target` and makes them equal to those of `source`, with the selection that is in them. */
export function adopt(target: Element, drawn: Node, source: Node): Element[] {
  morphChildren(drawn, source);
  const selection = document.getSelection();
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = selection ?? {};
  const isInside = drawn.contains(anchorNode ?? null) || drawn.contains(focusNode ?? null);
  const children = [...drawn.childNodes].filter((node) => node instanceof Element);
  target.append(...children);
  // To move a node takes the selection out of it.
  if (isInside && anchorNode?.isConnected && focusNode?.isConnected) {
    selection?.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
  }
  return children;
}

function morph(target: Node, old: ChildNode, next: ChildNode): void {
  if (old instanceof Text && next instanceof Text) {
    if (old.data === next.data) return;
    if (next.data.startsWith(old.data)) old.appendData(next.data.slice(old.data.length));
    else old.data = next.data;
    return;
  }
  if (old instanceof Element && next instanceof Element && old.tagName === next.tagName) {
    if (sameAttributes(old, next)) {
      morphChildren(old, next);
      return;
    }
  }
  target.replaceChild(next, old);
}

function sameAttributes(old: Element, next: Element): boolean {
  if (old.attributes.length !== next.attributes.length) return false;
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) return false;
  return true;
}
