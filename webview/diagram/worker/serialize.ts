/** Returns an element of a drawing as XML. */
export function serialize(element: Element): string {
  const name = element.localName;
  const attributes = [...element.attributes].flatMap(({ name: attribute, value }) =>
    /^[a-z_][\w.-]*(?::[a-z_][\w.-]*)?$/iu.test(attribute) ? [` ${attribute}="${escapeXml(value)}"`] : [],
  );
  const content = [...element.childNodes].map((child) => {
    if (child.nodeType === 1) return serialize(child as Element);
    return child.nodeType === 3 ? escapeXml(child.nodeValue ?? '') : '';
  });
  return `<${name}${attributes.join('')}>${content.join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/gu, (character) => `&#${character.charCodeAt(0)};`);
}
