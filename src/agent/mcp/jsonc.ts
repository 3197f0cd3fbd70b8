/** A string, or a comment of either kind. Strings come first, so that what looks like a comment in one stays. */
const comments = /("(?:\\.|[^"\\])*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g;
const trailingCommas = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

/** The value of a text of JSON as VS Code's own files have it, with comments and trailing commas. Throws when it is damaged. */
export function parseJsonWithComments(text: string): unknown {
  const keepStrings = (_match: string, string: string | undefined) => string ?? '';
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(comments, keepStrings)
    .replace(trailingCommas, keepStrings);
  return JSON.parse(plain) as unknown;
}
