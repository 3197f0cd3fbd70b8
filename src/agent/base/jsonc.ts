/** Matches a string or a comment of either kind. Strings come first, so that comment-like text in a string is kept. */
const comments = /("(?:\\.|[^"\\])*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g;
const trailingCommas = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

/** Parses JSON with comments and trailing commas, as in VS Code's own files. Throws if it is invalid. */
export function parseJsonWithComments(text: string): unknown {
  const keepStrings = (_match: string, string: string | undefined) => string ?? '';
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(comments, keepStrings)
    .replace(trailingCommas, keepStrings);
  return JSON.parse(plain) as unknown;
}
