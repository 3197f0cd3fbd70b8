/** Quotes an argument for the command-line parsing of Windows programs. */
export function quoteForWindows(argument: string): string {
  if (argument !== '' && !/[\s"]/u.test(argument)) return argument;
  // Backslashes are special only before a quotation mark, where they are doubled.
  const escaped = argument.replaceAll(/(\\*)"/gu, String.raw`$1$1\"`).replace(/(\\+)$/u, '$1$1');
  return `"${escaped}"`;
}

/** Returns a batch file and its arguments as the line for `cmd.exe /d /s /c`, quoted so that `cmd.exe` interprets none of it. */
export function batchLine(batchFile: string, args: readonly string[]): string {
  return [escapeForCmd(batchFile), ...args.map(quoteForBatch)].join(' ');
}

function quoteForBatch(argument: string): string {
  const quoted = quoteForWindows(argument);
  // A batch file passes its arguments on as `%*`, which is parsed a second time, so the carets must survive both.
  return escapeForCmd(escapeForCmd(quoted));
}

function escapeForCmd(text: string): string {
  return text.replaceAll(/[()%!^"<>&|;, ]/gu, '^$&');
}
