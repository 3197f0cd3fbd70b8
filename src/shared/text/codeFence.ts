/** Returns a text in a Markdown code fence that is longer than any fence in it. */
export function inFence(text: string, info = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text}\n${fence}`;
}
