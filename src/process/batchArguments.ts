/**
 * Returns the arguments with which `cmd.exe` runs a batch file and passes each argument on as it is. They are quoted
 * already. None may have a line break, after which `cmd.exe` would ignore the rest.
 */
export function batchArguments(batchFile: string, args: readonly string[]): readonly string[] {
  const line = [batchFile, ...args].map(quoteForBatch).join(' ');
  // No autorun commands and no `!` variables; /s strips exactly the outer pair of quotes.
  return ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`];
}

/** Returns whether a batch file can't get this text as an argument. */
export function breaksBatchLine(text: string): boolean {
  return /[\r\n\0]/u.test(text);
}

/**
 * Quotes one word of a cmd.exe line so that it survives both readings: the line's own, and that of `%*` in the batch
 * file. Always in quotes, where `&`, `|`, `<`, `>`, and `^` have no effect. A quote is doubled, which ends and reopens
 * the quotes for cmd.exe and is one quote for the program. Each `%` is followed by a variable expression that is always
 * empty, so that it can't complete a variable name.
 */
function quoteForBatch(word: string): string {
  const escaped = word
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%');
  return `"${escaped}"`;
}
