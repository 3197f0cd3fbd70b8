/** How much of the output can contain the line where a command waits. */
const longestLine = 2000;
/** How much of the output can show that a program uses the whole screen. */
const longestScreen = 20_000;

const controls =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*\u001b\\|.)|[\u0000-\u0008\u000b-\u001f\u007f]/gs;

/**
 * The ends of lines at which programs wait for an answer. Such a line isn't ended, so a finished line of output that looks
 * the same doesn't match.
 */
const prompts: readonly RegExp[] = [
  // [Y/n], (yes/no/[fingerprint]), [Y] Yes [N] No (default is "Y"):
  /[[(]\s*(?:y|yes|n|no)\s*(?:[/|,]\s*\[?(?:y|yes|n|no|a|all|q|quit|fingerprint)\]?\s*)+[\])][\s?:>]*$/i,
  /\[y\]\s*yes\b.*\(default is .*\)\s*:?\s*$/i,
  // Secrets and accounts.
  /(?:pass(?:word|phrase|code)|pin|user ?name|login|otp|token|api key|verification code|enter code)\b[^\n]{0,120}:\s*$/i,
  /press (?:any key|enter|return|q|space)\b[^\n]{0,80}$/i,
  /(?:hit|type) (?:enter|return|any key|yes|y)\b[^\n]{0,80}$/i,
  // Questions: ? Project name: › and "Overwrite a.txt? ".
  /^\s*[?❯◆◇]\s.*[?:›»>…]\s*\S{0,40}$/u,
  /\?\s*(?:[›»>]\s*|\([^)\n]{1,60}\)\s*:?\s*|\[[^\]\n]{1,60}\]\s*:?\s*)?$/u,
  /\b(?:continue|proceed|overwrite|replace|confirm|choose|select|enter|choice|answer|selection)\b[^\n]{0,120}[:>›]\s*$/iu,
  // Shells of programs, such as >>>, (gdb), mysql>, and ftp>.
  /^(?:>>>|\.\.\.|\(gdb\)|\(Pdb\)|In \[\d+\]:|[a-z][\w.-]{0,20}[=#]?[>#])\s*$/i,
  // Pagers.
  /^(?::|\(END\)|--More--.*|lines \d+-\d+.*)\s*$/i,
];

/**
 * Returns whether a command that prints nothing more seems to wait for input: its last line is a prompt that isn't ended,
 * or it shows a program that uses the whole screen, such as an editor.
 */
export function waitsAtPrompt(output: string): boolean {
  const screen = output.slice(-longestScreen);
  if (screen.lastIndexOf('\u001b[?1049h') > screen.lastIndexOf('\u001b[?1049l')) return true;
  const tail = output.slice(-longestLine);
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  // What a program wrote before it returned to the start of the line isn't shown any more.
  const shown = line.replace(/\r+$/, '').replace(controls, (found) => (found === '\r' ? found : ''));
  const text = shown.slice(shown.lastIndexOf('\r') + 1);
  return text.trim() !== '' && prompts.some((prompt) => prompt.test(text));
}
