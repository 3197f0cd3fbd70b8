/* Reads scripts of sed: which commands they have, and whether these write files, run programs, or leave nothing. */

interface SedCommand {
  readonly address: string;
  readonly name: string;
  /** Of `s`: the pattern, the replacement, and the flags. */
  readonly parts: readonly string[];
  /** The file that it writes, if any. */
  readonly file?: string;
}

/** Files that a script may write. */
const sinks = /^\/dev\/(null|stdout|stderr)$/;
const everyLine = /^(1,\$|0,\$|\/(\.|\.\*|\^|\$|)\/)?$/;

/** Returns whether a command of sed runs programs or writes files that its script names. */
export function sedWrites(args: readonly string[]): boolean {
  return commandsOf(args).some(
    ({ name, file, parts }) =>
      (file !== undefined && !sinks.test(file)) || name === 'e' || (name === 's' && (parts[2] ?? '').includes('e')),
  );
}

/** Returns whether a command of sed leaves nothing of the files that it edits. */
export function sedEmpties(args: readonly string[]): boolean {
  if (!args.some((word) => /^-[nrsuzE]*i|^--in-place/.test(word))) return false;
  const commands = commandsOf(args);
  const isQuiet = args.some((word) => /^-[a-zA-Z]*n/.test(word) || /^--(quiet|silent)$/.test(word));
  const prints = ({ name, parts }: SedCommand) => /^[pP=liacrR]$/.test(name) || (parts[2] ?? '').includes('p');
  if (isQuiet && !commands.some(prints)) return true;
  return commands.some(
    ({ address, name, parts }) =>
      everyLine.test(address) &&
      (name === 'd' || (name === 's' && /^\^?\.[*+]\$?$/.test(parts[0] ?? '') && parts[1] === '')),
  );
}

function commandsOf(args: readonly string[]): readonly SedCommand[] {
  const scripts: string[] = [];
  let hasScript = args.some((word) => /^-[nrsuzE]*[ef]|^--(expression|file)/.test(word));
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const attached = /^(?:-[nrsuzE]*e|--expression=)(.+)$/s.exec(word)?.[1];
    if (attached !== undefined) scripts.push(attached);
    else if (/^(-[nrsuzE]*e|--expression)$/.test(word)) scripts.push(args[(at += 1)] ?? '');
    else if (/^(-[nrsuzE]*f|--file|-l|--line-length)$/.test(word)) at += 1;
    else if (!word.startsWith('-') && word !== '' && !hasScript) {
      hasScript = true;
      scripts.push(word);
    }
  }
  return parse(scripts.join('\n'));
}

function parse(script: string): readonly SedCommand[] {
  const found: SedCommand[] = [];
  let at = 0;
  const skip = (pattern: RegExp) => {
    while (at < script.length && pattern.test(script.charAt(at))) at += 1;
  };
  const restOfLine = () => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? script.length : end;
    return text.trim();
  };
  /** Reads up to a sign. A backslash or brackets take its meaning away. */
  const upTo = (sign: string, isPattern: boolean) => {
    const start = at;
    let inBrackets = false;
    for (; at < script.length; at += 1) {
      const letter = script.charAt(at);
      if (letter === '\\') at += 1;
      else if (isPattern && letter === '[') inBrackets = true;
      else if (inBrackets && letter === ']' && !/[[^]/.test(script.charAt(at - 1))) inBrackets = false;
      else if (letter === sign && !inBrackets) break;
    }
    const text = script.slice(start, at);
    at += 1;
    return text;
  };
  const address = () => {
    const start = at;
    for (;;) {
      skip(/[\s\d$~,+!]/);
      const letter = script.charAt(at);
      if (letter !== '/' && letter !== '\\') break;
      at += letter === '/' ? 1 : 2;
      upTo(letter === '/' ? '/' : script.charAt(at - 1), true);
      skip(/[IM]/);
    }
    return script.slice(start, at).replace(/\s/g, '');
  };
  while (at < script.length) {
    skip(/[\s;{}]/);
    if (at >= script.length) break;
    const where = address();
    const name = script.charAt(at);
    at += 1;
    if (name === '{' || name === '}' || name === '') continue;
    if (name === 's' || name === 'y') {
      const sign = script.charAt(at);
      at += 1;
      const parts = [upTo(sign, name === 's'), upTo(sign, false)];
      const flags = /^[gpiImMe\d]*/.exec(script.slice(at))?.[0] ?? '';
      at += flags.length;
      const isFile = script.charAt(at) === 'w';
      if (isFile) at += 1;
      found.push({ address: where, name, parts: [...parts, flags], ...(isFile ? { file: restOfLine() } : {}) });
    } else if (/[wW]/.test(name)) found.push({ address: where, name, parts: [], file: restOfLine() });
    else {
      if (/[aicrRe#:btT]/.test(name)) restOfLine();
      found.push({ address: where, name, parts: [] });
    }
  }
  return found;
}
