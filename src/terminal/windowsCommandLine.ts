/** Quotes one argument the way programs on Windows split their command line. */
export function quoteForWindows(argument: string): string {
  if (argument !== '' && !/[\s"]/u.test(argument)) return argument;
  // Backslashes count only before a quotation mark, and there they are doubled.
  const escaped = argument.replaceAll(/(\\*)"/gu, String.raw`$1$1\"`).replace(/(\\+)$/u, '$1$1');
  return `"${escaped}"`;
}

/** A batch file and its arguments as the line that `cmd.exe /d /s /c` gets, quoted so that nothing in it is acted upon. */
export function batchLine(batchFile: string, args: readonly string[]): string {
  return [escapeForCmd(batchFile), ...args.map(quoteForBatch)].join(' ');
}

function quoteForBatch(argument: string): string {
  const quoted = quoteForWindows(argument);
  // A batch file hands its arguments on as `%*`, which is read a second time: the carets have to survive both.
  return escapeForCmd(escapeForCmd(quoted));
}

function escapeForCmd(text: string): string {
  return text.replaceAll(/[()%!^"<>&|;, ]/gu, '^$&');
}
