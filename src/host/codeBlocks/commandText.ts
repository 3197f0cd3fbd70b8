/** Languages whose code blocks are commands for a shell. `src/shared/text/shellLanguages.ts` has their names. */
const sessions = new Set(['console', 'shell-session', 'shellsession', 'terminal']);
const prompt = /^\s*(?:\$|PS [^>\n]{0,200}>)\s+/;
const anyPrompt = /^\s*(?:[$>%]|PS [^>\n]{0,200}>)\s+/;

/**
 * Returns the commands of a shell's code block, exactly as they would run: without prompts, the output of a recorded session, and line
 * breaks around them.
 */
export function commandText(text: string, language: string): string {
  // A tab would complete a command in an interactive shell.
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  if (sessions.has(language) && filled.some((line) => prompt.test(line))) {
    const typed = lines.filter((line) => anyPrompt.test(line));
    return trimmed(typed.map((line) => line.replace(anyPrompt, '')));
  }
  const allHave = filled.length > 0 && filled.every((line) => prompt.test(line));
  return trimmed(allHave ? lines.map((line) => line.replace(prompt, '')) : lines);
}

function trimmed(lines: readonly string[]): string {
  return lines.join('\n').replace(/^\n+/, '').trimEnd();
}

/** Returns whether a text has control characters, which a terminal obeys instead of showing them. */
export function hasControls(text: string): boolean {
  return /(?!\n)\p{Cc}/u.test(text);
}
