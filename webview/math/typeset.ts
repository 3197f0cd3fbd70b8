import temml from 'temml';

/** Maximum number of nodes of a typeset formula, and how deep they may be nested. Layout takes long for more. */
const maxNodes = 4000;
const maxDepth = 60;
/** Maximum nesting of groups in the source. */
const maxGroups = 30;
/** Maximum length of lengths in the source, in em. */
const maxEm = 20;
/** How many macros may be expanded, fewer if the source defines its own, whose text is of any length. */
const maxExpansions = 1000;
const maxOwnExpansions = 50;
const definition = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|global|long)\b/;

const mathSpace = 'http://www.w3.org/1998/Math/MathML';
const elements = new Set(
  'math,maction,menclose,merror,mfrac,mi,mmultiscripts,mn,mo,mover,mpadded,mphantom,mprescripts,mroot,mrow,ms,mspace,msqrt,mstyle,msub,msubsup,msup,mtable,mtd,mtext,mtr,munder,munderover,none,semantics'.split(
    ',',
  ),
);
const attributes = new Set(
  'accent,accentunder,class,columnalign,columnlines,columnspacing,columnspan,depth,dir,display,displaystyle,fence,form,framespacing,height,largeop,linethickness,lspace,mathbackground,mathcolor,mathsize,mathvariant,maxsize,minsize,movablelimits,notation,rowlines,rowspacing,rowspan,rspace,scriptlevel,separator,stretchy,style,symmetric,voffset,width'.split(
    ',',
  ),
);

/**
 * Typesets a formula as MathML, which the browser draws with its own fonts. Returns undefined if it has an error, is too large, or contains
 * something that a formula may not contain, such as a link.
 */
export function typeset(tex: string, isDisplay: boolean): Element | undefined {
  if (groupDepth(tex) > maxGroups) return undefined;
  const frame = document.createElement('span');
  try {
    temml.render(tex, frame, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      maxSize: [maxEm, maxEm],
      maxExpand: definition.test(tex) ? maxOwnExpansions : maxExpansions,
    });
  } catch {
    // An error of the formula, or one that is nested too deep for the parser.
    return undefined;
  }
  const drawn = frame.firstElementChild;
  return drawn && isHarmless(drawn) ? drawn : undefined;
}

function groupDepth(tex: string): number {
  let depth = 0;
  let deepest = 0;
  for (const char of tex) {
    if (char === '{') deepest = Math.max(deepest, ++depth);
    else if (char === '}') depth--;
  }
  return deepest;
}

/** Returns whether everything in a typeset formula belongs to one. Names of its own, such as ids, are removed. */
function isHarmless(root: Element): boolean {
  let count = 0;
  const walk = (element: Element, depth: number): boolean => {
    if (++count > maxNodes || depth > maxDepth) return false;
    if (element.namespaceURI !== mathSpace || !elements.has(element.localName)) return false;
    for (const name of element.getAttributeNames()) if (!attributes.has(name)) element.removeAttribute(name);
    return [...element.children].every((child) => walk(child, depth + 1));
  };
  return walk(root, 0);
}
