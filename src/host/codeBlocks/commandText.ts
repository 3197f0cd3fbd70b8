/** Languages whose code blocks are commands for a shell. `src/shared/shellLanguages.ts` has their names. */
const sessions = new Set(['console', 'shell-session', 'shellsession', 'terminal']);
const prompt = /^\s*(?:\$|>|PS [^>]*>|%)\s+/;

/**
 * Returns the commands of a shell's code block, exactly as they would run: without prompts, the output of a recorded session, and line
 * breaks around them.
 */
export function commandText(text: string, language: string): string {
  // A tab would complete a command in an interactive shell.
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const hasPrompts = filled.some((line) => prompt.test(line));
  const isRecorded = sessions.has(language) && hasPrompts;
  const allHave = filled.length > 0 && filled.every((line) => prompt.test(line));
  const commands = isRecorded ? lines.filter((line) => prompt.test(line)) : lines;
  const shown = isRecorded || allHave ? commands.map((line) => line.replace(prompt, '')) : commands;
  return shown.join('\n').replace(/^\n+|\s+$/g, '');
}

/** Returns whether a text has control characters, which a terminal obeys instead of showing them. */
export function hasControls(text: string): boolean {
  return /(?!\n)\p{Cc}/u.test(text);
}
