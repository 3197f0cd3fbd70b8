/**
 * Stands in for DOMPurify, which needs a browser’s document. What Mermaid draws becomes an image: a document of its own that runs no script
 * and loads nothing.
 */
const noSanitizer = {
  isSupported: true,
  sanitize: (text: unknown) => String(text),
  addHook: () => undefined,
  removeAllHooks: () => undefined,
};
export default noSanitizer;
